# SPDX-License-Identifier: LGPL-2.1-or-later
"""The judge of tests/redfish/traffic.py: all that a service says, against schemas, registries and rules.

A single answer or event is judged when it came (Judge). All resources together are judged when no request is on its
way (Survey, PatchRules, ParameterRules).
"""
import json
import re
import sys

sys.dont_write_bytecode = True
from csdl import ANNOTATION, EDM, CsdlCheck, annotations  # noqa: E402
from redfish_client import PatientService, messages, walk  # noqa: E402
from validate_redfish import Registries, Validator, features  # noqa: E402
from walk_redfish import Links  # noqa: E402

ERROR_SCHEMA = "redfish-error.v1_0_2.json"
JSON = "application/json"
# A poll, or the end of a delivery, can fall between two requests of one survey. Surveys are repeated until two find
# the same; so many times.
SURVEYS = 20


class Judge:
    """Counts what is wrong, and prints it with `place()`, the seed and the number of the operation."""

    def __init__(self, schemas, csdl, oem, place):
        self.schemas, self.csdl, self.oem, self.place = schemas, csdl, oem, place
        self.registries = Registries(schemas.directory.parent)
        self.seen = {}  # form of the answers of a type
        self.failures = self.judged = 0

    def fail(self, uri, text):
        self.failures += 1
        print("FAIL: %s: %s: %s" % (self.place(), uri, text), flush=True)

    def check(self, condition, uri, text):
        if not condition:
            self.fail(uri, text)

    def is_new(self, kind, body):
        """Whether no body of that type looked like this one."""
        seen, new = self.seen.setdefault(kind, set()), set(features(body))
        known = bool(seen) and new <= seen
        seen |= new
        return not known

    def message_ids(self, uri, body):
        """Each message, wherever it stands, is one of a registry."""
        for where, item in walk(body):
            if not isinstance(item.get("MessageId"), str):
                continue
            for text in self.registries.errors(item["MessageId"], item.get("Message"), item.get("MessageArgs", [])):
                self.fail(uri, "%s: %s" % (where, text))

    def error(self, uri, status, body):
        """The body of a refusal."""
        for text in self.schemas.errors(ERROR_SCHEMA, body):
            self.fail(uri, "error of status %d: %s" % (status, text))
        self.message_ids(uri, body)
        items = body.get("error", {}).get("@Message.ExtendedInfo", [])
        self.check(items, uri, "an error of status %d without messages" % status)
        for item in items:
            for pointer in item.get("RelatedProperties", []):
                self.check(pointer.startswith("#/"), uri, "RelatedProperties has %s" % pointer)

    def resource(self, uri, body):
        """Query options leave out what is required, or put in what was linked."""
        kind = body["@odata.type"]
        if "?" not in uri and self.is_new(kind, body):
            namespace, _, name = kind[1:].rpartition(".")
            for text in self.schemas.errors("%s.json#/definitions/%s" % (namespace, name), body):
                self.fail(uri, text)
            for text in CsdlCheck(self.csdl, body).errors:
                self.fail(uri, text)
        self.message_ids(uri, body)

    def answer(self, method, uri, status, headers, text, allowed):
        """One answer to one request. @allowed: the statuses that may be. Return: its JSON, {} without."""
        self.judged += 1
        body = {}
        if text and (headers["Content-Type"] or "").startswith(JSON):
            body = json.loads(text)
        if status not in allowed and status != 503:
            self.fail(uri, "%s gives %d instead of %s: %s" % (method, status, sorted(allowed), text[:400]))
        if status == 405:
            self.check(headers["Allow"] is not None and method not in headers["Allow"].split(", "), uri,
                       "405 for %s, and Allow is %s" % (method, headers["Allow"]))
        if status >= 400 and method != "HEAD":
            self.error(uri, status, body)
        elif body.get("@odata.type", "").count("."):
            self.resource(uri, body)
        return body

    def event(self, where, body):
        """One event, of a stream or pushed."""
        self.judged += 1
        name, version, _ = body["@odata.type"].lstrip("#").split(".")
        for record in body["Events"]:
            self.included(where, record)
        for text in self.schemas.errors("%s.%s.json#/definitions/%s" % (name, version, name), body):
            self.fail(where, text)
        for record in body["Events"]:
            if record["MessageId"].startswith("Traffic."):
                continue  # Its text was submitted.
            for text in self.registries.errors(record["MessageId"], record.get("Message"), record.get("MessageArgs", [])):
                self.fail(where, text)


    def included(self, where, record):
        """An origin that IncludeOriginOfCondition put in stands in place of the link that the schema has."""
        origin = record.get("OriginOfCondition", {})
        if "@odata.type" in origin:
            if origin["@odata.type"].count("."):
                self.resource("%s: %s" % (where, origin["@odata.id"]), origin)
            record["OriginOfCondition"] = {"@odata.id": origin["@odata.id"]}


# Links that name whatever a client asked for, which may be gone, as those of the audit log do.
ANYWHERE = ("OriginResources",)


