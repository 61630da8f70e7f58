// Colours of what is drawn around the data: they follow the light or the dark page. The data keep theirs, and what leaves
// the page, on paper or as a file, is on white.
const LIGHT = {ink: "#1a1a1a", soft: "#6b6b6b", edge: "#505050", faint: "#b0b0b0", paper: "#ffffff", ground: "#f1efe9", body: "#dfe7ee", pivot: "#e8e8e8",
    normal: "#0072B2", tangential: "#D55E00", events: ["#b9cfe0", "#d9b38c", "#c3d9b8"], limit: "#7a7a7a", foot: "#332288",
    lines: ["#0072B2", "#D55E00", "#000000", "#009E73", "#332288", "#661100"]};
const DARK = {ink: "#ecebe7", soft: "#a9a9a4", edge: "#9a9a96", faint: "#5d5d5a", paper: "#1b1d1f", ground: "#2a2823", body: "#33424f", pivot: "#3a3d40",
    normal: "#5cb8f0", tangential: "#ff9256", events: ["#34495a", "#5c4630", "#3d5036"], limit: "#9a9a96", foot: "#b3a5ff",
    lines: ["#5cb8f0", "#ff9256", "#ffffff", "#35cfa0", "#b3a5ff", "#f0a090"]};

export const inks = {...LIGHT};
let dark = false;

export function useInks(isDark) {
    dark = isDark;
    Object.assign(inks, isDark ? DARK : LIGHT);
}

// What a function draws on white.
export function onWhite(draw) {
    const before = dark;
    useInks(false);
    try {
        return draw();
    } finally {
        useInks(before);
    }
}
