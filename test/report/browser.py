# browser.py - a headless Chromium that is told what to do through its DevTools pipe.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A page in headless Chromium. The DevTools protocol runs over two pipes (descriptors 3 and 4 of
the browser, messages that end in a zero byte), so no other package is needed."""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome")


def find():
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Page:
    """One page, as wide as asked; close() ends the browser."""

    def __init__(self, width, height=1000, dark=False):
        self.home = tempfile.mkdtemp()
        to_read, self.out = os.pipe()
        self.input, to_write = os.pipe()

        def connect():
            # Neither end may be overwritten before it is moved.
            os.dup2(to_read, 103)
            os.dup2(to_write, 104)
            os.dup2(103, 3)
            os.dup2(104, 4)

        self.process = subprocess.Popen(
            [find(), "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
             f"--user-data-dir={self.home}"],
            preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.rest = b""
        self.number = 0
        self.session = None
        self.events = []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target,
                                 flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=width < 600)
        self.send("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def message(self):
        while b"\0" not in self.rest:
            data = os.read(self.input, 1 << 16)
            if not data:
                raise RuntimeError("the browser ended")
            self.rest += data
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def send(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.out, json.dumps(request).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, path):
        """Seconds until the page is loaded."""
        start = time.monotonic()
        self.send("Page.navigate", url="file://" + os.path.abspath(path))
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.events.append(self.message())
        return time.monotonic() - start

    def run(self, script):
        """Value of an expression in the page."""
        result = self.send("Runtime.evaluate", expression=script, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(json.dumps(result["exceptionDetails"])[:600])
        return result["result"].get("value")

    def key(self, key, code=0, text=""):
        for kind in ("keyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code,
                      **({"text": text} if kind == "keyDown" and text else {}))

    def complaints(self):
        """Errors of scripts and of loading, and addresses that were asked for elsewhere."""
        found = []
        for event in self.events:
            name, data = event.get("method"), event.get("params", {})
            if name == "Runtime.exceptionThrown":
                found.append(data["exceptionDetails"]["text"])
            elif name == "Log.entryAdded" and data["entry"]["level"] == "error":
                found.append(data["entry"]["text"])
            elif name == "Network.requestWillBeSent" and not data["request"]["url"].startswith(
                    ("file:", "data:")):
                found.append(data["request"]["url"])
        return found

    def picture(self, path, whole=False):
        data = self.send("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as stream:
            stream.write(base64.b64decode(data))

    def pdf(self):
        return base64.b64decode(self.send("Page.printToPDF", printBackground=True)["data"])

    def close(self):
        try:
            os.close(self.out)
            os.close(self.input)
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.home, ignore_errors=True)
