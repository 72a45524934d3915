"""Headless Chromium, by the DevTools protocol over a pipe."""

import atexit
import functools
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

SECONDS = 120


class Browser:
    """One page. `requests` and `complaints` are what it asked for and what its console said since `open`."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="skan-browser-")
        theirs_in, self.to = os.pipe()
        self.source, theirs_out = os.pipe()
        # The protocol is on 3 and 4. What they read from is the older, lower number: neither overwrites the other.
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}', "bash", "chromium", "--headless",
             "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--hide-scrollbars", f"--user-data-dir={self.folder}",
             "--remote-debugging-pipe", "about:blank"],
            pass_fds=(theirs_in, theirs_out), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self.number, self.unread, self.session = 0, b"", None
        self.events, self.requests, self.complaints = [], [], []
        try:
            target = self.call("Target.createTarget", url="about:blank")["targetId"]
            self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            for domain in ["Page", "Network", "Log", "Runtime", "Accessibility"]:
                self.call(f"{domain}.enable")
        except BaseException:
            self.close()
            raise

    def close(self):
        self.session = None
        try:
            self.call("Browser.close")
            self.process.wait(SECONDS)
        except (OSError, subprocess.TimeoutExpired, TimeoutError):
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.source)
        # Its own processes end a moment after it, and write until then.
        until = time.monotonic() + 10
        while os.path.exists(self.folder) and time.monotonic() < until:
            shutil.rmtree(self.folder, ignore_errors=True)
            time.sleep(0.01)
        if os.path.exists(self.folder):
            shutil.rmtree(self.folder)

    def _message(self):
        """The next one, an answer or an event."""
        until = time.monotonic() + SECONDS
        while b"\0" not in self.unread:
            if not select.select([self.source], [], [], max(0, until - time.monotonic()))[0]:
                raise TimeoutError("Chromium does not answer")
            more = os.read(self.source, 1 << 16)
            if not more:
                raise ConnectionError("Chromium ended")
            self.unread += more
        text, _, self.unread = self.unread.partition(b"\0")
        message = json.loads(text)
        event, values = message.get("method"), message.get("params", {})
        self.events.append(event)
        if event == "Network.requestWillBeSent":
            self.requests.append(values["request"]["url"])
        if event in ("Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown"):
            self.complaints.append(values)
        return message

    def call(self, method, **values):
        self.number += 1
        message = {"id": self.number, "method": method, "params": values}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while (answer := self._message()).get("id") != self.number:
            pass
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def begin(self):
        """Forgets the page of the test before, and how it was looked at."""
        self.call("Emulation.clearDeviceMetricsOverride")
        self.call("Emulation.setEmulatedMedia", features=[])
        self.open("about:blank")

    def open(self, url):
        self.events, self.requests, self.complaints = [], [], []
        self.call("Page.navigate", url=url)
        while "Page.loadEventFired" not in self.events:
            self._message()

    def look(self, width, scheme):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def ask(self, expression):
        return self.call("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def tree(self):
        """Role, name and description of what a screen reader meets."""
        nodes = self.call("Accessibility.getFullAXTree")["nodes"]
        return [
            (node["role"]["value"], node.get("name", {}).get("value", ""), node.get("description", {}).get("value", ""))
            for node in nodes if not node["ignored"]
        ]


def browser_of_run():
    """The one browser of a run of tests: each test begins with an empty page."""
    browser = _started()
    browser.begin()
    return browser


@functools.cache
def _started():
    browser = Browser()
    atexit.register(browser.close)
    return browser
