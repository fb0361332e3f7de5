# SPDX-License-Identifier: LGPL-2.1-or-later
"""The page shows the data of the service: page.py DAEMON HOSTS SCRATCH HOST..."""
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.common.action_chains import ActionChains

from browser import PASSWORD, WAIT_SECONDS, Daemon, Page, browser

SYSTEM = "/redfish/v1/Systems/Host"  # those of the host that is shown, see check_named()
MANAGER = "/redfish/v1/Managers/Service"
SESSIONS = "/redfish/v1/SessionService/Sessions"
ACCOUNTS = "/redfish/v1/AccountService/Accounts"
ANSWER_BYTES_MAX = 1024 * 1024
FIRST_PAINT_MS = 1000
ACTIONS = "/Actions/Oem/CXLHostComputerSystem."
FAILED_LOGIN = "401 (Unauthorized)"  # what Chromium itself writes into the console for a status
CONTROLS = {"button", "link", "textbox", "searchbox", "combobox", "checkbox", "Date", "DateTime", "InputTime"}


def health(x):
    status = x.get("Status", {})
    return status.get("HealthRollup") or status.get("Health")


def drawn_health(x, regions):
    """A window is as healthy as the regions in it, not as the devices that could be mapped in it."""
    if "/MemoryDomains/" not in x["@odata.id"] or "/MemoryChunks/" in x["@odata.id"]:
        return health(x)
    parts = [health(r) for r in regions if r["@odata.id"].startswith(x["@odata.id"] + "/")]
    for severity in ("Critical", "Warning"):
        if severity in parts:
            return severity
    return None if None in parts else "OK"


def expect_same(what, drawn, said):
    assert drawn == said, f"{what}: drawn only {sorted(drawn - said, key=str)}, said only {sorted(said - drawn, key=str)}"


def eventually(check):
    """The events of a captured host are read while the page is: both may lag, and then agree."""
    end = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            check()
            return
        except AssertionError:
            if time.monotonic() > end:
                raise
        time.sleep(0.3)


def expect_quiet(p, *expected):
    said = p.console(*expected)
    assert said == [], said


def read_redfish(d):
    windows = d.members(SYSTEM + "/MemoryDomains")
    regions = [r for w in windows for r in d.members(w["@odata.id"] + "/MemoryChunks")]
    fabrics = d.members("/redfish/v1/Fabrics")
    switches = [s for f in fabrics if "Switches" in f for s in d.members(f["Switches"]["@odata.id"])]
    return {"window": windows, "region": regions, "switch": switches, "device": d.members(SYSTEM + "/Memory")}


def check_drawing(p, said):
    drawn = p.js("""return [...document.querySelectorAll('#drawing [data-item]')].map((n) =>
        [n.dataset.kind, n.dataset.uri, n.dataset.name, n.dataset.health || null])""")
    for kind, members in said.items():
        items = [tuple(x[1:]) for x in drawn if x[0] == kind]
        assert len(items) == len(set(items)), (kind, items)
        expect_same(kind, set(items), {(m["@odata.id"], m["Name"], drawn_health(m, said["region"])) for m in members})
    # A window and its regions are marked alike: the frame has the colour of the health that is written.
    for kind, shape, state, stroke in p.js("""return [...document.querySelectorAll('#drawing .window, #drawing .region')].map((n) => {
            const shape = n.querySelector('.free, .fill');
            return [n.dataset.kind, shape.getAttribute('class'), n.dataset.health || null, getComputedStyle(shape).stroke];
        })"""):
        colour = p.js("const n = document.createElement('b'); n.className = 'health ' + arguments[0]; document.body.append(n);"
                      "const c = getComputedStyle(n).color; n.remove(); return c", str(state).lower())
        assert (stroke == colour) == (state in ("Critical", "Warning")), (kind, shape, state, stroke, colour)
    for _, _, name, _ in (x for x in drawn if x[0] == "port"):
        assert name
    # The table has the same resources as the drawing.
    table = set(p.js("return [...document.querySelectorAll('#topology-table tr[data-uri]')].map((n) => n.dataset.uri)"))
    expect_same("table of the topology", table, {x[1] for x in drawn})


def check_devices(p, said):
    p.open("devices")
    rows = p.js("return [...document.querySelectorAll('#device-table tbody tr')].map((r) => [r.dataset.uri, r.cells[0].textContent, r.cells[1].textContent])")
    expect_same("devices", {tuple(r[:2]) for r in rows}, {(m["@odata.id"], m["Name"]) for m in said["device"]})
    states = {m["@odata.id"]: health(m) or "not known" for m in said["device"]}
    for uri, name, text in rows:
        assert text.endswith(states[uri]), (name, text, states[uri])
    if said["device"]:
        first = said["device"][0]
        p.open("devices/" + first["Id"])
        p.wait("details of a device", lambda: first["Name"] in p.text("device-detail"))


def check_history(p, said):
    """A chart for each metric of a device: broken where a sample is missing, and a dot where one is alone."""
    if not said["device"]:
        return
    minutes = [0, 10, 20, 60, 90, 100]
    values = [{"MetricId": name, "MetricValue": str(20 + m), "Timestamp": f"2026-11-26T{10 + m // 60}:{m % 60:02}:00Z"}
              for m in minutes for name in ("TemperatureCelsius", "LinkWidth")]
    report = {"MetricValues": values, "Oem": {"CXLHost": {"IntervalSeconds": 600}}}
    p.js("""const [report] = arguments;
        window.fetchOfPage = window.fetch;
        window.fetch = (uri, o) => String(uri).includes('/MetricReports/') ?
            Promise.resolve(new Response(JSON.stringify(report))) : window.fetchOfPage(uri, o);""", report)
    p.open("devices")
    p.open("devices/" + said["device"][-1]["Id"])
    charts = "return [...document.querySelectorAll('#device-detail figure')].map((n) => [n.textContent, n.querySelectorAll('polyline').length, n.querySelectorAll('circle').length])"
    p.wait("the charts of a history", lambda: [(c[1], c[2]) for c in p.js(charts)] == [(2, 1), (2, 1)])
    texts = [c[0] for c in p.js(charts)]
    assert texts[0] == "Temperature: 120 °C, since 2026-11-26 10:00:00 UTC between 20 and 120 °C, with gaps", texts
    assert texts[1].startswith("Lanes of the link: 120, since"), texts
    assert "a sample every 10 minutes" in p.text("device-detail")
    p.js("window.fetch = window.fetchOfPage")
    # The readings of the start are in the history of the service itself, if there are any.
    first = said["device"][0]
    if not first["Status"].get("Health"):
        return
    p.open("devices")
    p.open("devices/" + first["Id"])
    p.wait("the history of the service", lambda: "by the history of the service" in p.text("device-detail"))


def is_incident(f, incidents):
    """An incident that is shown has the text of the finding."""
    text = f["Message"].removesuffix(".").lower()
    for e in incidents:
        found = e["Oem"]["CXLHost"]["Incident"]["Finding"]
        if found and text in found["Text"].lower() and (found["ObjectName"] == f["ObjectName"] or
                                                         e["Links"].get("OriginOfCondition") == f["OriginOfCondition"]):
            return True
    return False


