"""Pages without a mouse, without colours and for weak eyes: contrast, keys, names, numbers and dashes."""
import re

from browser import PageTest, has_module, program
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

CONFIG = """
model: compliant
choose: {body: pendulum, law: linear}
axes:
  - {param: stiffness_ratio, values: [0.8, 1.21, 2]}
  - {param: angle, from: 1 deg, to: 89 deg, points: 30}
  - {param: friction, from: 0.01, to: 1.5, points: 20}
outputs: [mode, energy_loss]
"""
# The contrast of WCAG 2.1 between two colours, and the least one of a page: of texts 4.5 (large ones 3), and of the
# borders of controls 3, against what is behind them.
CONTRAST = """
const channels = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
const light = (colour) => channels(colour).slice(0, 3).map((part) => part / 255)
    .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, k) => sum + [0.2126, 0.7152, 0.0722][k] * part, 0);
const contrast = (one, other) => (Math.max(light(one), light(other)) + 0.05) / (Math.min(light(one), light(other)) + 0.05);
const backOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
        const colour = getComputedStyle(at).backgroundColor;
        if (channels(colour)[3] !== 0) return colour;
    }
    return "rgb(255, 255, 255)";
};
const poor = [], seen = {texts: 0, controls: 0};
const report = (what, element, ratio) => poor.push(
    `${what} ${element.tagName} ${element.className} "${element.textContent.slice(0, 30)}": ${ratio.toFixed(2)}`);
for (const element of document.body.querySelectorAll("*:not(script, noscript)")) {
    if (!element.checkVisibility() || element.closest(".unseen, .hidden, script")) continue;
    const style = getComputedStyle(element), hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (hasText || element.matches("input[type=number], select")) {
        seen.texts++;
        const ratio = contrast(style.color, backOf(element));
        const isLarge = parseFloat(style.fontSize) >= 24 || (style.fontWeight >= 700 && parseFloat(style.fontSize) >= 18.66);
        if (ratio < (isLarge ? 3 : 4.5)) report("text", element, ratio);
    }
    if (element.matches("button, select, input[type=number]")) {
        seen.controls++;
        const ratio = contrast(style.borderTopColor, backOf(element.parentElement));
        if (ratio < 3) report("border", element, ratio);
    }
    if (element.matches("input[type=range], input[type=checkbox]")) {
        const ratio = contrast(style.accentColor, backOf(element.parentElement));
        if (!(ratio >= 3)) report("accent", element, ratio);
    }
}
return {poor, ...seen};
"""
# A name for each control and picture, as the browser computes it from labels, texts and attributes.
NAMELESS = """
const nameOf = (one) => one.ariaLabel || one.textContent.trim() || one.title || one.closest("label")?.textContent.trim()
    || (one.labels?.[0]?.textContent.trim());
return [...document.querySelectorAll("button, select, input, canvas, summary, a, table caption, [role=img]")]
    .filter((one) => one.checkVisibility() && !nameOf(one)).map((one) => one.outerHTML.slice(0, 100));
"""


