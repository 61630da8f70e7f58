"""Every choice in the menus of both pages after every other one: the view stays valid, and each picture is drawn."""
from browser import LAWS, PageTest

# test_menus_long takes the others.
THEORIES = ("compliant",)

# Chooses every option after every other one. Of fields that are drawn alike, which have one kind and one unit, the first
# stands for all. Returns how many pairs were tried, and the pictures and menus that were wrong.
PAIRS = """
await impactsweep.ready;
let frames = [];
globalThis.requestAnimationFrame = (frame) => frames.push(frame); // drawn at once, so that thousands fit into a test
history.replaceState = () => {}; // browsers slow it down
const drawn = () => {
    const due = frames;
    frames = [];
    due.forEach((frame) => frame(performance.now()));
};
const [selector, fields] = given, wrong = new Set();
addEventListener("error", (event) => wrong.add(event.message));
addEventListener("unhandledrejection", (event) => wrong.add(String(event.reason)));
const menus = () => [...document.querySelectorAll(selector)], titleOf = (menu) => menu.previousSibling.textContent;
const optionsOf = (menu) => [...menu.options].map((one) => one.value);
const different = (menu) => {
    const kindOf = (value) => titleOf(menu) === "Field" ? fields[value] ?? value : value, kinds = optionsOf(menu).map(kindOf);
    return optionsOf(menu).filter((_, i) => kinds.indexOf(kinds[i]) === i);
};
const choose = ([title, value]) => {
    const menuOf = () => menus().find((one) => titleOf(one) === title), menu = menuOf();
    if (!menu || !optionsOf(menu).includes(value)) return false;
    menu.value = value;
    try {
        menu.dispatchEvent(new Event("change"));
        drawn();
    } catch (error) {
        wrong.add(`${title} ${value}: ${error}`);
    }
    const {x, y, field} = impactsweep.view, shown = {Horizontal: x, Vertical: y ?? "", Field: field}[title];
    if (!x || x === y) wrong.add(`${title} ${value}: the axes are ${x} and ${y}`);
    if (shown !== undefined && menuOf().value !== shown) wrong.add(`${title} ${value}: the menu shows ${menuOf().value}`);
    return true;
};
const all = menus().flatMap((menu) => different(menu).map((value) => [titleOf(menu), value]));
let tried = 0;
all.forEach((one, i) => {
    choose(one);
    for (const other of all.slice(i + 1)) tried += choose(other) && choose(one) ? 2 : 0;
});
return {tried, wrong: [...wrong].slice(0, 20), titles: [...new Set(all.map(([title]) => title))]};
"""


class Menus(PageTest):
    @classmethod
    def setup_class(cls):
        super().setup_class()
        cls.browser.set_window_size(420, 420)  # few pixels for thousands of pictures

    def check_pairs(self, selector, titles=("Field", "Horizontal", "Vertical"), least=100):
        fields = self.run_script("""
            const about = JSON.parse(document.getElementById("about-data").textContent);
            const {outputs} = about.theory ?? about.theories.find((one) => one.name === impactsweep.view.theory);
            return Object.fromEntries(outputs.filter((one) => !(one.length > 1)).map((one) => [one.name, `${one.kind} ${one.unit}`]));""")
        found = self.run_script(PAIRS, selector, fields)
        assert found["wrong"] == []
        assert set(titles) <= set(found["titles"])
        assert found["tried"] > least

    def test_pairs_in_the_page_of_a_map(self):
        _, page = self.map_of("map", LAWS)
        for fragment in ("", "#live=false"):
            self.open(page, fragment)
            self.check_pairs("#controls select, #compare select", ("Field", "Horizontal", "Vertical", "Compare with"))

    def test_pairs_in_the_page_of_theories(self):
        page = self.explore_page()
        self.open(page)
        self.check_pairs("#presets select", ("Theory",), 20)
        for theory in THEORIES:
            self.open(page, f"#theory={theory}&live=false")
            self.check_pairs("#controls select, #inputs .choices select")
