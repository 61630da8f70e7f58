"""Sizes of screens for tests of pages."""
import contextlib

PHONE, PHONE_TURNED, TABLET, DESKTOP, LARGE = (360, 640), (640, 360), (768, 1024), (1280, 720), (1920, 1080)


@contextlib.contextmanager
def screen(browser, size, dark=False, moving=False, density=0.5):
    width, height = size
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": height, "deviceScaleFactor": density, "mobile": width < 700})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
        {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
        {"name": "prefers-reduced-motion", "value": "no-preference" if moving else "reduce"}]})
    try:
        yield
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