class Access(PageTest):
    sweep = "uniform", CONFIG

    @classmethod
    def setup_class(cls):
        super().setup_class()
        cls.explore = cls.path("explore.html")
        if has_module():
            program("explore", "-o", cls.explore)

    def pages(self):
        for page in (self.page, self.explore) if has_module() else (self.page,):
            self.open(page)
            self.run_script("await impactsweep.ready;")
            if has_module():
                self.wait_for("impactsweep.isSolved")
                self.mouse("pointerdown", 0.4, 0.6, button=0)
                self.mouse("pointerup", 0.4, 0.6, button=0)
                self.wait_for("document.querySelector('.chart')?.ariaLabel && document.querySelector('#cell .from')")
            self.run_script("for (const one of document.querySelectorAll('details')) one.open = true;")
            yield page

    def test_contrast(self):
        for page in self.pages():
            self.settle()
            found = self.run_script(CONTRAST)
            assert found["poor"] == []
            assert found["texts"] > 60
            assert found["controls"] > 8

    def test_contrast_in_the_dark(self):
        """The page and its form controls follow a dark system; what leaves it is on white."""
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
        try:
            self.test_contrast()
            assert self.run_script("return getComputedStyle(document.documentElement).colorScheme;") == "dark"
            assert '<rect width=' in self.run_script("return impactsweep.svg();").split("\n")[1]
            assert 'fill="#fff"' in self.run_script("return impactsweep.svg();").split("\n")[1]
            assert 'fill="#1a1a1a"' in self.run_script("return impactsweep.svg();")
        finally:
            self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})

    def test_everything_has_a_name(self):
        for page in self.pages():
            assert self.run_script(NAMELESS) == []

    def test_the_key_tab_reaches_every_control(self):
        for page in self.pages():
            count = self.run_script("""
                    const all = [...document.querySelectorAll("button, select, input, canvas[tabindex], summary, a, pre")]
                        .filter((one) => one.checkVisibility());
                    all.forEach((one, i) => { one.dataset.place = i; });
                    document.activeElement.blur();
                    getSelection().removeAllRanges();
                    scrollTo(0, 0);
                    globalThis.reached = new Map();
                    addEventListener("focusin", ({target}) => reached.set(target.dataset.place, getComputedStyle(target).outlineStyle));
                    return all.length;""")
            ActionChains(self.browser).send_keys(*[Keys.TAB] * (count + 5)).perform()
            missed = self.run_script("""
                    return [...document.querySelectorAll("[data-place]")].filter((one) => !reached.has(one.dataset.place))
                        .map((one) => one.outerHTML.slice(0, 100));""")
            assert missed == []
            assert self.run_script("return [...reached.values()].filter((style) => style === 'none').length;") == 0

    def test_keys_read_and_keep_cells(self):
        self.open(self.page, "#live=false")
        self.run_script("await impactsweep.ready; document.getElementById('map').focus();")
        keys = ActionChains(self.browser)
        keys.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_UP).perform()
        self.wait_for("document.querySelector('#cell .from')")
        first = self.text("#cell")
        ActionChains(self.browser).send_keys(*[Keys.ARROW_RIGHT] * 10).perform()
        self.wait_for("document.getElementById('cell').textContent !== " + repr(first))
        assert "mode" in self.text("#said")
        window = self.view["window"]
        ActionChains(self.browser).send_keys("+").key_down(Keys.SHIFT).send_keys(Keys.ARROW_LEFT).key_up(Keys.SHIFT).perform()
        self.settle()
        x0, x1, _, _ = self.view["window"]
        assert x1 - x0 < 0.7
        assert self.view["window"] != window
        ActionChains(self.browser).send_keys("0").perform()
        self.settle()
        assert self.view["window"] == [0, 1, 0, 1]
        if has_module():
            ActionChains(self.browser).send_keys(Keys.ENTER).perform()
            self.wait_for("impactsweep.view.picks.length === 1 && document.querySelector('.chart')?.ariaLabel")

    def test_readable_without_colour(self):
        """Modes have numbers in the legend and in the picture, lines of charts and graphs have dashes, picks letters."""
        self.open(self.page, "#live=false")
        legend = self.run_script("return impactsweep.svg();")
        assert re.search(r">1  [a-z ]+</text>", legend)
        assert re.search(r">2</text>", legend)
        self.show(field="energy_loss", y=None)
        dashes = self.run_script("""
            const svg = new DOMParser().parseFromString(impactsweep.svg(), "image/svg+xml");
            return [...svg.querySelectorAll("clipPath ~ g polyline")].map((one) => one.getAttribute("stroke-dasharray") ?? "");""")
        assert len(set(dashes)) == 3
        if has_module():
            self.show(picks=[{"body": "pendulum", "law": "linear", "angle": 0.5, "friction": 0.4, "stiffness_ratio": 1.21}])
            self.wait_for("document.querySelector('.chart')?.ariaLabel")
            assert re.search("^A ", self.text(".picks"))
            lines = self.run_script("""
                return [...document.querySelectorAll(".key")].map((key) => [...key.querySelectorAll("line")].map(
                    (one) => one.getAttribute("stroke-dasharray") + one.getAttribute("stroke")));""")
            assert lines and all(len(set(one)) == len(one) for one in lines)
