# SPDX-License-Identifier: LGPL-2.1-or-later
"""Chromium and the daemon, as page.py uses them."""
import base64
import json
import os
import re
import subprocess
import time
import urllib.error
import urllib.request

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

WAIT_SECONDS = 180
PASSWORD = "secret"


def browser(scratch):
    o = Options()
    o.binary_location = "/usr/bin/chromium"
    # In a container there may be no namespaces for its sandbox, and little shared memory.
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--window-size=1280,1000", "--user-data-dir=" + os.path.join(scratch, "chromium")):
        o.add_argument(argument)
    o.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=o)


class Daemon:
    """A daemon on a captured host that can be started again on the same port."""

    def __init__(self, program, host, state, password_file, *options):
        self.arguments = [program, "--host", host, "--state", state, "--task-after", "600", *options]
        if password_file:
            self.arguments += ["--password-file", password_file]
        self.has_account = bool(password_file)
        self.log = open(state + ".err", "w", encoding="utf-8")
        self.state = state
        self.port = 0
        self.process = None
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            self.arguments + ["--listen", f"http://127.0.0.1:{self.port}"], stdout=subprocess.PIPE,
            stderr=self.log, text=True)
        for line in self.process.stdout:
            found = re.match(r"listening on http://127\.0\.0\.1:(\d+)", line)
            if found:
                self.port = int(found[1])
                self.wait_ready()
                return
        raise SystemExit("FAIL: the daemon did not come up")

    def wait_ready(self):
        """Until the host was read the service answers with 503."""
        end = time.monotonic() + WAIT_SECONDS
        while True:
            try:
                self.get("/redfish/v1/Systems")
                return
            except urllib.error.HTTPError as e:
                if e.code == 401 and not self.has_account:
                    return
                if e.code != 503 or time.monotonic() > end:
                    raise
            time.sleep(0.1)

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=WAIT_SECONDS)
        self.process.stdout.close()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def ask(self, method, path, body=None, user="admin", password=PASSWORD):
        request = urllib.request.Request(
            self.url + path.replace(" ", "%20"), method=method,
            data=None if body is None else json.dumps(body).encode())
        login = base64.b64encode(f"{user}:{password}".encode()).decode()
        request.add_header("Authorization", "Basic " + login)
        if body is not None:
            request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request, timeout=WAIT_SECONDS) as reply:
            text = reply.read()
        return json.loads(text) if text else None

    def get(self, path):
        return self.ask("GET", path)

    def members(self, path):
        """All members of a collection, whole; none of one that does not exist."""
        found, path = [], path + "?$expand=.($levels=1)&$top=100"
        while path:
            try:
                page = self.get(path)
            except urllib.error.HTTPError as e:
                if e.code == 404:
                    return found
                raise
            found += page["Members"]
            path = page.get("Members@odata.nextLink")
        return found


class Page:
    """The page in a browser."""

    def __init__(self, driver, daemon):
        self.driver = driver
        self.daemon = daemon

    def wait(self, what, condition):
        """Wait until condition() is true; its elements may be replaced meanwhile."""
        end = time.monotonic() + WAIT_SECONDS
        while True:
            try:
                value = condition()
                if value:
                    return value
            except (StaleElementReferenceException, WebDriverException):
                value = None
            if time.monotonic() > end:
                raise AssertionError(f"after {WAIT_SECONDS} s: not {what}; banner: {self.text('banner')}, "
                                     f"console: {self.driver.get_log('browser')}")
            time.sleep(0.05)

    def id(self, name):
        return self.driver.find_element(By.ID, name)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def js(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def text(self, name):
        return self.js("const n = document.getElementById(arguments[0]); return n ? n.textContent : ''", name)

    def open(self, fragment):
        self.js("location.hash = arguments[0]", fragment)

    def shown(self, name):
        return self.js("return document.getElementById(arguments[0]).checkVisibility()", name)

    def log_in(self, user="admin", password=PASSWORD):
        self.wait("login form", lambda: self.shown("login"))
        self.js("document.getElementById('user').value = ''; document.getElementById('password').value = ''")
        self.id("user").send_keys(user)
        self.id("password").send_keys(password + "\n")

    def drawings(self):
        return int(self.js("return document.body.dataset.drawn || 0"))

    def wait_drawn(self, before=0):
        self.wait("drawn", lambda: self.drawings() > before and self.shown("app"))

    def console(self, *expected):
        """Messages of the console since the last call, without those that have one of these words."""
        return [m["message"] for m in self.driver.get_log("browser")
                if not any(e in m["message"] for e in expected)]
