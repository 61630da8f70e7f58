"""No violation of WCAG 2.2 AA that axe-core finds: both pages, light and dark, with sheets, a tour, a comparison, dialogs. Skipped without
npm or its registry."""
import axe
import pytest
from browser import TWO_THEORIES, PageTest
from screens import DESKTOP, PHONE, screen

class Axe(PageTest):
    @classmethod
    def setup_class(cls):
        super().setup_class()
        cls.axe = axe.script()
        if cls.axe is None:
            pytest.skip("axe-core is not here: neither IMPACT_AXE nor npm has it")
        _, cls.page = cls.map_of("theories", TWO_THEORIES)

    def check(self, what):
        self.browser.execute_script(self.axe)
        self.settle()
        found = self.run_script(axe.RUN)
        assert found["wrong"] == [], what
        assert found["checked"] > 20

    def test_the_page_of_a_map(self):
        for size, dark in ((DESKTOP, False), (DESKTOP, True), (PHONE, False)):
            with screen(self.browser, size, dark):
                self.open(self.page, '#beside={"at":{"case":1}}')
                self.run_script("await impactsweep.ready; for (const one of document.querySelectorAll('details')) one.open = true;")
                self.mouse("pointermove", 0.5, 0.5)
                self.check(f"report {size} {dark}")

    def test_the_page_of_theories(self):
        page = self.explore_page()
        for size, dark, address in ((DESKTOP, False, ""), (DESKTOP, True, "#story=tour-6"), (PHONE, False, "#story=tour-2")):
            with screen(self.browser, size, dark):
                self.open(page, address)
                self.run_script("await impactsweep.ready;")
                self.wait_for("document.querySelector('.chart')?.ariaLabel && document.querySelector('#facts table')")
                self.check(f"explore {size} {dark}")
                if size == PHONE:
                    self.check_sheets()
                elif not dark:
                    self.check_dialogs()

    def check_sheets(self):
        for button in self.run_script("return [...document.querySelectorAll('#bar button')].map((one) => one.textContent);"):
            self.run_script("[...document.querySelectorAll('#bar button')].find((one) => one.textContent === given[0]).click();", button)
            self.check(button)

    def check_dialogs(self):
        for button, dialog in (("open-menu", "menu"), ("open-words", "words")):
            self.run_script("document.getElementById(given[0]).click();", button)
            self.check(dialog)
            self.run_script("document.getElementById(given[0]).close();", dialog)
        self.run_script("document.querySelector('#summary .word').click();")
        self.check("explain")

    def test_all_names_of_a_legend(self):
        page = self.explore_page()
        for dark in (False, True):
            with screen(self.browser, DESKTOP, dark):
                self.open(page, "#story=tour-6")
                self.run_script("await impactsweep.ready;")
                # On a slow machine a picture that comes first can have the button, too: it is pressed where it is seen.
                self.wait_for("((more) => more && (more.click(), true))(document.querySelector('.more:not([hidden])'))")
                self.check(f"legend {dark}")
