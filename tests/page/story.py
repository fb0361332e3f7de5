# SPDX-License-Identifier: LGPL-2.1-or-later
"""Incidents as the page shows them: story.py DAEMON HOST SCRATCH"""
import json
import os
import re
import subprocess
import sys
import time
import urllib.error

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from browser import WAIT_SECONDS, Daemon, Page, browser

SYSTEM = "/redfish/v1/Systems/Host"
ENTRIES = SYSTEM + "/LogServices/Incidents/Entries"
LOG = SYSTEM + "/LogServices/CXL/Entries"
ACCOUNTS = "/redfish/v1/AccountService/Accounts"
PHONE = {"width": 375, "height": 667, "deviceScaleFactor": 1, "mobile": True}
RANKS = {"Critical": 2, "Warning": 1, "OK": 0}


def own(e):
    return e["Oem"]["CXLHost"]


def incident(e):
    return own(e)["Incident"]


def open_incidents(d):
    return [e for e in d.members(ENTRIES) if not e["Resolved"]]


def cards(p):
    """The number, the state and all of the text of each incident, also the text that is folded."""
    return p.js("return [...document.querySelectorAll('#incidents [data-incident]')].map((n) => [n.dataset.incident, n.dataset.state, n.textContent])")


def card(p, number):
    return next((c for c in cards(p) if c[0] == number), None)


def element(p, number, key):
    """An element of an incident, by its data-key; it is opened first."""
    p.js("const n = document.querySelector(`[data-incident='${arguments[0]}'] > details`); if (n) n.open = true", number)
    return p.all(f"[data-key='{number} {key}']")[0]


def type_keys(p, keys):
    """The element with the focus may be drawn anew at any time, so none is named."""
    ActionChains(p.driver).send_keys(keys).perform()


def press(p, key):
    """A button, found and pressed at once: a reading of the host between both would replace it."""
    p.wait("the button " + key, lambda: p.js(
        "const n = document.querySelector(`[data-key='${arguments[0]}']`); if (n) n.click(); return n !== null", key))


def ticket(p, number):
    return p.js("return document.querySelector(`[data-incident='${arguments[0]}'] pre`).textContent", number)


def wait_same(p, d):
    """Until the page shows the incidents that are open, each in its state."""
    p.wait("the open incidents", lambda: sorted((n, s) for n, s, _ in cards(p)) ==
           sorted((e["Id"], incident(e)["State"]) for e in open_incidents(d)))


def log_in(p, user="admin", password="secret"):
    before = p.drawings()
    p.log_in(user, password)
    p.wait_drawn(before)


# ---- what is shown --------------------------------------------------------------------------------


def triage(d, host, operand):
    """Return: the answer of cxl-spa triage."""
    program = os.path.join(os.path.dirname(d.arguments[0]), "cxl-spa")
    return subprocess.run([program, "--host", host, "triage", operand], stdout=subprocess.PIPE, text=True, check=False).stdout


def check_shown(p, d, host):
    """Each open incident with its place, act and rates; in the order of cxl-spa triage; its pages lead to the map."""
    wait_same(p, d)
    said = triage(d, host, "--json")
    wanted = sorted(open_incidents(d), key=lambda e: [i["id"] for i in json.loads(said)["incidents"]].index(int(e["Id"])))
    assert [c[0] for c in cards(p)] == [e["Id"] for e in wanted], (cards(p), said)
    devices = {m["@odata.id"]: m for m in d.members(SYSTEM + "/Memory")}
    for e in wanted:
        i, text = incident(e), card(p, e["Id"])[2]
        m = devices[e["Links"]["OriginOfCondition"]["@odata.id"]]
        parts = [e["Severity"], e["MessageArgs"][1], m["Name"], "slot " + i["Slot"], i["SerialNumber"], i["Place"], i["ActText"] + ".", i["ActReason"],
                 f"{i['Rate']['Hour']} in the last hour, {i['Rate']['Day']} in 24 hours, {i['Rate']['Week']} in 7 days"]
        parts += [i["First"][:10], i["First"][11:19]] if i["First"] else []
        for part in parts:
            assert part in text, (part, text)
        if e is not wanted[0]:
            line = p.js("return document.querySelector(`[data-incident='${arguments[0]}'] > details > summary`).textContent", e["Id"])
            for part in (m["Name"], "to do: " + i["ActText"].split(" (")[0], "since " + i["First"][:10] if i["First"] else ""):
                assert part in line, (part, line)
        links = p.js("return [...document.querySelectorAll(`[data-incident='${arguments[0]}'] a[href^='#map/at/']`)].map((a) => a.textContent)", e["Id"])
        assert links == i["PagesNow"][:4], (links, i["PagesNow"])
    assert any(incident(e)["PagesNow"] for e in wanted), wanted
    heading = p.text("h-story")
    assert heading == f"{len(wanted)} open incidents", heading
    assert f"{len(wanted)} open incidents" in p.text("summary"), p.text("summary")
    # It is what a reader sees first.
    assert p.js("return document.getElementById('h-story').getBoundingClientRect().top < document.getElementById('where').getBoundingClientRect().top")