def check_findings(p, said, d):
    all_of = list(said["device"]) + said["region"] + said["window"] + said["switch"]
    all_of += [d.get(SYSTEM), d.get(MANAGER)]
    conditions = [(x["@odata.id"], c) for x in all_of for c in x.get("Status", {}).get("Conditions", [])
                  if not c["MessageId"].endswith(".ConditionInRelatedResource")]
    # Incidents stand above all sections, with more about each.
    said_above = (".OpenIncident", ".MoreIncidents")
    left_out = [(uri, c) for uri, c in conditions if c["MessageId"].endswith(said_above) or
                "/LogServices/Incidents/" in c.get("LogEntry", {}).get("@odata.id", "")]
    conditions = [x for x in conditions if x not in left_out]
    p.open("findings")
    p.wait("the findings", lambda: p.shown("findings"))
    drawn = p.js("""return [...document.querySelectorAll('#finding-list li')].map((n) =>
        [n.dataset.uri, n.dataset.code, n.querySelector('p').textContent])""")
    cards = p.js("return [...document.querySelectorAll('#incidents [data-incident]')].map((n) => n.dataset.incident)")
    incidents = [e for e in d.members(SYSTEM + "/LogServices/Incidents/Entries") if e["Id"] in cards]
    own = d.get(SYSTEM)["Oem"]["CXLHost"]
    assert own["FindingsNotListed"] == 0, own
    check_explain(d, own["Findings"])
    begun = [f for f in own["Findings"] if is_incident(f, incidents)]
    listed = [f for f in own["Findings"] if f not in begun and not f.get("MessageId", "").endswith(said_above)]
    for f in begun:
        uri = f["OriginOfCondition"]["@odata.id"]
        assert not [x for x in drawn if x[0] == uri and f["Message"] in x[2]], f
    for f in listed:
        uri = f["OriginOfCondition"]["@odata.id"]
        assert "error" not in d.get(uri)
        text = f"{f['ObjectName']}: {f['Message']}" + ("" if "MessageId" in f else ".")
        same = [x for x in drawn if x[0] == uri and (x[1] == f["Code"] and text in x[2] or x[1] == f.get("MessageId"))]
        alike = [x for x in own["Findings"] if x.get("MessageId") and x["MessageId"] == f.get("MessageId")
                 and x["OriginOfCondition"] == f["OriginOfCondition"]]
        assert len(same) == max(1, len(alike)), (f, same)
    text = p.text("finding-list")
    for uri, c in left_out:
        assert not [x for x in drawn if x[0] == uri and c["Message"] in x[2]], (uri, c)
    for f in listed:
        for line in f.get("Resolution", "").split("\n"):
            assert line in text, (line, text)
    # A finding that is also a Condition is drawn once, with the finding's next step if it has one.
    better = {}
    for f in own["Findings"]:
        if f.get("Resolution"):
            better.setdefault((f["OriginOfCondition"]["@odata.id"], f.get("MessageId")), f["Resolution"])
    for uri, c in conditions:
        step = better.get((uri, c["MessageId"]), c.get("Resolution", ""))
        assert c["Message"] in text, (c, text)
        for line in step.split("\n"):
            assert line in text, (c, line, text)


# Facts about who has the addresses of windows, which Redfish and the page show without a next step, too.
OWNER_FACTS = {"WINDOW_ROOM", "WINDOW_NO_ROOM", "WINDOW_GAP", "WINDOW_GAP_UNKNOWN", "WINDOW_DECODED", "REGION_SOFT_RESERVED"}


