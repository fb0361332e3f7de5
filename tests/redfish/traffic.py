#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Random requests to a service, and then everything that it says against schemas, registries and rules.

    traffic.py DAEMON HOST SCRATCH SCHEMAS OEM SEED OPERATIONS

HOST is the directory of a captured host, which is changed; SCHEMAS has DMTF's csdl/ and json-schema/, OEM our CSDL.
So many OPERATIONS are done, chosen by SEED: accounts, sessions, subscriptions, tasks, uploads, logs, settings,
refusals, devices that vanish and come back, readings that change, restarts. Each answer and each event is judged when
it came, and all resources after each part, at the end, and after the last restart (traffic_judge.py). Prints each
violation with the seed, the operation and the URI; status 0 when there is none. So many operations take no time that
a test could depend on.
"""
import json
import os
import random
import signal
import struct
import sys
import urllib.parse
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "http"))
from csdl import Csdl  # noqa: E402
from event_peers import Daemon, Receiver, Stream, running, wait_for  # noqa: E402
from redfish_client import Service, basic  # noqa: E402
from validate_redfish import JsonSchemas  # noqa: E402
from traffic_judge import Judge, ParameterRules, PatchRules, allow_of, survey  # noqa: E402

ROOT = "/redfish/v1"
SYSTEM = ROOT + "/Systems/Host"
MANAGER = ROOT + "/Managers/Service"
ACCOUNTS = ROOT + "/AccountService/Accounts"
SESSIONS = ROOT + "/SessionService/Sessions"
SUBSCRIPTIONS = ROOT + "/EventService/Subscriptions"
EVENTS = ROOT + "/EventService/Actions/EventService."
TASKS = ROOT + "/TaskService/Tasks"
CAPTURES = "/LogServices/Captures/Actions/LogService.CollectDiagnosticData"
INCIDENTS = SYSTEM + "/LogServices/Incidents/Entries"
JSON = {"Content-Type": "application/json"}
ASYNC = {"Prefer": "respond-async"}
# Operations of a part; all resources are judged before each, and the service is started again behind it.
PART = 200
# Actions that would end the service or what the survey needs.
LEFT_OUT = ("#Manager.Reset", "#ComputerSystem.Reset")
VALUES = ("x", "", "0x1000", "PT1M", 0, 1, -1, 2**63, 1.5, True, None, [], {}, ["x"], {"@odata.id": SYSTEM}, "\u00e9\x01")
QUERIES = ("$expand=.($levels=2)", "$expand=*", "$select=Id,Name", "$top=1", "$skip=1", "only", "excerpt", "$top=x",
           "$filter=Id ne 'x'", "$filter=Id", "$expand=~&$select=Members", "$nothing=1", "$skiptoken=7", "other=1")
OPERATIONS = []


def operation(weight):
    def add(function):
        OPERATIONS.append((weight, function))
        return function
    return add


class Traffic:
    def __init__(self, argv):
        program, host, scratch, schemas, oem, self.seed, self.operations = argv
        self.host, self.random, self.number = Path(host), random.Random(int(self.seed)), 0
        self.doing = "the start"
        schemas, oem = Path(schemas), Path(oem)
        self.judge = Judge(JsonSchemas(schemas / "json-schema"), Csdl([schemas / "csdl", oem]), oem, self.place)
        self.daemon = Daemon(program, host, scratch, "--poll", "1", "--allow=alerts,firmware,partitions,fabric")
        self.receiver = Receiver()
        self.stream = self.service = None
        self.n_events = 0
        self.resources, self.away = {}, {}
        self.temperature = 20

    def choose(self, items):
        return self.random.choice(items)

    def place(self):
        return "seed %s, operation %d (%s)" % (self.seed, self.number, self.doing)

    # ---- requests

    def ask(self, method, uri, body=None, allowed=(200,), headers=None, by=None):
        """Return: the status and the JSON of the answer. `self.headers` are its headers."""
        sent = dict(headers or {})
        if body is not None and "Content-Type" not in sent:
            sent.update(JSON)
            body = body if isinstance(body, (str, bytes)) else json.dumps(body)
        status, self.headers, text = (by or self.service).ask(method, uri.replace(" ", "%20"), None, sent) \
            if body is None else self.send(by or self.service, method, uri, body, sent)
        return status, self.judge.answer(method, uri, status, self.headers, text, set(allowed))

    @staticmethod
    def send(service, method, uri, body, headers):
        # The service has closed the connection, if it was idle while all resources were judged.
        service.connection.close()
        service.connection.request(method, uri, body, dict(service.headers, **headers))
        answer = service.connection.getresponse()
        return answer.status, answer.headers, answer.read()

    def location(self):
        return urllib.parse.urlsplit(self.headers["Location"]).path

    def members(self, uri):
        status, body = self.ask("GET", uri, allowed={200, 404})
        return sorted(m["@odata.id"] for m in body["Members"]) if status == 200 else []

    def some(self, uri):
        """A member of a collection, or None."""
        members = self.members(uri)
        return self.choose(members) if members else None

    def known(self, kind=""):
        return sorted(uri for uri, body in self.resources.items() if body["@odata.type"].startswith("#" + kind))

    # ---- what may be read

    @operation(6)
    def read(self):
        uri = self.choose(self.known())
        if self.random.random() < 0.5:
            self.ask("GET", uri, allowed={200, 404})
        else:
            self.ask("GET", "%s?%s" % (uri, self.choose(QUERIES)), allowed={200, 400, 404, 501})

    @operation(1)
    def read_unchanged(self):
        uri = self.choose(self.known())
        self.ask("GET", uri, allowed={200, 404})
        if self.headers["ETag"]:
            self.ask("GET", uri, allowed={200, 304, 404}, headers={"If-None-Match": self.headers["ETag"]})
            self.ask("HEAD", uri, allowed={200, 404})

    # ---- accounts and sessions

    @operation(3)
    def make_account(self):
        name = "u%d" % self.number
        body = {"UserName": name, "Password": "a-Password-of-1", "RoleId": self.choose(
            ("ReadOnly", "Operator", "Administrator", "Root")), "Enabled": self.choose((True, True, "yes"))}
        if self.random.random() < 0.2:
            del body[self.choose(sorted(body))]
        if self.ask("POST", ACCOUNTS, body, {201, 400})[0] != 201:
            return
        uri, user = self.location(), Service(self.daemon.socket, basic(name, "a-Password-of-1"))
        self.ask("GET", SYSTEM, allowed={200, 401, 403}, by=user)
        self.ask("PATCH", ROOT + "/SessionService", {"SessionTimeout": 86400}, {200, 401, 403}, {"If-Match": "*"}, user)
        if self.ask("POST", SESSIONS, {"UserName": name, "Password": "a-Password-of-1"}, {201, 400, 403})[0] == 201:
            self.use_session(self.location(), {"X-Auth-Token": self.headers["X-Auth-Token"]})
        if self.random.random() < 0.6:
            # The last administrator stays.
            status, _ = self.ask("DELETE", uri, allowed={204, 403} if body["RoleId"] == "Administrator" else {204})
            self.ask("GET", uri, allowed={404} if status == 204 else {200})

    def use_session(self, uri, token):
        user = Service(self.daemon.socket)
        self.ask("GET", SYSTEM + "/Memory", headers=token, by=user)
        self.ask("GET", MANAGER + "/LogServices/Audit/Entries", allowed={200, 403}, headers=token, by=user)
        if self.random.random() < 0.5:
            self.ask("DELETE", uri, allowed={200, 204}, headers=token, by=user)
            self.ask("GET", SYSTEM, allowed={401}, headers=token, by=user)

    @operation(1)
    def change_account(self):
        uri = self.some(ACCOUNTS)
        if uri:
            change = self.choose(({"RoleId": "Operator"}, {"Enabled": False}, {"Locked": True}, {"Id": "7"},
                                         {"PasswordChangeRequired": True}, {"Password": "x"}, {"Oem": {}}, {}))
            self.ask("PATCH", uri, change, {200, 400, 403, 409})

    @operation(1)
    def fail_to_log_in(self):
        self.ask("POST", SESSIONS, {"UserName": "nobody", "Password": "wrong"}, {400, 401, 403})
        self.ask("GET", SYSTEM, allowed={401}, by=Service(self.daemon.socket, basic("nobody", "wrong")))

    @operation(1)
    def change_settings(self):
        # A session does not end between two requests of a survey.
        uri, change = self.choose((
            (ROOT + "/SessionService", {"SessionTimeout": self.random.randrange(80000, 90000)}),
            (ROOT + "/AccountService", {"MinPasswordLength": self.random.randrange(0, 12)}),
            (ROOT + "/AccountService", {"AccountLockoutThreshold": self.random.randrange(-1, 9)})))
        if uri.endswith("AccountService"):
            self.ask("PATCH", uri, change, {428})
        self.ask("PATCH", uri, change, {400, 412}, {"If-Match": '"no"'})
        self.ask("PATCH", uri, change, {200, 202, 400}, dict(self.choose(({}, ASYNC)), **{"If-Match": "*"}))

    # ---- events

    def filters(self):
        choose = self.choose
        found = {"Context": choose(("traffic", "")), "HttpHeaders": [{"X-Traffic": "1"}],
                 "RegistryPrefixes": choose((["CXLHost"], ["ResourceEvent", "TaskEvent"], ["None"])),
                 "ExcludeMessageIds": ["a.b"], "Severities": choose((["OK"], ["Critical", "Warning"], ["Bad"])),
                 "ResourceTypes": ["Memory"], "SubordinateResources": True, "MessageIds": ["CXLHost.1.0.IncidentOpened"],
                 "OriginResources": [{"@odata.id": choose((SYSTEM, ROOT + "/nothing"))}], "EventTypes": ["Alert"],
                 "IncludeOriginOfCondition": choose((True, None, 1)), "DeliveryRetryPolicy": "RetryForever"}
        return {key: found[key] for key in self.random.sample(sorted(found), self.random.randrange(5))}

    @operation(3)
    def subscribe(self):
        body = dict({"Destination": self.receiver.url, "Protocol": "Redfish"}, **self.filters())
        if self.ask("POST", SUBSCRIPTIONS, body, {201, 400})[0] == 201 and self.random.random() < 0.5:
            uri = self.location()
            self.ask("PATCH", uri, {self.choose(("Context", "Protocol", "Id")): "later"}, {200, 400})
            self.ask("POST", uri + "/Actions/EventDestination.ResumeSubscription", {}, {204, 400, 409})

    @operation(1)
    def unsubscribe(self):
        uri = self.some(SUBSCRIPTIONS)
        if uri and self.ask("GET", uri, allowed={200, 404})[1].get("Context") not in ("all", "stream", None):
            if self.ask("GET", uri)[1]["SubscriptionType"] == "RedfishEvent":
                self.ask("DELETE", uri, allowed={200, 204})

    @operation(2)
    def submit_event(self):
        body = {"MessageId": "Traffic.1.0.Event", "Message": "event %d" % self.number,
                "MessageSeverity": self.choose(("OK", "Critical", "Bad")),
                "OriginOfCondition": self.choose((SYSTEM, "nowhere"))}
        self.ask("POST", EVENTS + "SubmitTestEvent", body, {204, 400})
        self.ask("POST", EVENTS + "TestEventSubscription", {}, {204, 503})

    # ---- tasks, uploads, logs

    @operation(1)
    def collect(self):
        body = self.choose(({"DiagnosticDataType": "OS"}, {"DiagnosticDataType": "Manager"}, {}, {
            "DiagnosticDataType": "OEM", "OEMDiagnosticDataType": "CXLHostCaptureMasked"}, {"DiagnosticDataType": "OEM"}))
        status, task = self.ask("POST", self.choose((SYSTEM, MANAGER)) + CAPTURES, body, {202, 400, 409})
        if status != 202:
            return
        monitor = self.location()
        wait_for("the task", lambda: self.ask("GET", monitor, allowed={200, 201, 202, 204, 404, 409, 410, 500})[0] != 202)
        self.ask("GET", task["@odata.id"], allowed={200, 404})
        if self.random.random() < 0.5:
            self.ask("DELETE", task["@odata.id"], allowed={204, 404})

    @operation(1)
    def upload(self):
        _, service = self.ask("GET", ROOT + "/UpdateService")
        targets = self.random.sample(self.known("SoftwareInventory."), min(1, len(self.known("SoftwareInventory."))))
        parts = [("UpdateParameters", "application/json", json.dumps({"Targets": targets})),
                 ("UpdateFile", "application/octet-stream", "x" * self.random.randrange(2000))]
        body = "".join("--b\r\nContent-Disposition: form-data; name=\"%s\"\r\nContent-Type: %s\r\n\r\n%s\r\n" % part
                       for part in parts) + "--b--\r\n"
        self.ask("POST", service["MultipartHttpPushUri"], body, {202, 400, 405, 415},
                 {"Content-Type": self.choose(("multipart/form-data; boundary=b", "text/plain"))})

    @operation(1)
    def clear_log(self):
        logs = self.known("LogService.")
        self.ask("POST", self.choose(logs) + "/Actions/LogService.ClearLog",
                 self.choose(({}, {"LogEntriesETag": '"no"'}, {"Other": 1})), {202, 204, 400, 404, 405, 428})

    @operation(3)
    def annotate(self):
        uri = self.some(self.choose((INCIDENTS, SYSTEM + "/LogServices/CXL/Entries")))
        if uri:
            change = self.choose(({"Resolved": True}, {"Resolved": False}, {"Message": "x"}, {
                "Oem": {"CXLHost": {"Acknowledged": True, "Note": "note %d" % self.number}}}))
            self.ask("PATCH", uri, change, {200, 400, 404})

    # ---- anything

    @operation(6)
    def patch_anything(self):
        uri = self.choose(self.known())
        status, body = self.ask("GET", uri, allowed={200, 404})
        if status == 404 or body.get("@odata.type", "").startswith(("#EventDestination", "#SessionService", "#ManagerAccount.")):
            return
        name = self.choose(sorted(body) + ["Unknown"])
        value = self.choose((body.get(name), *VALUES))
        self.ask("PATCH", uri, {name: value}, {200, 202, 400, 403, 405, 409}, {"If-Match": "*"})

    @operation(4)
    def act(self):
        uri = self.choose(self.known())
        actions = self.resources[uri].get("Actions", {})
        actions = sorted(dict(actions, **actions.get("Oem", {})).items())
        actions = [(name, action) for name, action in actions if name.startswith("#") and name not in LEFT_OUT]
        if not actions:
            return
        _, action = self.choose(actions)
        body = {}
        if "@Redfish.ActionInfo" in action:
            info = self.ask("GET", action["@Redfish.ActionInfo"], allowed={200, 404})[1]
            for parameter in info.get("Parameters", []):
                if self.random.random() < 0.6:
                    body[parameter["Name"]] = self.choose((*parameter.get("AllowableValues", ()), *VALUES))
        self.ask("POST", action["target"], body, {200, 201, 202, 204, 400, 403, 404, 405, 409, 412, 428})

    @operation(3)
    def be_refused(self):
        uri, choose = self.choose(self.known()), self.choose
        method, body, headers, allowed = choose((
            ("PUT", {}, {}, {404, 405}), ("TRACE", None, {}, {404, 405, 501}), ("DELETE", None, {"If-Match": '"no"'}, {404, 405, 412}),
            ("POST", "{", {}, {400, 404, 405}), ("PATCH", "[1]", {}, {400, 404, 405, 428}),
            ("PATCH", '{"a":1,"a":2}', {}, {400, 404, 405, 428}), ("PATCH", "{}", {"Content-Type": "text/plain"}, {404, 405, 415, 428}),
            ("GET", None, {"Accept": "text/html"}, {200, 404, 406}), ("GET", None, {"OData-Version": "9.0"}, {412, 404}),
            ("GET", None, {"X-Auth-Token": "0" * 32}, {401, 200}), ("POST", "x" * 70000, {}, {400, 404, 405, 413})))
        self.ask(method, uri, body, allowed, headers)
        self.ask("GET", choose((uri + "/nothing", ROOT + "/%2e%2e/x", ROOT + "//x", uri + "?$expand=", "/other")),
                 allowed={400, 404})

    # ---- the host

    def seen(self, change):
        """Changes the topology, and waits until it was read again after that."""
        before = self.daemon.log().count("topology was read again")
        change()
        for n in (1, 2):  # the first may have begun before the change
            os.kill(self.daemon.process.pid, signal.SIGHUP)
            wait_for("the topology", lambda n=n: self.daemon.log().count("topology was read again") >= before + n)

    def devices(self):
        return sorted(p for p in (self.host / "sys/bus/cxl/devices").iterdir() if p.name.startswith("mem"))

    @operation(1)
    def unplug(self):
        present = self.devices()
        if len(present) < 2:
            return self.plug_in()
        device = self.choose(present)
        self.away[device] = os.readlink(device)
        self.seen(device.unlink)

    @operation(1)
    def plug_in(self):
        if self.away:
            device = self.choose(sorted(self.away))
            self.seen(lambda: device.symlink_to(self.away.pop(device)))

    @operation(2)
    def heat(self):
        """A device reports another temperature and state; incidents open and close by that."""
        files = [f for f in sorted(self.host.glob("mbox/mem*/health_info.bin")) if f.stat().st_size == 18 and
                 (self.host / "sys/bus/cxl/devices" / f.parent.name).is_symlink()]
        if not files:
            return
        self.temperature += 1
        file = self.choose(files)
        state, media, level = self.choose(((0, 0, 0), (0, 0, 0), (1, 0, 0x01), (3, 0, 0x15), (7, 3, 0x3a)))
        answer = bytearray(file.read_bytes())
        answer[:3], answer[4:6] = bytes((state, media, level)), struct.pack("<h", self.temperature)
        (file.parent / "new").write_bytes(answer)
        (file.parent / "new").rename(file)
        wait_for("the temperature", lambda: self.temperature in self.temperatures())

    def temperatures(self):
        for memory in self.members(SYSTEM + "/Memory"):
            metrics = self.ask("GET", memory)[1]["EnvironmentMetrics"]["@odata.id"]
            yield self.ask("GET", metrics)[1].get("TemperatureCelsius", {}).get("Reading")

    def restart(self):
        self.end_stream()
        self.daemon.stop()
        self.daemon.start()
        self.begin()

    # ---- the run

    def begin(self):
        self.service = Service(self.daemon.socket)
        self.stream = Stream(self.daemon.socket, last_id=self.n_events)

    def end_stream(self):
        """Waits for an event of this operation, behind all others, and judges them."""
        text = "end of %d" % self.number
        self.ask("POST", EVENTS + "SubmitTestEvent", {"MessageId": "Traffic.1.0.End", "Message": text}, {204})
        wait_for("the end of the stream", lambda: text in self.stream.texts())
        wait_for("the end of what is pushed", lambda: text in self.receiver.texts())
        ids = self.stream.ids()
        self.judge.check(ids == sorted(set(ids)), "the stream", "numbers of events are %s" % ids)
        for number, body, _ in self.stream.events:
            self.judge.event("event %d of the stream" % number, body)
        self.n_events = ids[-1]
        self.stream.close()

    def look(self):
        self.resources = survey(self.daemon.socket, self.judge)

    def run_part(self, n):
        weights = [weight for weight, _ in OPERATIONS]
        for _ in range(n):
            self.number += 1
            function = self.random.choices([f for _, f in OPERATIONS], weights)[0]
            self.doing = function.__name__
            function(self)

    def rules(self):
        """The first resource of each type, and of each Allow."""
        patch, parameters, seen = PatchRules(self.judge, self.ask), ParameterRules(self.judge, self.ask), set()
        for uri, body in sorted(self.resources.items()):
            kind = body["@odata.type"]
            status, now = self.ask("GET", uri, allowed={200, 404})
            allow = allow_of(self.headers)
            if status == 404 or (kind, tuple(allow)) in seen:
                continue
            seen.add((kind, tuple(allow)))
            patch.check(uri, allow, now)
            parameters.collection(uri, allow, now)
            actions = now.get("Actions", {})
            for name, action in sorted(dict(actions, **actions.get("Oem", {})).items()):
                if name.startswith("#"):
                    parameters.action(uri, name, action)

    def run(self):
        self.begin()
        self.ask("POST", SUBSCRIPTIONS, {"Destination": self.receiver.url, "Protocol": "Redfish", "Context": "all"}, {201})
        while self.number < int(self.operations):
            self.doing = "survey"
            self.look()
            self.run_part(min(PART, max(1, int(self.operations) // 2), int(self.operations) - self.number))
            self.doing = "restart"
            self.restart()
        while self.away:
            self.plug_in()
        self.doing = "survey"
        self.look()
        self.doing = "rules"
        self.rules()
        self.doing = "survey"
        self.look()
        self.doing = "end"
        self.end_stream()
        for i, body in enumerate(self.receiver.bodies):
            self.judge.event("pushed event %d" % i, body)


def main():
    traffic = Traffic(sys.argv[1:])
    with running(traffic.daemon):
        traffic.run()
    traffic.receiver.close()
    print("seed %s: %d operations, %d resources, %d answers and events judged, %d events pushed, %d failures" %
          (traffic.seed, traffic.number, len(traffic.resources), traffic.judge.judged, len(traffic.receiver.bodies),
           traffic.judge.failures))
    return 1 if traffic.judge.failures else 0


if __name__ == "__main__":
    sys.exit(main())