def check_ticket(p, d, host):
    """The text for a ticket has the lines of cxl-spa triage about the same incident."""
    for e in open_incidents(d):
        said = triage(d, host, e["Id"]).splitlines()
        shown = ticket(p, e["Id"]).splitlines()
        assert [line[:7] for line in said] == [line[:7] for line in shown], (said, shown)
        for ours, theirs in zip(shown, said):
            assert ours == theirs.split("; all before this boot")[0].split("; the rates end with the log")[0], (ours, theirs)


def check_copy(p, d):
    p.driver.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"], "origin": d.url})
    number = cards(p)[1][0]
    element(p, number, "copy").click()
    p.wait("copied", lambda: p.text("incidents-said") == f"The text about incident {number} is copied.")
    read = "const done = arguments[0]; navigator.clipboard.readText().then(done, (e) => done(String(e)))"
    assert p.driver.execute_async_script(read) == ticket(p, number)
    # Without encryption and a name of this machine a browser has no clipboard.
    p.js("Object.defineProperty(navigator, 'clipboard', {configurable: true, value: undefined})")
    number = cards(p)[0][0]
    element(p, number, "copy").click()
    p.wait("copied", lambda: p.text("incidents-said") == f"The text about incident {number} is copied.")
    p.js("delete navigator.clipboard")
    assert p.driver.execute_async_script(read) == ticket(p, number)


def check_phone(p):
    """The first incident, and its address, without scrolling."""
    p.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    p.driver.refresh()
    p.wait_drawn()
    p.wait("the first address", lambda: p.all("#incidents [data-incident] a[href^='#map/at/']"))
    place = p.js("""const r = document.querySelector("#incidents li:first-child a[href^='#map/at/']").getBoundingClientRect();
        return [r.top, r.bottom, r.right, document.documentElement.scrollWidth, scrollY]""")
    assert 0 < place[0] < place[1] <= PHONE["height"] and place[2] <= PHONE["width"] and place[3] <= PHONE["width"] and place[4] == 0, place
    p.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


# ---- what is done ---------------------------------------------------------------------------------


def check_acknowledge(p, d):
    """By keyboard alone: a note, Enter, and Undo, which has the focus."""
    wait_same(p, d)
    number = cards(p)[0][0]
    note = "<img src=x onerror=alert(1)> ticket 4711"
    p.js("document.querySelector(`[data-key='${arguments[0]} note']`).focus()", number)
    type_keys(p, note)
    # A typed text is there after a reading of the host, and so is the focus.
    before = p.drawings()
    p.js("document.dispatchEvent(new Event('visibilitychange'))")
    p.wait_drawn(before)
    assert p.js("return [document.activeElement.dataset.key, document.activeElement.value]") == [number + " note", note]
    type_keys(p, Keys.ENTER)
    p.wait("acknowledged", lambda: p.text("incidents-said").startswith(f"Incident {number} is acknowledged."))
    e = d.get(f"{ENTRIES}/{number}")
    assert (incident(e)["State"], own(e)["Acknowledged"], own(e)["Note"], own(e)["ChangedBy"], e["Resolved"]) == \
        ("acknowledged", True, note, "admin", False), e
    wait_same(p, d)
    text = card(p, number)[2]
    assert "acknowledged by admin" in text and note + " (admin)" in text and not p.all(f"[data-key='{number} acknowledge']"), text
    assert f"Note:  {note}" in ticket(p, number)
    assert p.js("return document.activeElement.dataset.key") == "undo"
    type_keys(p, Keys.ENTER)
    p.wait("open again", lambda: p.text("incidents-said") == f"Incident {number} is open again.")
    assert incident(d.get(f"{ENTRIES}/{number}"))["State"] == "open"
    wait_same(p, d)


