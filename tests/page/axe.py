# SPDX-License-Identifier: LGPL-2.1-or-later
"""axe-core finds nothing serious or moderate on any section of the page: axe.py DAEMON HOSTS SCRATCH AXE"""
import os
import sys

from selenium.common.exceptions import WebDriverException

from browser import WAIT_SECONDS, Daemon, Page, browser

SYSTEM = "/redfish/v1/Systems/Host"
PHONE = {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True}


def run_axe(p, where):
    """Return: a line for each element that breaks a rule."""
    found = p.driver.execute_async_script("""const done = arguments[0];
        axe.run(document, {resultTypes: ['violations']}).then((r) => done(r.violations.map((v) =>
            [v.id, v.impact, v.nodes.map((n) => n.target.join(' ') + ' ' + n.html.slice(0, 200))])), (e) => done([['error', 'serious', [String(e)]]]));""")
    return [f"{where}: {rule} ({impact}): {node}" for rule, impact, nodes in found if impact != "minor" for node in nodes]


def sections(p):
    """The sections of the page, each in every state that has elements of its own."""
    d = p.daemon
    device = d.members(SYSTEM + "/Memory")[0]
    region = next(r for w in d.members(SYSTEM + "/MemoryDomains") for r in d.members(w["@odata.id"] + "/MemoryChunks"))
    base = int(region["Oem"]["CXLHost"]["BaseAddress"], 16)
    return (("topology", "#drawing [data-item]"), ("map/" + region["Id"], ".cells .cell"),
            (f"map/{base:#x}-{base + 0x8000:#x}", ".cells[data-leaf]"), ("map/0x1-0x2", "#map-head .notice"), ("devices", "#device-table tr"),
            ("devices/" + device["Id"], "#device-detail h3"), ("findings", "#finding-list"), ("log", "#log-table table"))


def check_sections(p, how):
    found = []
    for section, ready in sections(p):
        p.open(section)
        p.wait(section, lambda r=ready: [n for n in p.all(r) if n.is_displayed()])
        p.js("for (const d of document.querySelectorAll('details')) d.open = true")
        # Sizes are known after a frame.
        p.driver.execute_async_script("const done = arguments[0]; requestAnimationFrame(() => setTimeout(done, 50))")
        found += run_axe(p, f"{section} {how}")
    return found


def check_host(p, axe):
    p.driver.get(p.daemon.url + "/")
    p.js(axe)
    p.wait("login form", lambda: p.shown("login"))
    found = run_axe(p, "login")
    p.log_in(password="wrong")
    p.wait("a failed login said so", lambda: p.text("login-why"))
    found += run_axe(p, "failed login")
    p.log_in()
    p.wait_drawn()
    found += check_sections(p, "light")
    p.js("document.getElementById('where').value = 'mem1 0x1000'; document.getElementById('locate').requestSubmit()")
    p.wait("an answer", lambda: p.text("found"))
    p.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
    found += check_sections(p, "dark")
    p.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    found += check_sections(p, "phone")
    p.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    p.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    return found


def main():
    program, hosts, scratch, axe = sys.argv[1:]
    with open(axe, encoding="utf-8") as f:
        axe = f.read()
    try:
        driver = browser(scratch)
    except WebDriverException as e:
        print("SKIP: chromium does not start:", e.msg)
        return 77
    found = []
    try:
        driver.set_script_timeout(WAIT_SECONDS)
        for name in ("normalized-7.3", "switch-model-7.3", "mock-7.3"):
            daemon = Daemon(program, os.path.join(hosts, name + ".tar.zst"), os.path.join(scratch, "state-" + name),
                            os.path.join(scratch, "password"))
            try:
                found += [name + ": " + line for line in check_host(Page(driver, daemon), axe)]
                driver.execute_script("sessionStorage.clear()")
                driver.get("about:blank")
            finally:
                daemon.stop()
    finally:
        driver.quit()
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
