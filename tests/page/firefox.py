"""Firefox without a window, by its own protocol (Marionette), so that no driver is needed."""
import base64
import json
import os
import shutil
import socket
import subprocess
import time

PROGRAM = shutil.which("firefox-esr") or shutil.which("firefox")
SECONDS = 300  # until Firefox is given up

# A script is not ended because the machine is busy, and nothing is fetched or sent.
WISHES = {"dom.max_script_run_time": 0, "app.normandy.enabled": False, "datareporting.policy.dataSubmissionEnabled": False}


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Firefox:
    def __init__(self, folder, width=1100, height=1000):
        profile, port = os.path.join(folder, "profile"), free_port()
        os.makedirs(profile)
        with open(os.path.join(profile, "user.js"), "w", encoding="utf-8") as file:
            file.writelines(f'user_pref("{name}", {json.dumps(value)});\n'
                            for name, value in {"marionette.port": port, **WISHES}.items())
        self.process = subprocess.Popen(
            [PROGRAM, "--headless", "--marionette", "--no-remote", "--profile", profile, "--width", str(width), "--height", str(height)],
            env=dict(os.environ, HOME=folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.number = 0
        try:
            self.connection = self.connect(port)
            self.receive()  # its greeting
            self.call("WebDriver:NewSession", {"capabilities": {}})
            self.call("WebDriver:SetTimeouts", {"script": 1000 * SECONDS})
        except BaseException:
            self.process.kill()
            self.process.wait()
            raise

    def connect(self, port):
        end = time.monotonic() + SECONDS
        while True:
            try:
                connection = socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
                return connection.makefile("rwb")
            except OSError:
                if self.process.poll() is not None or time.monotonic() > end:
                    raise
                time.sleep(0.2)

    def receive(self):
        length = b""
        while not length.endswith(b":"):
            one = self.connection.read(1)
            if not one:
                raise ConnectionError("Firefox has ended")
            length += one
        return json.loads(self.connection.read(int(length[:-1])))

    def call(self, command, parameters=None):
        self.number += 1
        text = json.dumps([0, self.number, command, parameters or {}]).encode()
        self.connection.write(b"%d:%s" % (len(text), text))
        self.connection.flush()
        _, _, error, result = self.receive()
        if error:
            raise RuntimeError(f"{error['error']}: {error['message']}")
        return result

    def open(self, address):
        self.call("WebDriver:Navigate", {"url": address})

    def run_script(self, body, *given):
        """The value that the body of an asynchronous function returns."""
        value = self.call("WebDriver:ExecuteAsyncScript", {"args": list(given), "script":
            "const done = arguments[arguments.length - 1], given = [...arguments].slice(0, -1);"
            f"(async () => {{ {body} }})().then((value) => done({{value}}), (error) => done({{error: String(error)}}));"})["value"]
        if "error" in value:
            raise AssertionError(value["error"])
        return value.get("value")

    def screenshot(self):
        return base64.b64decode(self.call("WebDriver:TakeScreenshot", {"full": True, "hash": False})["value"])

    def quit(self):
        try:
            self.call("Marionette:Quit", {"flags": ["eForceQuit"]})
            self.process.wait(60)
        except (OSError, RuntimeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