def resolved_entries(d, e):
    return [d.get(x["@odata.id"])["Resolved"] for x in e["Links"]["RelatedLogEntries"]]


def check_resolve(p, d):
    """Its entries are resolved with it; Undo opens both again."""
    number = next(e["Id"] for e in open_incidents(d) if len(e["Links"]["RelatedLogEntries"]) > 1)
    e = d.get(f"{ENTRIES}/{number}")
    assert not any(resolved_entries(d, e))
    press(p, number + " resolve")
    p.wait("resolved", lambda: p.text("incidents-said").startswith(f"Incident {number} is resolved"))
    p.wait("its end", lambda: card(p, number) is None)
    assert d.get(f"{ENTRIES}/{number}")["Resolved"] and all(resolved_entries(d, e))
    wait_same(p, d)
    press(p, "undo")
    p.wait("open again", lambda: p.text("incidents-said") == f"Incident {number} is open again.")
    assert not d.get(f"{ENTRIES}/{number}")["Resolved"] and not any(resolved_entries(d, e))
    wait_same(p, d)


def check_refused(p, d):
    """The service refuses a note of too many bytes: the page says why, keeps the note, and nothing is changed."""
    number = cards(p)[0][0]
    field = element(p, number, "note")
    p.js("arguments[0].value = 'ä'.repeat(200); arguments[0].dispatchEvent(new Event('input'))", field)
    press(p, number + " acknowledge")
    said = p.wait("the reason", lambda: p.js("const n = document.querySelector(`[data-incident='${arguments[0]}'] [role=alert]`); return n && n.textContent", number))
    assert "length limit" in said, said
    assert element(p, number, "note").get_attribute("value") == "ä" * 200
    assert incident(d.get(f"{ENTRIES}/{number}"))["State"] == "open"
    p.js("const n = document.querySelector(`[data-key='${arguments[0]} note']`); n.value = ''; n.dispatchEvent(new Event('input'))", number)
    p.console("400 (Bad Request)")


def check_live(p, d):
    """A change that another client makes is shown by itself."""
    p.wait("the stream", lambda: p.text("live") == "live")
    e = open_incidents(d)[-1]
    d.ask("PATCH", e["@odata.id"], {"Oem": {"CXLHost": {"Acknowledged": True, "Note": "by another"}}})
    p.wait("the state", lambda: card(p, e["Id"])[1] == "acknowledged" and "by another" in card(p, e["Id"])[2])
    d.ask("PATCH", e["@odata.id"], {"Oem": {"CXLHost": {"Acknowledged": False, "Note": None}}})
    wait_same(p, d)