class Survey(Validator):
    """Every resource, and every link in both directions; what is wrong is kept."""

    def __init__(self, service, judge):
        self.found_wrong = []
        super().__init__(service, judge.schemas, judge.csdl, judge.oem)

    def fail(self, uri, text):
        self.found_wrong.append((uri, text))

    def check_links(self, uri, body):
        super().check_links(uri, {key: value for key, value in body.items() if key not in ANYWHERE})

    @property
    def found(self):
        """As walk_redfish.Links has it."""
        return self.bodies

    def look(self):
        self.run()
        self.bodies = {uri: body for uri, body in self.bodies.items() if body and "@odata.type" in body}
        found = Links(self)
        found.at = {(uri, path): to for (uri, path), to in found.at.items()
                    if path not in ANYWHERE and "/Audit/Entries/" not in uri}
        found.check_all()
        return self


def survey(path, judge):
    """Return: the resources by their URIs. Reports what two surveys find, one behind the other."""
    before = None
    for _ in range(SURVEYS):
        now = Survey(PatientService(path), judge).look()
        wrong = set(now.found_wrong)
        repeated = wrong if before is None else wrong & before
        if not wrong or before is not None and repeated:
            break
        before = wrong
    judge.registries = now.registries
    for uri, text in sorted(repeated):
        judge.fail(uri, text)
    for uri, body in now.bodies.items():
        judge.judged += 1
        judge.message_ids(uri, body)
    return now.bodies


def another(value):
    """A value of the same type that the property does not have."""
    if isinstance(value, bool):
        return not value
    return value + "x" if isinstance(value, str) else (value or 0) + 1


def is_read_only(element):
    permissions = annotations(element).get("OData.Permissions")
    return permissions is not None and permissions.get("EnumMember") == "OData.Permission/Read"


class PatchRules:
    """A property that the schema lets nobody change is refused by its name, and remains what it is."""

    def __init__(self, judge, ask):
        self.judge, self.ask = judge, ask

    def read_only(self, body):
        known = self.judge.csdl.properties(body["@odata.type"][1:])
        return sorted(name for name in body if not ANNOTATION.match(name) and name in known and
                      is_read_only(known[name]) and not isinstance(body[name], (dict, list)))

    def check(self, uri, allow, body):
        names = self.read_only(body)
        if not names:
            return
        # A reply has at most eight messages.
        for some in (names[i:i + 8] for i in range(0, len(names), 8)):
            status, answer = self.ask("PATCH", uri, {name: another(body[name]) for name in some}, {400, 405},
                                      {"If-Match": "*"})
            if "PATCH" not in allow:
                self.judge.check(status == 405, uri, "PATCH gives %d, and Allow has no PATCH" % status)
                return
            refused = messages(answer).get("PropertyNotWritable", [])
            for name in some:
                self.judge.check("#/" + name in refused, uri, "PATCH of %s, which is read-only: %s" % (name, answer))
        _, after = self.ask("GET", uri, None, {200})
        for name in names:
            self.judge.check(isinstance(body[name], int) or after.get(name) != another(body[name]), uri,
                             "%s was refused, and is %s" % (name, after.get(name)))


class ParameterRules:
    """Each property that an action or a collection requires is demanded by its name."""

    def __init__(self, judge, ask):
        self.judge, self.ask = judge, ask

    def action(self, uri, name, action):
        info = action.get("@Redfish.ActionInfo")
        if not info:
            return
        _, body = self.ask("GET", info, None, {200})
        self.declared(info, name, body)
        required = [p["Name"] for p in body.get("Parameters", []) if p.get("Required")]
        if not required:
            return
        _, answer = self.ask("POST", action["target"], {}, {400, 405, 409})
        missing = messages(answer).get("ActionParameterMissing")
        if missing is not None:
            for one in required:
                self.judge.check("#/" + one in missing, uri, "%s without %s: %s" % (name, one, answer))

    def declared(self, info, name, body):
        """The parameters are those of the schema."""
        element = self.judge.csdl.find(name[1:])
        if element is None:
            self.judge.fail(info, "%s is in no schema" % name)
            return
        known = {p.get("Name"): p.get("Nullable") for p in element.findall(EDM + "Parameter")[1:]}
        for parameter in body.get("Parameters", []):
            self.judge.check(parameter["Name"] in known, info, "%s is no parameter of %s" % (parameter["Name"], name))
        required = {p["Name"] for p in body.get("Parameters", []) if p.get("Required")}
        for one, nullable in known.items():
            self.judge.check(nullable != "false" or one in required, info, "%s of %s is not required" % (one, name))

    def collection(self, uri, allow, body):
        if "Members" not in body or "POST" not in allow:
            return
        status, answer = self.ask("POST", uri, {}, {400, 405, 501})
        found = messages(answer)
        self.judge.check(status != 400 or set(found) & {"CreateFailedMissingReqProperties", "EmptyJSON"}, uri,
                         "POST of nothing: %s" % answer)


def allow_of(headers):
    return re.split(", *", headers["Allow"] or "")