def check_explain(d, findings):
    """Redfish has what cxl-spa says of the same host, but for what needs a translation, and other facts without a next step."""
    answer = subprocess.run([os.path.join(os.path.dirname(d.arguments[0]), "cxl-spa"), "--host", d.arguments[2],
                             "explain", "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    said = {(f["code"], f["object"], f["text"][0].upper() + f["text"][1:], f["next"]) for f in json.loads(answer.stdout)["findings"]
            if (f["severity"] == "problem" or f["next"] or f["code"] in OWNER_FACTS) and not f["code"].startswith(("SOURCE", "FIRMWARE"))}
    # A message of the registry is a sentence.
    expect_same("findings", {(f["Code"], f["ObjectName"], f["Message"][0].upper() + f["Message"][1:].removesuffix("." if "MessageId" in f else ""),
                              f.get("Resolution")) for f in findings}, said)


def check_offline(p, regions):
    """Cells of memory blocks that are offline are marked, and no others."""
    ranges = [(int(x["First"], 16), int(x["Last"], 16)) for r in regions
              for dax in r["Oem"]["CXLHost"].get("DAXDevices", []) for x in dax.get("OfflineRanges", [])]
    cells = p.js("return [...document.querySelectorAll('.cells .cell')].map((c) => [c.dataset.lo, c.dataset.offline || null])")
    size = int(p.js("return document.querySelector('.cells').dataset.cell"))
    for lo, offline in cells:
        first = int(lo, 16)
        covered = any(a < first + size and b >= first for a, b in ranges)
        assert bool(offline) == covered, (lo, offline, ranges)
    assert "no single pages" in p.text("map-notes")


def check_stripes(p, d, region):
    """At each zoom a cell has the positions of the interleave set that the service answers for its chunks."""
    own = region["Oem"]["CXLHost"]
    base, end = int(own["BaseAddress"], 16), int(own["BaseAddress"], 16) + int(own["SizeBytes"], 16)
    period = own["InterleaveWays"] * own["InterleaveGranularityBytes"]
    whole = 2 ** max(8, ((end - base) // 128 - 1).bit_length())
    for cell in whole, 8192, 1024, 512:
        last = min(end, base + 128 * cell)
        p.open(f"map/{base:#x}-{last:#x}")
        p.wait("the map", lambda c=cell: p.all(f".cells[data-cell='{c}']"))
        for lo, stripes in p.js("return [...document.querySelectorAll('.cells .cell')].slice(0, 9).map((c) => [c.dataset.lo, c.dataset.stripes])"):
            first = int(lo, 16)
            said = {a.get("InterleavePosition") for a in translate_spa(d, range(first, first + min(cell, 2 * period, 2**18), 256))}
            assert {int(s) if s else None for s in stripes.split(" ")} == said, (lo, cell, stripes, said)
        assert len(p.all(".cells .cell:first-child .stripes > *")) == len(stripes.split(" "))


def check_map(p, said, d):
    """Each chunk has the device that the service's translation names."""
    regions = [r for r in said["region"] if "BaseAddress" in r["Oem"]["CXLHost"]]
    for r in regions[:2]:
        base = int(r["Oem"]["CXLHost"]["BaseAddress"], 16)
        p.open("map/" + r["Id"])
        p.wait("map of a region", lambda: p.all(f".cells [data-lo='{base:#x}']") and
               p.js("return document.querySelector('.crumbs b').textContent").startswith(f"{base:#x}"))
        check_offline(p, regions)
        check_stripes(p, d, r)
        p.open(f"map/{base:#x}-{base + 0x8000:#x}")
        p.wait("map of chunks", lambda: p.all(f".cells[data-leaf] [data-lo='{base + 0x7f00:#x}']"))
        cells = p.js("return [...document.querySelectorAll('.cells .cell')].map((c) => [c.dataset.lo, c.dataset.device || null])")
        answers = d.ask("POST", SYSTEM + "/Actions/Oem/CXLHostComputerSystem.TranslateSPA",
                        {"SystemPhysicalAddresses": [c[0] for c in cells]})["Translations"]
        for (lo, device), a in zip(cells, answers):
            assert device == a.get("Memory", {}).get("@odata.id"), (lo, device, a)
        here = f"Oem/CXLHost/SystemPhysicalAddress ge '{base:#x}' and Oem/CXLHost/SystemPhysicalAddress lt '{base + 0x8000:#x}'"
        p.wait("errors on the map", lambda h=here: bool(p.all(".cells [data-errors]")) == (count(d, h) > 0))


def check_out_of_use(p, d):
    """Pages of the log HardwareIsolation are on the map: those that are out, of devices that are there, each page once."""
    region = next(r for m in d.members(SYSTEM + "/MemoryDomains") for r in d.members(m["@odata.id"] + "/MemoryChunks")
                  if "BaseAddress" in r["Oem"]["CXLHost"])
    base = int(region["Oem"]["CXLHost"]["BaseAddress"], 16)
    entries = [(base + 0x4000, "out", True), (base + 0x4000, "out", True), (base + 0x7000, "to-be-returned", True), (base + 0x10000, "refused", True),
               (base + 0x14000, "out", False), (None, "known", True)]
    said = {"Members@odata.count": 2000, "Members": [
        {**({"Links": {"OriginOfCondition": {"@odata.id": "/x"}}} if here else {"OriginOfConditionUnavailable": True}),
         "Oem": {"CXLHost": {"IsolatedPage": {"State": state, **({"LastSystemPhysicalAddress": f"{at:#x}"} if at else {})}}}}
        for at, state, here in entries]}
    intercept(p, """(real, uri, o) => /HardwareIsolation.Entries/.test(uri) ? new Response(%s, {status: 200}) : real(uri, o)""" %
              json.dumps(json.dumps(said)))
    p.open("topology")
    p.open(f"map/{base:#x}-{base + 0x80000:#x}")
    out = "return [...document.querySelectorAll('.cells .cell[data-out]')].map((c) => [c.dataset.lo, c.dataset.out])"
    p.wait("the pages that are out of use", lambda: p.js(out) == [[f"{base + 0x4000:#x}", "1"], [f"{base + 0x7000:#x}", "1"]])
    assert "1 page out of use" in p.all(f".cells [data-lo='{base + 0x4000:#x}']")[0].get_attribute("aria-label")
    assert "the first 1000 entries were read" in p.text("map-notes"), p.text("map-notes")
    p.open(f"map/{base + 0x4000:#x}-{base + 0x6000:#x}")
    p.wait("the chunks of a page", lambda: len(p.js(out)) == 16)
    intercept(p, """(real, uri, o) => /HardwareIsolation.Entries/.test(uri) ? new Response("{}", {status: 503}) : real(uri, o)""")
    p.open(f"map/{base:#x}-{base + 0x80000:#x}")
    p.wait("that they could not be read", lambda: "could not be read" in p.text("map-notes"))
    assert not p.js(out)
    intercept(p)


def count(d, condition):
    """The number of entries of the log that meet a condition."""
    return d.get(SYSTEM + "/LogServices/CXL/Entries?$top=1" + (condition and "&$filter=" + condition))["Members@odata.count"]


def check_log(p, d):
    p.open("log")
    for severity, condition in (("", ""), ("Critical", "Severity eq 'Critical'")):
        p.js("document.getElementById('log-severity').value = arguments[0];"
             "document.getElementById('log-filter').requestSubmit()", severity)
        p.wait("the log", lambda c=condition: ("match" in p.text("log-state")) == bool(c) and
               len(p.all("#log-table tr[data-entry]")) == min(count(d, c), 100))


def check_log_of_device(p, said, d):
    """The log of a device is what the service has of it; a text selects among the rows."""
    device = said["device"][0]
    wanted = d.get(device["@odata.id"] + "/DeviceLog/Entries?$top=100")
    p.open("log")
    p.js("document.getElementById('log-severity').value = ''; document.getElementById('log-device').value = arguments[0];"
         "document.getElementById('log-filter').requestSubmit()", device["@odata.id"])
    p.wait("the log of a device", lambda: len(p.all("#log-table tr[data-entry]")) == min(wanted["Members@odata.count"], 100)
           and ("No entries match" in p.text("log-state") or "that match" in p.text("log-state")))
    rows = "return [...document.querySelectorAll('#log-table tbody tr')].filter((r) => r.checkVisibility()).map((r) => r.textContent)"
    for text in [m["Message"][:12] for m in wanted["Members"][:1]] + ["no entry has this"]:
        all_rows = p.js(rows)
        p.js("document.getElementById('log-text').value = arguments[0];"
             "document.getElementById('log-text').dispatchEvent(new Event('input'))", text)
        expect_same("rows with a text", set(p.js(rows)), {r for r in all_rows if text.lower() in r.lower()})
        assert "entries on this page have the text" in p.text("log-matches")
        p.js("document.getElementById('log-text').value = ''; document.getElementById('log-text').dispatchEvent(new Event('input'))")
    p.js("document.getElementById('log-device').value = ''; document.getElementById('log-filter').requestSubmit()")
    p.wait("the whole log", lambda: "match" not in p.text("log-state"))


def pastes(line):
    """The line of a record as it comes out of terminals, logs and mails."""
    words = line.split(" ")
    return [
        line,
        "\x1b[1;31m" + line.replace("dpa=", "\x1b[0mdpa=\x1b[33m") + "\x1b[0m\r\n",
        "Nov 23 20:01:02 host kernel: " + line + "\r\n",
        "二〇二六年11月23日 20:01:02 " + line,
        "23.11.2026, 20:01:02 Uhr – " + line,
        "  irq/33-aerdrv-210   [002] ..... 3105.061:\n" + " ".join(words[:3]) + "\n    " + " ".join(words[3:]),
        line.replace("dpa=", "dpa\n="),
        line.replace("dpa=", "^[[1;33mdpa=[0m"),
        "> " + line.replace(" ", "\u00a0"),
    ]


def record(m, dpa, region):
    """A record of the kernel about a device at an address."""
    own = m["Oem"]["CXLHost"]
    serial = f" serial={int(m['SerialNumber'], 16)}" if "SerialNumber" in m else ""
    host = f" host={own['PCIFunction']['Address']}" if "PCIFunction" in own else ""
    return (f"cxl_general_media: memdev={m['Name']}{host}{serial} log=Informational : time=1 "
            "uuid=fbcd0a77-c260-417f-85a9-088b1621eba6 len=128 flags='0x1' handle=1 related_handle=0 maint_op_class=0 : "
            f"dpa={dpa:x} dpa_flags='' descriptor='' hpa=ffffffffffffffff region={region} "
            "region_uuid=00000000-0000-0000-0000-000000000000 cme_count=0")


def locate(p, text):
    """Pastes a text, and locates. Return: the text of the answer."""
    p.js("""document.getElementById('found').replaceChildren();
        const box = document.getElementById('where');
        box.value = '';
        box.focus();
        document.execCommand('insertText', false, arguments[0]);
        document.getElementById('locate').requestSubmit()""", text)
    p.wait("an answer", lambda: p.text("found"))
    return p.text("found")


def answers(p):
    return p.js("return [...document.querySelectorAll('#found li')].map((n) => [n.querySelector('p').textContent, n.dataset.exact === 'true'])")


def translate_text(d, text):
    return d.ask("POST", SYSTEM + ACTIONS + "TranslateText", {"Text": text})["Translations"]


def translate_spa(d, addresses):
    return d.ask("POST", SYSTEM + ACTIONS + "TranslateSPA", {"SystemPhysicalAddresses": [f"{a:#x}" for a in addresses]})["Translations"]


def check_answers(p, d, text):
    """All that the service answers for a text is shown, and nothing is exact that it does not call so."""
    said = translate_text(d, text)
    shown_text = locate(p, text)
    shown = answers(p)
    assert [exact for _, exact in shown] == [(a.get("Now") or {}).get("Exact", False) for a in said], (text, shown_text, said)
    for (line, exact), a in zip(shown, said):
        assert f"Line {a['Line']}" in line and ("(exact" in line) == (exact or a["Exact"]), (text, line, a)
        for name in ("DeviceName", "DevicePhysicalAddress", "SystemPhysicalAddress", "SystemPhysicalAddressLast"):
            assert a.get(name, "") in line, (name, line, a)
        now = a.get("Now") or {}
        for name in ("SystemPhysicalAddress", "SystemPhysicalAddressLast"):
            assert now.get(name, "") in line, (name, line, a)
        assert a["Exact"] or a.get("Reason", "") in line, (line, a)
        assert exact or now.get("Reason", "") in line, (line, a)
    return said


def mapped(d):
    """Devices with a decoder in a region: (device, decoder, the kernel's name of the region)."""
    return [(m, x, d.ask("GET", x["MemoryChunks"]["@odata.id"])["Oem"]["CXLHost"]["KernelName"])
            for m in d.members(SYSTEM + "/Memory") for x in m["Oem"]["CXLHost"].get("Decoders", []) if "MemoryChunks" in x]


def check_locate(p, d):
    decoders = mapped(d)
    if not decoders:
        return
    m, x, region = decoders[0]
    dpa = int(x["DevicePhysicalAddress"], 16) + 0x40
    a = d.ask("POST", m["@odata.id"] + "/Actions/Oem/CXLHostMemory.TranslateDPA", {"DevicePhysicalAddress": f"{dpa:#x}"})
    p.open("topology")
    p.id("where").clear()
    p.id("where").send_keys(f"{m['Name']} {dpa:#x}\n")
    p.wait("a translation", lambda: p.text("found"))
    assert a.get("SystemPhysicalAddress", a.get("Reason")) in p.text("found"), (a, p.text("found"))
    p.wait("the device marked", lambda: p.all(f"#drawing .found[data-uri='{m['@odata.id']}']"))
    for text in pastes(record(m, dpa, region)):
        check_answers(p, d, text)
    # Another device had this name when the record was made.
    if "SerialNumber" in m:
        other = record({**m, "SerialNumber": "123456789"}, dpa, region)
        check_answers(p, d, other)
        assert "no system address" in p.text("found"), p.text("found")
    assert "No address" in locate(p, "<img src=x onerror=alert(1)>")


def check_names(p, d):
    """An object is found by each of its names; a name of no object is said to be none."""
    said = read_redfish(d)
    p.open("topology")
    for kind, members in said.items():
        for x in members if kind != "switch" else []:
            own = x["Oem"]["CXLHost"]
            names = [x["Name"], x["Id"], own.get("PCIFunction", {}).get("Address"), own.get("KernelName")]
            if "SerialNumber" in x:
                names += [f"serial:0x{x['SerialNumber']}", f"serial:{int(x['SerialNumber'], 16)}"]
            for name in dict.fromkeys(n for n in names if n):
                text = locate(p, name)
                assert text.startswith(f"{kind.capitalize()} {x['Name']}: "), (name, text)
                p.wait("the object marked", lambda u=x["@odata.id"]: [n.get_attribute("data-uri") for n in p.all("#drawing .found")] == [u])
                link = {"device": "#devices/", "region": "#map/", "window": "#map/"}[kind] + x["Id"]
                assert p.all(f"#found a[href='{link}']"), (name, link)
    for name, text in (("mem77", "This host has no device mem77."), ("region99", "This host has no region or window region99."),
                       ("ffff:0d:00.0", "This host has no device ffff:0d:00.0."), ("serial:0x77", "This host has no device serial:0x77."),
                       ("nonsense", "No address was found")):
        assert text in locate(p, name), (name, p.text("found"))


def check_records(p, d):
    """Each record of a text has its answer, in the order of the text, and all of them are marked."""
    by_region = {}
    for m, x, region in mapped(d):
        by_region.setdefault(region, []).append((m, int(x["DevicePhysicalAddress"], 16), region))
    (one, first, region), (two, second, _) = next(v for v in by_region.values() if len(v) > 1)[:2]
    link_error = (f"cxl_aer_correctable_error: memdev={two['Name']} host={two['Oem']['CXLHost']['PCIFunction']['Address']} "
                  f"serial={int(two['SerialNumber'], 16)}: status: 'CRC Threshold Hit'")
    text = link_error + "\n" + record(one, first + 0x1000, region) + "\n" + record(two, second + 0x2040, region) + "\n"
    p.open("topology")
    said = check_answers(p, d, text)
    assert [a["DeviceName"] for a in said] == [two["Name"], one["Name"], two["Name"]], said
    assert all(a["Now"]["Exact"] and not a["Exact"] for a in said[1:]) and "no address" in said[0]["Reason"], said
    marked = "return [...document.querySelectorAll('#drawing .found[data-kind=device]')].map((n) => n.dataset.name).sort()"
    p.wait("both devices marked", lambda: p.js(marked) == sorted([one["Name"], two["Name"]]))
    for n in p.all("#drawing .found"):
        assert n.get_attribute("aria-label").startswith("located: ")
    # The link to the drawing leads to the device itself, here to that of the last answer.
    p.js("[...document.querySelectorAll('#found a')].filter((a) => a.textContent === 'in the drawing').at(-1).click()")
    p.wait("the second device with the focus", lambda: p.js("return document.activeElement.dataset.name") == two["Name"])
    # A record of another region than the present one was not exact there.
    assert [a["Exact"] for a in check_answers(p, d, record(one, first + 0x1000, "region77"))] == [False]
    event = {"system": "cxl", "event": "cxl_general_media", "memdev": one["Name"], "serial": int(one["SerialNumber"], 16),
             "host": one["Oem"]["CXLHost"]["PCIFunction"]["Address"], "dpa": first + 0x1000, "hpa": 2**64 - 1}
    assert len(check_answers(p, d, json.dumps(event))) == 1
    # Enter asks, and with Shift begins a line.
    p.id("where").clear()
    p.id("where").send_keys(one["Name"] + " 0x1000" + Keys.SHIFT + Keys.ENTER + Keys.NULL + two["Name"] + " 0x1000")
    assert p.id("where").get_attribute("rows") == "2", p.id("where").get_attribute("rows")
    p.id("where").send_keys(Keys.ENTER)
    p.wait("two answers", lambda: len(answers(p)) == 2)


def check_physical(p, d):
    """Lines about memory errors have an address, or a page, which has several devices."""
    region = next(r for r in read_redfish(d)["region"] if len(r["InterleaveSets"]) > 1)
    base = int(region["Oem"]["CXLHost"]["BaseAddress"], 16)
    page = d.get(SYSTEM)["Oem"]["CXLHost"]["PageSizeBytes"]
    names = {m["@odata.id"]: m["Name"] for m in d.members(SYSTEM + "/Memory")}
    chunks = translate_spa(d, range(base, base + page, 256))
    devices = {names[a["Memory"]["@odata.id"]] for a in chunks}
    assert len(devices) > 1, chunks
    for text in ("Memory failure: {0:#x}: recovery action for dirty LRU page: Recovered", "memory_failure_event: pfn={0:#x} page_type=x action_result=y",
                 "Soft offlining pfn {0:#x} at process virtual address 0x7f1234560000"):
        locate(p, text.format(base // page))
        found = {n for n in names.values() if any(f"of {n}," in line for line, _ in answers(p))}
        assert found == devices and f"SPA {base:#x} to {base + page - 1:#x}" in p.text("found"), (text, p.text("found"))
    spa = base + 0x140
    name = names[translate_spa(d, [spa])[0]["Memory"]["@odata.id"]]
    for text in (f"{spa:#x}", f"{spa:#x},", f"SPA {spa:#x}", f"{{1}}[Hardware Error]:   physical_address: {spa:#018x}",
                 f"{{1}}[Hardware Error]:   physical address: {spa:#018x}",
                 f"EDAC MC0: 1 CE memory read error on CPU_SrcID#0 (channel:0 slot:0 page:{spa // page:#x} offset:{spa % page:#x} grain:32)",
                 f"mc_event: 1 Corrected error: read on x (mc:0 location:0:0:-1 address:{spa:#x} grain:6 syndrome:0x0)"):
        said = locate(p, text)
        assert f"SPA {spa:#x} is {name} DPA" in said and len(answers(p)) == 1, (text, said)
    for text, why in ((f"mce: [Hardware Error]: TSC 0 ADDR {spa:x} MISC 8c ", "on AMD"), (f"{spa:x}", "No address"),
                      ("0x10000000000000000", "more than 64 bits"), ("x" * 70000, "longer than 65536 bytes")):
        said = locate(p, text)
        assert why in said and "(exact" not in said, (text, said)


def intercept(p, function="(real, uri, o) => real(uri, o)"):
    """Requests of the page go through a function of JavaScript."""
    p.js(f"window.real = window.real || window.fetch; const f = {function}; window.fetch = (uri, o) => f(window.real, String(uri), o);")


def refresh(p):
    """Lets the page read the host again, as it does when its tab is shown again."""
    before = p.drawings()
    p.js("document.dispatchEvent(new Event('visibilitychange'))")
    p.wait_drawn(before)


def check_asked_again(p, d):
    """With each reading of the host the answer is that of the host as it is now."""
    r = next(r for r in read_redfish(d)["region"] if "BaseAddress" in r["Oem"]["CXLHost"])
    locate(p, r["Oem"]["CXLHost"]["BaseAddress"])
    intercept(p, "async (real, uri, o) => /TranslateSPA/.test(uri) ? new Response(JSON.stringify("
                 "{Exact: false, Reason: 'it is another host'}), {status: 200}) : real(uri, o)")
    refresh(p)
    p.wait("the new answer", lambda: "it is another host" in p.text("found"))
    p.open("topology")
    p.wait("no mark", lambda: not p.all("#drawing .found"))
    intercept(p)


def check_late(p, d):
    """An answer that is late does not replace a newer one."""
    devices = d.members(SYSTEM + "/Memory")
    slow, soon = devices[0], devices[1]
    intercept(p, "async (real, uri, o) => { if (uri.endsWith('%s') || String(o.body).includes('0x111111')) "
                 "await new Promise((r) => setTimeout(r, 1500)); return real(uri, o); }" % slow["@odata.id"])
    p.open("devices/" + slow["Id"])
    time.sleep(0.2)
    p.open("devices/" + soon["Id"])
    p.js("""const box = document.getElementById('where'), form = document.getElementById('locate');
        for (const text of ['0x111111', '0x222222']) { box.value = text; form.requestSubmit(); }""")
    time.sleep(2.5)
    assert p.text("device-detail").startswith(soon["Name"]), p.text("device-detail")
    assert "0x222222" in p.text("found"), p.text("found")
    intercept(p)


# Elements of the page with data of a host.
KEPT = ("facts", "incidents", "incidents-said", "found", "device-table", "device-detail", "finding-list", "log-table", "log-state", "drawing", "topology-table", "map-head", "map-body",
        "legend", "host", "summary", "n-devices", "n-findings", "n-log")


def check_forgets(p, d):
    """After the end of a session the page has nothing of the host, and the next reader sees no answer."""
    r = next(r for r in read_redfish(d)["region"] if "BaseAddress" in r["Oem"]["CXLHost"])
    for end in ("logout", "session"):
        for section in ("log", "map/" + r["Id"], "devices/" + d.members(SYSTEM + "/Memory")[0]["Id"], "findings", "topology"):
            p.open(section)
            p.wait(section, lambda: p.text("device-table"))
        locate(p, r["Oem"]["CXLHost"]["BaseAddress"])
        p.wait("a mark", lambda: p.all("#drawing .found"))
        if end == "logout":
            p.id("logout").click()
        else:
            for s in d.members(SESSIONS):
                d.ask("DELETE", s["@odata.id"])
            refresh_only(p)
        p.wait("login", lambda: p.shown("login"))
        left = {n: p.text(n) for n in KEPT if p.text(n)}
        assert not left and p.js("return document.getElementById('where').value") == "", left
        before = p.drawings()
        # The service is away for a moment, after the session began: the page goes on by itself, with that session.
        intercept(p, "(real, uri, o) => { if (uri.endsWith('/EventService') && !window.failed) { window.failed = true; "
                     "return Promise.reject(new TypeError('away')); } return real(uri, o); }")
        p.log_in()
        p.wait("the outage said so", lambda: "Trying again" in p.text("banner"))
        p.wait_drawn(before)
        p.js("delete window.failed")
        intercept(p)
        assert len(d.members(SESSIONS)) == 1 and p.text("banner") == "", d.members(SESSIONS)
        p.wait("the drawing", lambda: p.all("#drawing [data-item]"))
        assert p.text("found") == "" and not p.all("#drawing .found")
    p.console()


def refresh_only(p):
    p.js("document.dispatchEvent(new Event('visibilitychange'))")


def check_ranges(p, d):
    """A window has no larger range; a range is of whole chunks; an address in no window is said to be in none."""
    region = next(r for r in read_redfish(d)["region"] if "BaseAddress" in r["Oem"]["CXLHost"])
    base = int(region["Oem"]["CXLHost"]["BaseAddress"], 16)
    window = region["@odata.id"].split("/")[-3]
    buttons = "return [...document.querySelectorAll('#map-head a.button')].map((a) => a.textContent)"
    span = "return document.querySelector('.crumbs b').textContent"
    p.open(f"map/{base:#x}-{base + 0x8000:#x}")
    p.wait("chunks", lambda: p.all(".cells[data-leaf]"))
    seen = []
    while p.js(buttons):
        seen.append(p.js(span))
        assert len(seen) < 9, seen
        p.js("document.querySelector('#map-head a.button').click()")
        p.wait("a larger range", lambda: p.js(span) != seen[-1])
    assert p.js("return location.hash") == "#map/" + window, seen
    p.open(f"map/{base + 0x80:#x}-{base + 0x4080:#x}")
    p.wait("whole chunks", lambda: p.js(span) == f"{base:#x} – {base + 0x40ff:#x}")
    for at in ("map/at/0x99000000", "map/0x99000000-0x99008000"):
        p.open(at)
        p.wait("in no window", lambda: "0x99000000 is in no window" in p.text("map-head"))
        assert not p.all("#map-body .cell")


def check_tabs(p):
    """A hidden tab keeps no connection, of which a browser has six for one service."""
    driver, first = p.driver, p.driver.current_window_handle
    opened = []
    for n in range(7):
        driver.switch_to.new_window("tab")
        opened.append(driver.current_window_handle)
        driver.get(p.daemon.url + "/")
        p.log_in()
        p.wait(f"tab {n + 2} drawn", lambda: p.drawings() > 0)
        p.wait(f"tab {n + 2} live", lambda: p.text("live") == "live")
    driver.switch_to.window(opened[0])
    p.wait("live when it is seen again", lambda: p.text("live") == "live")
    for tab in opened:
        driver.switch_to.window(tab)
        driver.close()
    driver.switch_to.window(first)
    p.wait("live again", lambda: p.text("live") == "live")


def check_hidden(p):
    """The stream ends while the page is not seen, and the page says so."""
    hide = """Object.defineProperty(document, 'hidden', {configurable: true, get: () => arguments_hidden});
        document.dispatchEvent(new Event('visibilitychange'))"""
    p.wait("the stream", lambda: p.text("live") == "live")
    p.js(hide.replace("arguments_hidden", "true"))
    p.wait("a pause", lambda: p.text("live").startswith("paused"))
    p.js(hide.replace("arguments_hidden", "false"))
    p.wait("the stream", lambda: p.text("live") == "live")
    p.js("delete document.hidden")


PHONE_WIDTH = 360


def check_shown(p, d):
    """The target of a link is seen and has the focus; a refresh does not disturb the reader."""
    device = d.members(SYSTEM + "/Memory")[0]
    p.open("devices")
    p.wait("the heading", lambda: p.js("return document.activeElement.id") == "h-devices")
    p.js("document.querySelector('#device-table tbody a').click()")
    p.wait("the details", lambda: p.js("return document.activeElement.id") == "device-detail")
    place = p.js("const r = document.getElementById('device-detail').getBoundingClientRect(); return [r.top, innerHeight]")
    assert 0 <= place[0] < place[1] / 2, place
    p.open("map/" + d.members(SYSTEM + "/MemoryDomains")[0]["Id"])
    p.wait("the map", lambda: p.all("#map-body details"))
    p.js("document.querySelector('#map-body details').open = true; document.getElementById('map-pick').focus()")
    refresh(p)
    time.sleep(1)
    assert p.js("return document.activeElement.id") == "map-pick" and p.js("return document.querySelector('#map-body details').open")
    # The title, the host's kernel and uptime, the window's health, and the slot.
    host = d.get(SYSTEM)
    check_facts(p, d)
    check_out_of_use(p, d)
    assert p.driver.title == ("(captured host)" if host["Oem"]["CXLHost"].get("CapturedHost") else host["HostName"]) + " – CXL memory"
    p.open("topology")
    p.wait("the drawing", lambda: p.all("#drawing .window"))
    marks = {"Critical": "✖", "Warning": "▲", "OK": "●", None: "○"}
    for w in d.members(SYSTEM + "/MemoryDomains"):
        text = p.js("return document.querySelector(`#drawing [data-uri='${arguments[0]}'] text`).textContent", w["@odata.id"])
        assert marks[drawn_health(w, d.members(w["@odata.id"] + "/MemoryChunks"))] in text, (w["@odata.id"], text)
    slot = d.members(f"/redfish/v1/Chassis/{device['Id']}/PCIeDevices")[0]["Slot"]["Location"]["PartLocation"]["ServiceLabel"]
    assert f"slot {slot}" in locate(p, f"{device['Name']} 0x1000"), p.text("found")


def check_facts(p, d):
    """Kernel, uptime, and whether events are recorded, on this captured host and on one that runs."""
    assert f"Linux {d.get(SYSTEM)['Oem']['CXLHost']['KernelRelease']} · " in p.text("facts"), p.text("facts")
    assert p.text("facts").endswith("events are those of the capture"), p.text("facts")
    for conditions, uptime, said in (([], 1043520, "up 12 days 1 h · events are recorded"),
                                     (["CXL events are not recorded: x."], 3700, "up 1 h 1 min · CXL events are not recorded: x."),
                                     (["Firmware is slow.", "Not all CXL events are recorded: y."], 59, "up 0 min · Not all CXL events are recorded: y.")):
        intercept(p, """async (real, uri, o) => {
            const r = await real(uri, o), text = async (f) => new Response(JSON.stringify(f(await r.json())), {status: r.status});
            return /Managers.Service\\?/.test(uri) ? text((b) => ({...b, Status: {Conditions: %s.map((k) => ({MessageId: "CXLHost.1.0.0.Made", Severity: "OK", Message: k}))}})) :
                /Host.OperatingSystem$/.test(uri) ? text((b) => ({...b, UptimeSeconds: %d})) :
                /Systems.Host\\?/.test(uri) ? text((b) => { delete b.Oem.CXLHost.CapturedHost; return b; }) : r;
        }""" % (json.dumps(conditions), uptime))
        refresh_only(p)
        p.wait("the facts of the host", lambda s=said: p.text("facts").endswith(s))
    intercept(p)
    refresh(p)


# The rows of a table that are shown: names, and texts of a column.
TABLE = """const [place, column] = arguments;
    return [...document.querySelectorAll(place + ' tbody tr')].filter((r) => !r.hidden).map((r) => [r.cells[0].textContent, r.cells[column].textContent]);"""


def number(text):
    """The number that a cell begins with; a missing one is last."""
    found = re.match(r"-?[0-9]+(\.[0-9]+)?", text)
    return float(found[0]) if found else float("inf")


def check_table(p, place="#device-table"):
    """A table is sorted by each column, up and down, and a text selects rows; a redrawing changes neither."""
    heads = p.js("return [...document.querySelectorAll(arguments[0] + ' th button')].map((b) => b.textContent)", place)
    before = p.js(TABLE, place, 0)
    for i, head in enumerate(heads):
        click = f"document.querySelectorAll('{place} th button')[{i}].click()"
        p.js(click)
        up = [text for _, text in p.js(TABLE, place, i)]
        p.js(click)
        down = [text for _, text in p.js(TABLE, place, i)]
        have = [t for t in up if t not in ("–", "")]
        assert sorted(up) == sorted(down) and len(up) == len(before) and up[:len(have)] == have == list(reversed(
            [t for t in down if t not in ("–", "")])) or len(set(have)) < len(have), (head, up, down)
        if re.match("Temperature|Life|Corrected|Dirty", head):
            assert [number(t) for t in up] == sorted(number(t) for t in up), (head, up)
        if head == "Health":
            marks = [t[0] for t in up if t[0] != "○"]
            assert marks == sorted(marks, key="●▲✖".index), up
        p.js(click)
        assert p.js(TABLE, place, 0) == before, head
    name = before[-1][0]
    field = f"const n = document.querySelector('{place} input'); n.value = arguments[0]; n.dispatchEvent(new Event('input'))"
    p.js(f"document.querySelectorAll('{place} th button')[0].click()")
    p.js(field, name)
    wanted = p.js(TABLE, place, 0)
    assert [name, name] in wanted and len(wanted) < len(before), wanted
    refresh(p)
    assert p.js(TABLE, place, 0) == wanted
    assert f"{len(wanted)} of {len(before)} rows" in p.js(f"return document.querySelector('{place} [role=status]').textContent")
    p.js(field, "")
    p.js(f"for (let i = 0; i < 2; i++) document.querySelectorAll('{place} th button')[0].click()")
    assert p.js(TABLE, place, 0) == before


def check_tables(p, d):
    p.open("devices")
    p.wait("the devices", lambda: len(p.all("#device-table tbody tr")) == len(d.members(SYSTEM + "/Memory")))
    check_table(p)
    p.open("topology")
    p.js("document.querySelector('#topology details').open = true")
    check_table(p, "#topology-table")


def check_fields(p):
    """The page itself refuses what is no address and no time."""
    p.open("log")
    valid = "return document.getElementById('log-filter').checkValidity()"
    field = "const n = document.getElementById(arguments[0]); n.value = arguments[1]; n.dispatchEvent(new Event('input'))"
    for name, text, good in (("log-from", "xyz", False), ("log-from", "0x11111111111111111", False), ("log-from", "0x2000", True),
                             ("log-to", "0x1000", False), ("log-to", "2001", True), ("log-since", "12026-11-21T00:00", False),
                             ("log-since", "2026-11-21T21:44", True)):
        p.js(field, name, text)
        assert p.js(valid) == good, (name, text)
    p.js("document.getElementById('log-filter').requestSubmit()")
    p.wait("a filter", lambda: "match" in p.text("log-state"))
    wanted = "Created ge '2026-11-21T21:44:00Z' and Oem/CXLHost/SystemPhysicalAddress ge '0x2000' and Oem/CXLHost/SystemPhysicalAddress le '0x2001'"
    assert len(p.all("#log-table tr[data-entry]")) == count(p.daemon, wanted)
    p.js("document.getElementById('log-filter').reset(); document.getElementById('log-filter').requestSubmit()")
    p.wait("the whole log", lambda: "match" not in p.text("log-state"))
    assert p.text("banner") == "", p.text("banner")


def check_phone(p, d):
    """On a phone only tables and the drawing are scrolled sideways."""
    p.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": PHONE_WIDTH, "height": 740, "deviceScaleFactor": 1, "mobile": True})
    for section in ("topology", "map/" + d.members(SYSTEM + "/MemoryDomains")[0]["Id"], "findings", "log",
                    "devices/" + d.members(SYSTEM + "/Memory")[0]["Id"]):
        p.open(section)
        p.wait(section, lambda s=section: p.shown(s.split("/")[0]))
        time.sleep(0.5)
        assert p.js("return document.documentElement.scrollWidth") <= PHONE_WIDTH, section
        p.js("for (const d of document.querySelectorAll('details')) d.open = true")
        check_accessible(p)
    p.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def check_interval(p):
    """An interval, and several devices that may have an address, are shown as such."""
    d = p.daemon
    p.driver.get(d.url + "/")
    p.log_in()
    p.wait_drawn()
    m, x, _ = mapped(d)[0]
    dpa = int(x["DevicePhysicalAddress"], 16) + 0x1000
    a = d.ask("POST", m["@odata.id"] + "/Actions/Oem/CXLHostMemory.TranslateDPA", {"DevicePhysicalAddress": f"{dpa:#x}"})
    first, last = int(a["SystemPhysicalAddress"], 16), int(a["SystemPhysicalAddressLast"], 16)
    assert not a["Exact"] and last - first >= 256, a
    said = locate(p, f"{m['Name']} {dpa:#x}")
    assert "not exact" in said and f"{first:#x} to {last:#x}" in said and "(exact" not in said, said
    p.js("[...document.querySelectorAll('#found a')].find((a) => a.textContent === 'on the map').click()")
    cells = "return [...document.querySelectorAll('.cells .cell')].filter((c) => c.dataset.found).map((c) => [c.dataset.lo, c.dataset.found])"
    p.wait("the interval on the map", lambda: {tuple(c) for c in p.js(cells)} ==
           {(f"{lo:#x}", "interval") for lo in range(first - first % 256, last + 1, 256)})
    # One script: the page draws the cells anew when something of the host has changed.
    assert p.js("return [...document.querySelectorAll('.cell.found')].every((c) => getComputedStyle(c).outlineStyle === 'dashed')")
    several = translate_spa(d, [first])[0]["Candidates"]
    text = p.js(f"return document.querySelector(\".cells [data-lo='{first:#x}']\").getAttribute('aria-label')")
    for c in several:
        assert d.get(c["Memory"]["@odata.id"])["Name"] in text, text
    names = {n["@odata.id"]: n["Name"] for n in d.members(SYSTEM + "/Memory")}
    wanted = sorted(names[c["Memory"]["@odata.id"]] for c in several)
    assert len(wanted) > 1
    p.open("topology")
    said = locate(p, f"{first:#x}")
    for c in several:
        assert f"{names[c['Memory']['@odata.id']]} DPA {c['DevicePhysicalAddress']}" in said, said
    p.wait("all of them marked", lambda: sorted(p.js(
        "return [...document.querySelectorAll('#drawing .found[data-kind=device]')].map((n) => n.dataset.name)")) == wanted)
    expect_quiet(p)


# Four rules of axe-core, which axe.sh runs as a whole: a label contains the words that are seen; a link within a text is underlined; what
# is scrolled can have the focus; no two landmarks of a kind have the same name. Each gives the elements that break it.
RULES = r"""
const shown = (n) => n.checkVisibility();
const words = (t) => ' ' + t.toLowerCase().replace(/\([^()]*\)/g, ' ').replace(/[^\p{L}\p{N}]+/gu, ' ').trim() + ' ';
const seen = (n) => [...n.childNodes].map((c) => c.nodeType === 3 ? c.nodeValue : c.nodeType === 1 && c.tagName !== 'title' && shown(c) ? seen(c) : '').join(' ');
const kinds = {MAIN: 'main', NAV: 'navigation', HEADER: 'banner', FORM: 'form'};
const landmark = (n) => (n.getAttribute('role') || kinds[n.tagName] || 'region') + ' ' + (n.getAttribute('aria-label') || n.getAttribute('aria-labelledby') || '');
const marks = [...document.querySelectorAll('main, nav, header, [role=region], section[aria-labelledby], [role=search]')].filter(shown);
return [
    ...[...document.querySelectorAll('a[aria-label], button[aria-label], [role=button][aria-label]')].filter((n) => shown(n) &&
        !words(n.getAttribute('aria-label')).includes(words(seen(n)))),
    ...[...document.querySelectorAll('p a, li a, dd a')].filter((n) => shown(n) && getComputedStyle(n).textDecorationLine !== 'underline' &&
        n.closest('p, li, dd').textContent.trim() !== n.textContent.trim()),
    ...[...document.querySelectorAll('#app *')].filter((n) => shown(n) && /auto|scroll/.test(getComputedStyle(n).overflow) &&
        n.scrollWidth > n.clientWidth && n.tabIndex < 0 && !n.querySelector('[tabindex="0"], a, button, input, select')),
    ...marks.filter((n, i) => marks.findIndex((x) => landmark(x) === landmark(n)) !== i),
].map((n) => n.outerHTML.slice(0, 300));
"""


def check_accessible(p):
    """Every control and every drawing has a name, and the headings and landmarks are there."""
    eventually(lambda: expect_same("elements that break a rule", set(p.js(RULES)), set()))
    nodes = p.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    roles = set()
    for n in nodes:
        role = n.get("role", {}).get("value")
        roles.add(role)
        if not n.get("ignored") and (role in CONTROLS or role in ("img", "table")):
            assert n.get("name", {}).get("value"), n
    for landmark in ("banner", "main", "navigation", "search", "heading"):
        assert landmark in roles, (landmark, roles)


def check_keyboard(p):
    p.open("topology")
    p.wait("the drawing", lambda: p.all("#drawing [data-item]"))
    p.js("document.activeElement.blur(); document.querySelector('.skip').focus()")
    wanted, reached = {"where", "#map", "#devices", "#findings", "#log", "item", "logout"}, set()
    # A part that is drawn anew meanwhile takes the focus with it, and the next key begins at the top.
    for _ in range(400):
        if wanted <= reached:
            break
        ActionChains(p.driver).send_keys(Keys.TAB).perform()
        reached.add(p.js("const n = document.activeElement; return n.id || n.getAttribute('href') || (n.dataset.item !== undefined ? 'item' : n.tagName)"))
    assert wanted <= reached, wanted - reached
    p.js("document.querySelector('#drawing [tabindex=\"0\"]').focus()")
    first = p.js("return document.activeElement.dataset.uri")
    ActionChains(p.driver).send_keys(Keys.ARROW_RIGHT).perform()
    if len(p.all("#drawing [data-item]")) > 1:
        assert p.js("return document.activeElement.dataset.uri") != first


def check_sizes(p):
    # The browser keeps as many as main() asked for: one that is full would hide what came later.
    assert not p.js("return window.resourcesFull || false")
    sizes = p.js("return performance.getEntriesByType('resource').map((e) => [e.name, e.decodedBodySize])")
    for name, n in sizes:
        assert n <= ANSWER_BYTES_MAX, (name, n)
        assert name.startswith(p.daemon.url), name


def shots(p, name):
    directory = os.environ.get("CXL_PAGE_SHOTS")
    if not directory:
        return
    for scheme, fragment in (("light", "topology"), ("dark", "map"), ("light", "findings")):
        p.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        p.open(fragment)
        p.driver.save_screenshot(os.path.join(directory, f"{name}-{fragment}-{scheme}.png"))


def check_host(p, name):
    d = p.daemon
    p.driver.get(d.url + "/")
    p.log_in(password="wrong")
    p.wait("a failed login said so", lambda: p.text("login-why").startswith("The account or the password is wrong"))
    assert not p.shown("app") and not p.shown("login-how")
    expect_quiet(p, FAILED_LOGIN)
    p.log_in()
    p.wait_drawn()
    p.wait("the stream", lambda: p.text("live") == "live")
    said = read_redfish(d)
    if any(said.values()):
        p.wait("the drawing", lambda: p.all("#drawing [data-item]"))
        eventually(lambda: check_drawing(p, read_redfish(d)))
        check_keyboard(p)
    check_accessible(p)
    eventually(lambda: check_devices(p, read_redfish(d)))
    check_accessible(p)
    check_history(p, said)
    eventually(lambda: check_findings(p, read_redfish(d), d))
    check_accessible(p)
    check_map(p, said, d)
    check_accessible(p)
    check_log(p, d)
    if said["device"]:
        check_log_of_device(p, said, d)
    check_accessible(p)
    check_locate(p, d)
    check_sizes(p)
    shots(p, name)
    expect_quiet(p)
    print(f"{name}: {', '.join(f'{len(v)} {k}' for k, v in said.items())}", flush=True)


def check_session_ends(p):
    """Wherever it is noticed."""
    for section, notice in (
            ("topology", "document.getElementById('where').value = '0x1000'; document.getElementById('locate').requestSubmit()"),
            ("log", "document.getElementById('log-filter').requestSubmit()")):
        p.open(section)
        for s in p.daemon.members(SESSIONS):
            p.daemon.ask("DELETE", s["@odata.id"])
        p.js(notice)
        p.wait("login again", lambda: p.shown("login") and "has ended" in p.text("login-why"))
        before = p.drawings()
        p.log_in()
        p.wait_drawn(before)
    p.console()


def copy_entry(d, n, number=None):
    """Adds copies of an entry, of the newest one without a number, to the store."""
    store = sqlite3.connect(os.path.join(d.state, "events.db"), timeout=WAIT_SECONDS)
    columns = {table: [c[1] for c in store.execute(f"PRAGMA table_info({table})")] for table in ("details", "entries")}

    def copy(table, key, old, **changed):
        names = [c for c in columns[table] if c != key or key in changed]
        values = ", ".join(str(changed.get(c, f'"{c}"')) for c in names)
        columns_text = ", ".join(f'"{c}"' for c in names)
        return store.execute(f'INSERT INTO {table} ({columns_text}) SELECT {values} FROM {table} WHERE "{key}" = ?',
                             (old,)).lastrowid

    with store:
        seq, detail, group = store.execute(
            "SELECT seq, detail, grp FROM entries WHERE seq = ? OR ? IS NULL ORDER BY seq DESC LIMIT 1",
            (number, number)).fetchone()
        for _ in range(n):
            new = copy("details", "id", detail, identity="randomblob(length(identity))")
            copy("entries", "seq", seq, seq="(SELECT next FROM numbers)", detail=new)
            store.execute("UPDATE numbers SET next = next + 1")
            store.execute("UPDATE groups SET n = n + 1 WHERE id = ?", (group,))
    store.close()


def remove_entry(d, number):
    store = sqlite3.connect(os.path.join(d.state, "events.db"), timeout=WAIT_SECONDS)
    with store:
        store.execute("UPDATE groups SET n = n - 1 WHERE id = (SELECT grp FROM entries WHERE seq = ?)", (number,))
        store.execute("DELETE FROM entries WHERE seq = ?", (number,))
    store.close()


def check_live(p):
    """Entries that are stored while the page is open become rows by themselves, by the stream."""
    newest = "const r = document.querySelector('#log-table tr[data-entry]'); return r ? Number(r.dataset.entry) : 0"
    p.driver.get(p.daemon.url + "/#log")
    p.log_in()
    p.wait_drawn()
    p.wait("the stream", lambda: p.text("live") == "live")
    first = p.js(newest)
    begun = time.monotonic()
    p.wait("a newer row", lambda: p.js(newest) > first)
    assert time.monotonic() - begun < 20, "only the regular reading showed it"


def check_scale(p, devices, entries):
    """A large host with a long log: drawn soon, and by answers that are not long."""
    p.driver.get(p.daemon.url + "/")
    p.wait("the first paint", lambda: p.js("return performance.getEntriesByName('first-contentful-paint').length"))
    paint = p.js("return performance.getEntriesByName('first-contentful-paint')[0].startTime")
    assert paint < FIRST_PAINT_MS, paint
    begun = time.monotonic()
    p.log_in()
    p.wait_drawn()
    drawn = time.monotonic() - begun
    p.wait("the drawing", lambda: len(p.all("#drawing [data-kind=device]")) == devices)
    p.open("log")
    p.wait("the log", lambda: f"of {entries}," in p.text("log-state") and len(p.all("#log-table tr[data-entry]")) == 100)
    p.js("document.getElementById('log-severity').value = 'Critical'; document.getElementById('log-filter').requestSubmit()")
    p.wait("a filter", lambda: "match" in p.text("log-state"))
    for section, ready in (("map", ".cells .cell"), ("devices", "#device-table tbody tr"), ("findings", "#finding-list p")):
        p.open(section)
        p.wait(section, lambda r=ready: p.all(r))
    check_table(p)
    check_sizes(p)
    expect_quiet(p)
    print(f"{devices} devices, {entries} entries: first paint after {paint:.0f} ms, drawn {drawn:.1f} s after the login", flush=True)


def check_stall(p):
    """A stream without a byte for too long is begun again, and the page says so."""
    said = p.driver.execute_async_script("""const done = arguments[0];
        import('/page/redfish.js').then(async (m) => {
            const said = [], stop = new AbortController(), real = window.fetch;
            window.fetch = () => Promise.resolve(new Response(new ReadableStream({}), {status: 200}));
            m.follow('/redfish/v1/none', () => undefined, (s) => {
                said.push(s);
                if (said.length === 4) {
                    stop.abort();
                    window.fetch = real;
                    done(said);
                }
            }, stop.signal, 100);
        });""")
    assert said == ["on", "stalled", "on", "stalled"], said


def check_limits(p):
    """With more entries than the map reads, it says so, and no cell with one that failed looks clean."""
    d = p.daemon
    entry = next(e for e in d.members(SYSTEM + "/LogServices/CXL/Entries")
                 if "MemoryChunks" in e["Oem"]["CXLHost"] or "SystemPhysicalAddress" in e["Oem"]["CXLHost"])
    number, at = int(entry["Id"]), int(entry["Oem"]["CXLHost"]["SystemPhysicalAddress"], 16)
    # An entry that failed after all of them, and not before.
    other = next(e for e in d.members(SYSTEM + "/LogServices/CXL/Entries") if e["Severity"] == "Critical" and not e["Resolved"] and
                 0x1000 <= int(e["Oem"]["CXLHost"].get("SystemPhysicalAddress", "0x0"), 16) - at < 0x80000 - at % 0x80000)
    other_at = int(other["Oem"]["CXLHost"]["SystemPhysicalAddress"], 16)
    d.stop()
    copy_entry(d, 600, number)
    copy_entry(d, 1, int(other["Id"]))
    remove_entry(d, int(other["Id"]))
    before = p.drawings()
    d.start()
    p.wait("back", lambda: p.shown("login") or p.drawings() > before)
    if p.shown("login"):
        p.log_in()
        p.wait_drawn(before)
    # Cells of 4 KiB. The map reads Critical and the newest entries; the others are counted.
    first = at - at % 0x80000
    p.open(f"map/{first:#x}-{first + 0x80000:#x}")
    p.wait("the limit said so", lambda: re.search(r"\d+ of the \d+ entries of the log here were read", p.text("map-notes")) and
           p.all(".cells[data-counting=false]"))
    for lo, n, severity in p.js("return [...document.querySelectorAll('.cells .cell')].map((c) => [c.dataset.lo, c.dataset.errors, c.dataset.severity])"):
        here = f"Oem/CXLHost/SystemPhysicalAddress ge '{lo}' and Oem/CXLHost/SystemPhysicalAddress lt '{int(lo, 16) + 4096:#x}'"
        wanted = count(d, here)
        assert int(n or 0) == wanted, (lo, n, wanted)
        assert bool(severity) or not count(d, here + " and Severity ne 'OK'"), (lo, severity)
    fresh = f".cells [data-lo='{other_at - other_at % 4096:#x}']"
    assert p.all(fresh)[0].get_attribute("data-severity") == "Critical", p.all(fresh)[0].get_attribute("aria-label")


def check_read_only(p):
    p.daemon.ask("POST", ACCOUNTS, {"UserName": "reader", "Password": "Secret-123", "RoleId": "ReadOnly"})
    p.id("logout").click()
    before = p.drawings()
    p.log_in("reader", "Secret-123")
    p.wait_drawn(before)
    check_log(p, p.daemon)
    check_locate(p, p.daemon)
    assert p.text("banner") == "", p.text("banner")


def check_back_off(p):
    """While no password is checked, the page says so, and not that the right one is wrong."""
    # An account that logged in from here lately would be let in with the right password.
    p.daemon.ask("POST", ACCOUNTS, {"UserName": "guessed", "Password": "Secret-123", "RoleId": "ReadOnly"})
    p.js("document.getElementById('logout').click()")

    def refused(password):
        p.js("document.getElementById('login-why').textContent = ''")
        p.log_in("guessed", password)
        p.wait("a failed login said so", lambda: p.text("login-why") and not p.js(
            "return document.getElementById('login-form').querySelector('button').disabled"))
        found = re.match(r"Too many attempts failed: for (\d+) seconds no password is checked", p.text("login-why"))
        return int(found[1]) if found else 0

    # Not the seconds between two attempts, which may pass here, but the minutes of the lockout.
    p.wait("the lockout", lambda: refused("wrong") > WAIT_SECONDS)
    assert refused("Secret-123"), p.text("login-why")


def check_no_account(driver, program, host, scratch):
    """The page says that there is no account, and the command that it shows makes one."""
    socket = os.path.join(scratch, "first.sock")
    daemon = Daemon(program, host, os.path.join(scratch, "state-first"), None, "--listen", "unix:" + socket)
    try:
        p = Page(driver, daemon)
        driver.get(daemon.url + "/")
        p.log_in()
        p.wait("no account said so", lambda: p.text("login-why").startswith("There is no account yet"))
        command = p.text("login-how")
        assert p.shown("login-how") and command.count("/run/cxl-redfish/redfish.sock") == 1, command
        command = command.replace("/run/cxl-redfish/redfish.sock", socket).replace("…", PASSWORD + "-long")
        subprocess.run(["sh", "-c", command + " --fail --silent"], check=True, stdout=subprocess.DEVNULL)
        p.log_in(password=PASSWORD + "-long")
        p.wait_drawn()
        assert p.text("login-why") == "" and not p.shown("login-how")
        p.js("sessionStorage.clear()")
        driver.get("about:blank")
    finally:
        daemon.stop()
    p.console()


def check_named(p):
    """A host with an Id of its own, and devices whose Ids begin with it, is shown as any other."""
    global SYSTEM, MANAGER
    usual = SYSTEM, MANAGER
    SYSTEM, MANAGER = "/redfish/v1/Systems/n7", "/redfish/v1/Managers/n7"
    try:
        assert all(m["Id"].startswith("n7-") for m in p.daemon.members(SYSTEM + "/Memory"))
        check_host(p, "named")
    finally:
        SYSTEM, MANAGER = usual


def check_restart(p):
    """The daemon is away for a while, and comes back with another store."""
    p.daemon.stop()
    p.js("document.getElementById('where').value = '0x1000'; document.getElementById('locate').requestSubmit()")
    p.wait("the outage said so", lambda: "does not answer" in p.text("banner"))
    before = p.drawings()
    shutil.rmtree(p.daemon.state)
    p.daemon.start()
    # Sessions end with the daemon; the page says so, and goes on after the login.
    p.wait("back", lambda: p.shown("login") or p.drawings() > before)
    if p.shown("login"):
        p.log_in()
        p.wait_drawn(before)
    p.wait("the stream", lambda: p.text("live") == "live")
    assert p.text("banner") == "", p.text("banner")
    check_log(p, p.daemon)


def run_on(driver, program, scratch, name, check, *options):
    """A check on a host that page.sh made; its store, too, when it made one."""
    daemon = Daemon(program, os.path.join(scratch, name), os.path.join(scratch, "state-" + name),
                    os.path.join(scratch, "password"), *options)
    try:
        driver.get("about:blank")
        check(Page(driver, daemon))
        driver.get("about:blank")
    finally:
        daemon.stop()


def main():
    program, hosts, scratch, *names = sys.argv[1:]
    try:
        driver = browser(scratch)
    except WebDriverException as e:
        print("SKIP: chromium does not start:", e.msg)
        return 77
    try:
        driver.execute_cdp_cmd("Page.enable", {})
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
            performance.setResourceTimingBufferSize(100000);
            performance.addEventListener('resourcetimingbufferfull', () => { window.resourcesFull = true; });"""})
        driver.set_script_timeout(WAIT_SECONDS)
        for i, name in enumerate(names):
            host = name if "/" in name else os.path.join(hosts, name + ".tar.zst")
            name = os.path.basename(name)
            daemon = Daemon(program, host, os.path.join(scratch, "state-" + name),
                            os.path.join(scratch, "password"))
            try:
                p = Page(driver, daemon)
                check_host(p, name)
                if i == 0:
                    for check in (check_names, check_records, check_physical, check_asked_again, check_late, check_forgets, check_ranges,
                                  check_shown, check_tables, check_phone):
                        check(p, daemon)
                    check_fields(p)
                    check_hidden(p)
                    check_tabs(p)
                    check_session_ends(p)
                    check_read_only(p)
                    check_stall(p)
                    check_limits(p)
                    check_restart(p)
                    check_back_off(p)
                p.js("sessionStorage.clear()")
                # Otherwise the page asks the daemon after its end, and the console is not quiet for the next host.
                driver.get("about:blank")
            finally:
                daemon.stop()
            p.console()
        check_no_account(driver, program, os.path.join(hosts, names[0] + ".tar.zst"), scratch)
        run_on(driver, program, scratch, "live", check_live, "--max-events", "1000000")
        run_on(driver, program, scratch, "interval", check_interval)
        run_on(driver, program, scratch, "named", check_named, "--system-id", "name:n7")
        devices, entries = int(os.environ["CXL_PAGE_DEVICES"]), int(os.environ["CXL_PAGE_ENTRIES"])
        run_on(driver, program, scratch, "scale", lambda p: check_scale(p, devices, entries),
               "--max-events", str(entries + 1000))
    finally:
        driver.quit()
    return 0


if __name__ == "__main__":
    sys.exit(main())