def check_strip(p, d):
    """The tile of a device has its entries by hour; here the last hour is that of the capture's entries."""
    entries = [e for e in d.members(LOG) if "Created" in e]
    last = max(e["Created"] for e in entries)
    p.js("""window.realFetch = window.fetch;
        window.fetch = async (uri, o) => {
            const r = await window.realFetch(uri, o), headers = new Headers(r.headers);
            headers.set("Date", new Date(Date.parse(arguments_last) + 2000).toUTCString());
            return new Response(r.status === 204 ? null : r.body, {status: r.status, headers});
        };""".replace("arguments_last", repr(last)))
    for m in d.members(SYSTEM + "/Memory"):
        mine = [e for e in entries if e["Links"].get("OriginOfCondition", {}).get("@odata.id") == m["@odata.id"]]
        worst = max((e["Severity"] for e in mine), key=RANKS.get, default="none").lower()
        said = f"{len(mine) or 'no'} {'entry' if len(mine) == 1 else 'entries'} in the log in the last 24 hours"
        p.js("document.dispatchEvent(new Event('visibilitychange'))")
        p.wait("the strip", lambda: p.js("""const n = document.querySelector(`#drawing [data-uri='${arguments[0]}']`);
            return n.getAttribute('aria-label').includes(arguments[1]) && [...n.querySelectorAll('.hour')].map((h) => h.classList[1]).join() === arguments[2]""",
                                         m["@odata.id"], said, worst if mine else ""))
        size = f"{m['CapacityMiB']} MiB" if m["CapacityMiB"] % 1024 else f"{m['CapacityMiB'] // 1024} GiB"
        assert size in p.js("return document.querySelector(`#drawing [data-uri='${arguments[0]}']`).textContent", m["@odata.id"])
    assert any(m["Links"].get("OriginOfCondition") for m in entries), entries
    p.js("window.fetch = window.realFetch")


HISTORY = """const real = window.fetch;
    const value = (id, n, hours) => ({MetricId: id, MetricValue: String(n), Timestamp: new Date(Date.now() - hours * 3600000).toISOString()});
    window.fetch = (uri, o) => !String(uri).includes('/MetricReports/') ? real(uri, o) : Promise.resolve(new Response(JSON.stringify({MetricValues: [
        value('CorrectedVolatileErrorCount', 5, 10.5), value('CorrectedVolatileErrorCount', 9, 9.5),
        value('CorrectedVolatileErrorCount', 2, 8.5), value('TemperatureCelsius', 30, 3.5)]})));"""


def check_counted(p, d):
    """The strip of a tile has what the device counted by the history: a counter that begins anew is no error, a gap is one."""
    script = p.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": HISTORY})
    p.driver.refresh()
    p.wait_drawn()
    for m in d.members(SYSTEM + "/Memory"):
        tile = f"#drawing [data-uri='{m['@odata.id']}']"
        p.wait("the counted errors", lambda: "4 corrected errors counted in 4 hours with readings" in
               p.js("return document.querySelector(arguments[0]).getAttribute('aria-label')", tile))
        shapes = p.js("return ['.counted', '.axis'].map((s) => document.querySelectorAll(arguments[0] + ' ' + s).length)", tile)
        assert shapes == [1, 4], (m["Name"], shapes)
    p.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": script["identifier"]})
    p.driver.refresh()
    p.wait_drawn()


def check_this_boot(p):
    """The user may say whose reports they are, which holds for that text only."""
    def ask(text):
        p.js("document.getElementById('where').value = arguments[0]; document.getElementById('locate').requestSubmit()", text)

    assert not p.shown("this-boot-label")
    ask("EDAC MC0: 1 UE x (page:0x210002 offset:0x0 grain:1 syndrome:0x0)")
    p.wait("the doubt", lambda: "is not known" in p.text("found") and p.shown("this-boot-label"))
    p.id("this-boot").click()
    p.wait("no doubt", lambda: "0x210002000" in p.text("found") and "is not known" not in p.text("found"))
    assert p.shown("this-boot-label")
    ask("EDAC MC0: 1 UE x (page:0x210003 offset:0x0 grain:1 syndrome:0x0)")
    p.wait("the doubt about another text", lambda: "0x210003000" in p.text("found") and "is not known" in p.text("found"))
    assert not p.js("return document.getElementById('this-boot').checked")
    ask("0x210002000")
    p.wait("an address", lambda: "SPA 0x210002000" in p.text("found") and not p.shown("this-boot-label"))


def check_nothing(p, d):
    """Without an open incident there is one sentence."""
    for e in open_incidents(d):
        d.ask("PATCH", e["@odata.id"], {"Resolved": True})
    p.wait("nothing", lambda: p.text("incidents") == "No incident is open." and p.text("h-story") == "Incidents")


