"""Hostile texts in maps stay texts in pages, and what would run in spite of that is refused by the page's policy."""
from http.server import BaseHTTPRequestHandler, HTTPServer
import threading

import pytest

pytest.importorskip("h5py", reason="python3-h5py is not installed")
from hostile_pages import HostilePages

SEEDS = 16  # about three seconds each; test_hostile_long has thousands

# What a hostile text would do if it became a part of the page.
ATTEMPTS = """
const place = `http://127.0.0.1:${given[0]}/`;
const add = (tag, properties) => document.body.append(Object.assign(document.createElement(tag), properties));
add("script", {textContent: "window.hacked = 1"});
add("script", {src: place + "script"});
add("img", {src: place + "image", onerror: null});
add("iframe", {src: place + "frame"});
add("link", {rel: "stylesheet", href: place + "style"});
add("div", {innerHTML: "<img src=x onerror='window.hacked = 2'>"});
const form = Object.assign(document.createElement("form"), {action: place + "form", method: "post"});
document.body.append(form);
form.submit();
// The driver's own script may evaluate texts; what it leaves to a timer may not.
const later = (call) => new Promise((take, refuse) => setTimeout(() => {
    try {
        take(call());
    } catch (error) {
        refuse(error);
    }
}));
const tried = {};
for (const [name, attempt] of Object.entries({
    fetch: () => fetch(place + "fetch"), beacon: async () => { if (!navigator.sendBeacon(place + "beacon")) throw new Error("refused"); },
    evaluated: () => later(() => (0, eval)("window.hacked = 3")), made: () => later(() => new Function("window.hacked = 4")()),
    socket: () => new Promise((take, refuse) => Object.assign(
        new WebSocket(place.replace("http", "ws")), {onopen: take, onerror: refuse}))})) {
    tried[name] = await attempt().then(() => "done", () => "refused");
}
for (let i = 0; i < 20 && violations.length < 8; i++) await new Promise((next) => setTimeout(next, 100));
return {tried, hacked: globalThis.hacked ?? null, violations: violations.length};
"""


class Hostile(HostilePages):
    def test_hostile_texts(self):
        self.check_seeds(range(SEEDS))

    def test_the_policy_lets_nothing_run_or_leave(self):
        asked = []

        class Listener(BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append(self.path)
                self.send_error(404)

            do_POST = do_GET

            def log_message(self, *_):
                pass

        server = HTTPServer(("127.0.0.1", 0), Listener)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            self.open(self.path("uniform.html"), "#live=false")
            found = self.run_script(ATTEMPTS, server.server_port)
        finally:
            server.shutdown()
            server.server_close()
        refused = self.browser.get_log("browser")
        assert len(refused) > 6
        assert found["hacked"] is None
        assert found["violations"] >= 8
        found["tried"].pop("beacon")  # a browser may take it and refuse it later
        assert set(found["tried"].values()) == {"refused"}
        assert asked == []


del HostilePages