def check_not_known(p):
    """When the service does not answer about incidents, the page does not say that there are none."""
    p.js("""window.realFetch = window.fetch;
        window.fetch = (uri, o) => String(uri).includes('/Incidents/') ?
            Promise.resolve(new Response(JSON.stringify({error: {'@Message.ExtendedInfo': [{Message: 'It is made up.'}]}}), {status: 500})) : window.realFetch(uri, o);
        document.dispatchEvent(new Event('visibilitychange'))""")
    p.wait("the reason", lambda: p.text("incidents") == "Incidents are not known: It is made up.")
    p.js("window.fetch = window.realFetch; document.dispatchEvent(new Event('visibilitychange'))")
    p.wait("no reason", lambda: cards(p))


def check_read_only(p, d):
    """An account that may not change the log has no buttons for it, and the service refuses it."""
    d.ask("POST", ACCOUNTS, {"UserName": "reader", "Password": "Secret-123", "RoleId": "ReadOnly"})
    p.id("logout").click()
    p.wait("login", lambda: p.shown("login"))
    assert p.text("incidents") == "" and p.text("incidents-said") == ""
    log_in(p, "reader", "Secret-123")
    wait_same(p, d)
    kinds = p.js("return [...new Set([...document.querySelectorAll('#incidents button, #incidents input')].map((n) => n.dataset.key.split(' ')[1]))]")
    assert kinds == ["copy"], kinds
    try:
        d.ask("PATCH", open_incidents(d)[0]["@odata.id"], {"Resolved": True}, "reader", "Secret-123")
        raise AssertionError("the service did not refuse it")
    except urllib.error.HTTPError as e:
        assert e.code == 403, e.code
    p.id("logout").click()
    p.wait("login", lambda: p.shown("login"))
    log_in(p)


def shots(p):
    """Pictures of docs/page.md, into the directory that CXL_PAGE_SHOTS names."""
    directory = os.environ.get("CXL_PAGE_SHOTS")
    if not directory:
        return
    p.driver.save_screenshot(os.path.join(directory, "page-incidents.png"))
    p.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {**PHONE, "deviceScaleFactor": 2})
    time.sleep(1)
    p.driver.save_screenshot(os.path.join(directory, "page-phone.png"))
    p.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def check(p, host):
    d = p.daemon
    p.driver.get(d.url + "/")
    log_in(p)
    with open(d.state + ".err", encoding="utf-8") as f:
        said = re.search(r"read (\d+) event records? of the captured host", f.read())
    p.wait("all events of the capture", lambda: d.get(LOG + "?$top=1")["Members@odata.count"] == int(said[1]))
    # Counts are written once a second.
    counts = {str(i["id"]): i["count"] for i in json.loads(triage(d, host, "--json"))["incidents"]}
    p.wait("all counts", lambda: {e["Id"]: e["Oem"]["CXLHost"]["Incident"]["Count"] for e in open_incidents(d)} == counts)
    p.driver.refresh()
    p.wait_drawn()
    wait_same(p, d)
    shots(p)
    check_shown(p, d, host)
    check_ticket(p, d, host)
    check_copy(p, d)
    check_phone(p)
    check_acknowledge(p, d)
    check_resolve(p, d)
    check_live(p, d)
    check_strip(p, d)
    check_counted(p, d)
    check_this_boot(p)
    check_not_known(p)
    p.console("500")
    check_refused(p, d)
    check_read_only(p, d)
    check_nothing(p, d)
    # A request that is under way at a logout is answered after it.
    said = p.console("401 (Unauthorized)")
    assert said == [], said


def main():
    program, host, scratch = sys.argv[1:]
    try:
        driver = browser(scratch)
    except WebDriverException as e:
        print("SKIP: chromium does not start:", e.msg)
        return 77
    try:
        driver.set_script_timeout(WAIT_SECONDS)
        daemon = Daemon(program, host, os.path.join(scratch, "state"), os.path.join(scratch, "password"))
        try:
            check(Page(driver, daemon), host)
            driver.get("about:blank")
        finally:
            daemon.stop()
    finally:
        driver.quit()
    return 0


if __name__ == "__main__":
    sys.exit(main())
