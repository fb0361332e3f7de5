#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Ask a running service for everything it links to and hold it against the schemas.

    validate_redfish.py SOCKET SCHEMAS OEM

SOCKET is the service's Unix socket (no login), SCHEMAS the directory with DMTF's csdl/, json-schema/
and registries/, OEM the directory with our CSDL files; the JSON schemas made of them are the served
ones. Prints each violation; status 0 when there is none.
"""
import json
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import jsonschema

try:
    from referencing import Registry, Resource
    from referencing.jsonschema import DRAFT7
except ImportError:  # jsonschema before 4.18, as in Debian 12
    Registry = None

sys.dont_write_bytecode = True
from csdl import ANNOTATION, ANYTHING, EDM, Csdl, CsdlCheck  # noqa: E402
from redfish_client import PatientService, walk  # noqa: E402

DMTF = "http://redfish.dmtf.org/schemas/v1/"
EDMX = "{http://docs.oasis-open.org/odata/ns/edmx}"
ROOT = "/redfish/v1/"
# So many resources of a type are held against the schemas, and all that look like none before them;
# of more, the references are followed.
SAMPLE = 40


def features(body):
    """The form of a resource: each of its properties, with its value but for the numbers."""
    for where, item in walk(body):
        where = re.sub("[0-9]+", "#", where)
        for key, values in item.items():
            for value in values if isinstance(values, list) else [values]:
                if isinstance(value, str):
                    yield where, key, re.sub("[0-9][0-9A-Fa-f]*", "#", value)
                elif isinstance(value, (dict, list)):
                    yield where, key
                else:
                    yield where, key, value if value in (None, True, False) else "#"


class NoDefinitions(dict):
    """Stands for a version of a schema that is not in the directory: nothing is valid by it."""

    def __missing__(self, name):
        return False


class JsonSchemas:
    """DMTF's schemas from a directory; each file is read once and each validator made once."""

    def __init__(self, directory):
        self.directory = directory
        self.files = {}
        self.validators = {}
        self.fresh = {}
        self.registry = Registry(retrieve=self.retrieve) if Registry else None

    def read(self, name):
        if name not in self.files:
            self.files[name] = json.loads((self.directory / name).read_text())
            if name.count(".") == 1:
                self.complete(name, self.files[name])
        return self.files[name]

    def complete(self, name, schema):
        """
        An unversioned file of an older bundle lacks enumerations that a version refers to, which CSDL has; one that
        was made of a version lacks the reference that a resource may be.
        """
        path = self.directory.parent / "csdl" / name.replace(".json", "_v1.xml")
        if not path.exists() or "definitions" not in schema:
            return
        for kind in ET.parse(path).iter(EDM + "EnumType"):
            schema["definitions"].setdefault(
                kind.get("Name"), {"type": "string", "enum": [m.get("Name") for m in kind.iter(EDM + "Member")]})
        resource = schema["definitions"].get(name[:-len(".json")], {})
        if "x-note" in schema and "anyOf" in resource:
            resource["anyOf"].append({"$ref": DMTF + "odata-v4.json#/definitions/idRef"})

    def fetch(self, uri):
        if not uri.startswith(DMTF):
            raise ValueError("reference outside the schemas: " + uri)
        name = uri[len(DMTF):].split("#")[0]
        if not (self.directory / name).exists():
            return {"definitions": NoDefinitions()}
        return self.read(name)

    def retrieve(self, uri):
        self.fresh[uri] = Resource(self.fetch(uri), specification=DRAFT7)
        return self.fresh[uri]

    def keep_fresh(self):
        """
        A registry never changes, so that a file met while validating is looked through again for
        each reference to it, until the registry is replaced by one that has it.
        """
        if self.fresh:
            self.registry = self.registry.with_resources(self.fresh.items()).crawl()
            self.fresh = {}
            self.validators = {}

    def make(self, schema):
        if not Registry:
            resolver = jsonschema.RefResolver("", schema, handlers={"http": self.fetch})
            return jsonschema.Draft7Validator(schema, resolver=resolver)
        return jsonschema.Draft7Validator(schema, registry=self.registry)

    def errors(self, reference, body):
        self.keep_fresh()
        if reference not in self.validators:
            self.validators[reference] = self.make({"$ref": DMTF + reference})
        for error in self.validators[reference].iter_errors(body):
            error = jsonschema.exceptions.best_match([error])
            yield "%s: %s" % ("/".join(map(str, error.absolute_path)) or "(body)",
                              error.message[:300])

    def oem_errors(self, document, name, value):
        """Our own schemas refer to themselves, which needs no Id."""
        self.keep_fresh()
        if name not in self.validators:
            schema = {k: v for k, v in document.items() if k != "$id"}
            schema["$ref"] = "#/definitions/" + name.rpartition(".")[2]
            self.validators[name] = self.make(schema)
        for error in self.validators[name].iter_errors(value):
            yield "%s: %s" % ("/".join(map(str, error.absolute_path)), error.message[:300])

    def uris(self, name):
        """The URIs at which a schema allows its resources; none when it does not say."""
        return self.read(name + ".json")["definitions"][name].get("uris", [])


class Registries:
    """Messages by registry: DMTF's of a bundle, ours as it is served.

    A bundle without registries has those of a bundle beside it.
    """

    def __init__(self, bundle):
        self.messages = {}
        directory = bundle / "registries"
        if not directory.is_dir():
            directory = max(bundle.resolve().parent.glob("redfish-schemas*/registries"))
        for path in directory.glob("*.json"):
            registry = json.loads(path.read_text())
            if "RegistryVersion" in registry and "Messages" in registry:
                self.add(registry)

    def add(self, registry):
        major, minor, _ = registry["RegistryVersion"].split(".")
        prefix = "%s.%s.%s." % (registry["RegistryPrefix"], major, minor)
        for key, message in registry["Messages"].items():
            self.messages[prefix + key] = message

    def errors(self, message_id, text, arguments):
        if message_id not in self.messages:
            yield "%s is in no registry" % message_id
            return
        message = self.messages[message_id]
        if message["NumberOfArgs"] != len(arguments):
            yield "%s has %d arguments" % (message_id, len(arguments))
        for n, kind in enumerate(message.get("ParamTypes", [])[:len(arguments)]):
            if kind == "number" and not re.fullmatch(r"-?\d+(\.\d+)?", arguments[n]):
                yield "%s: '%s' is no number" % (message_id, arguments[n])
        expected = re.sub(r"%(\d)", lambda m: arguments[int(m[1]) - 1], message["Message"])
        if text != expected:
            yield "%s: '%s' instead of '%s'" % (message_id, text, expected)


class Validator:
    def __init__(self, service, schemas, csdl, oem_directory):
        self.service = service
        self.schemas = schemas
        self.csdl = csdl
        self.failures = 0
        self.bodies = {}
        self.registries = Registries(schemas.directory.parent)
        self.todo = []  # (URI, what links to it)
        self.links = []  # (URI, place, target, its type)
        self.seen = {}  # what those of a type have looked like
        self.checked = {}  # and how many of them were held against the schemas
        self.oem = self.served_schemas(oem_directory)
        self.namespaces = self.read_metadata()

    def fail(self, uri, text):
        self.failures += 1
        print("FAIL: %s: %s" % (uri, text))

    def served_schemas(self, directory):
        """Our CSDL is served as it is. Return: the JSON schemas made of it, by namespace."""
        found = {}
        for path in sorted(directory.glob("*.xml")):
            uri = ROOT + "schemas/" + path.name
            status, _, text = self.service.ask("GET", uri)
            if status != 200 or text != path.read_bytes():
                self.fail(uri, "is not served as it is in %s" % directory)
            namespace = path.stem.replace("_v1", ".v1_0_0")
            _, _, found[namespace] = self.service.ask_json(
                "GET", "%sschemas/%s.json" % (ROOT, namespace))
        return found

    def read_metadata(self):
        """The namespaces that $metadata includes; its own relative references must resolve."""
        uri = ROOT + "$metadata"
        document = ET.fromstring(self.service.ask("GET", uri)[2])
        found = set()
        for reference in document.iter(EDMX + "Reference"):
            target = reference.get("Uri")
            found.update(i.get("Namespace") for i in reference.iter(EDMX + "Include"))
            if target.startswith("/") and self.service.ask("GET", target)[0] != 200:
                self.fail(uri, "%s is missing" % target)
            if not target.startswith(("/", DMTF)):
                self.fail(uri, "odd reference %s" % target)
        for namespace in set(self.oem) - found:
            self.fail(uri, "%s is missing" % namespace)
        if document.find(".//%sEntityContainer" % EDM) is None:
            self.fail(uri, "no entity container")
        return found

    def check_types(self, uri, body):
        for where, item in walk(body):
            if "@odata.type" not in item:
                continue
            name = item["@odata.type"][1:]
            namespace = name.rpartition(".")[0]
            if namespace not in self.namespaces:
                self.fail(uri, "%s: %s is not in $metadata" % (where, namespace))
            if namespace in self.oem:
                for text in self.schemas.oem_errors(self.oem[namespace], name, item):
                    self.fail(uri, "%s: %s" % (where, text))

    def check_csdl(self, uri, body, full=None):
        check = CsdlCheck(self.csdl, body, full)
        for text in check.errors:
            self.fail(uri, text)
        self.links += [(uri,) + link for link in check.links]

    def check_identity(self, uri, body, schema):
        if body["@odata.id"] != uri:
            self.fail(uri, "@odata.id is %s" % body["@odata.id"])
        if "Id" in body and uri != ROOT and body["Id"] != uri.rpartition("/")[2]:
            self.fail(uri, "Id is %s" % body["Id"])
        for where, uris in (("JSON schema", self.schemas.uris(schema)),
                            ("CSDL", self.csdl.uris(schema))):
            allowed = [re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(u)) for u in uris]
            if allowed and not any(re.fullmatch(u, uri) or re.fullmatch(u, uri.rstrip("/"))
                                   for u in allowed):
                self.fail(uri, "is no URI for a %s by its %s" % (schema, where))

    def check_headers(self, uri, headers, body, reference):
        if headers["ETag"] != body.get("@odata.etag"):
            self.fail(uri, "ETag %s, @odata.etag %s" % (headers["ETag"], body.get("@odata.etag")))
        if headers["Link"] != "<%s%s>; rel=describedby" % (DMTF, reference.split("#")[0]):
            self.fail(uri, "Link is %s" % headers["Link"])

    def check_collection(self, uri, body):
        pages = [body]
        while "Members@odata.nextLink" in pages[-1]:
            status, _, page = self.service.ask_json("GET", pages[-1]["Members@odata.nextLink"])
            if status != 200 or not page["Members"]:
                self.fail(uri, "%s: status %d" % (pages[-1]["Members@odata.nextLink"], status))
                break
            pages.append(page)
            self.check_links(uri, page)
            self.check_inline(uri, page)
        self.check_inline(uri, body)
        members = [m["@odata.id"] for page in pages for m in page["Members"]]
        if len(set(members)) != len(members):
            self.fail(uri, "a member stands in it twice")
        if body["Members@odata.count"] != len(members):
            self.fail(uri, "Members@odata.count is wrong")
        # The memory of a Chassis is that of the System, which a second URI would show twice.
        top = re.sub("^/redfish/v1/Chassis/[^/]+/Memory$", "/redfish/v1/Systems/Host/Memory", uri.rstrip("/"))
        for member in members:
            if member.rpartition("/")[0] != top:
                self.fail(uri, "%s is not below it" % member)

    def check_inline(self, uri, page):
        """Members that stand in the collection whole are what they are alone."""
        for member in page["Members"]:
            if len(member) == 1:
                continue
            _, _, alone = self.service.ask_json("GET", member["@odata.id"])
            del alone["@odata.etag"]
            if member != alone:
                self.fail(uri, "%s is not what it is alone" % member["@odata.id"])

    def check_actions(self, uri, body):
        for where, item in walk(body.get("Actions", {}), "/Actions"):
            for name, action in item.items():
                if not name.startswith("#"):
                    continue
                declared = self.csdl.find(name[1:])
                if declared is None:
                    self.fail(uri, "%s is in none of our schemas" % name)
                    continue
                status, headers, _ = self.service.ask("GET", action["target"])
                if status != 405 or headers["Allow"] != "POST":
                    self.fail(uri, "%s: GET of the target gives %d" % (name, status))
                ours = name.startswith("#CXLHost")  # the others have tests of their own
                if ours and declared.find(EDM + "ReturnType") is not None:
                    self.run_action(uri, name, declared, action["target"])

    def run_action(self, uri, name, declared, target):
        """One address and several, or none, are answered in the form that the schema promises."""
        answer = declared.find(EDM + "ReturnType").get("Type")
        parameters = declared.findall(EDM + "Parameter")[1:]
        names = [p.get("Name") for p in parameters]
        if len(names) != 2 or "Text" in names:
            required = any(p.get("Nullable") == "false" for p in parameters)
            requests = ([] if required else [{}]) + [{first: "0x140"} for first in names[:1]]
            if "Text" in names:
                requests = [{"Text": "cxl_dram: memdev=%s dpa=%s hpa=%s region=region0" % words}
                            for words in (("mem0", "1000", "ffffffffffffffff"), ("mem1", "140", "850001000"),
                                          ("mem999", "0", "0"), ("mem2", "x", "0"))]
                requests.append({"Text": "cxl_poison: memdev=mem0 dpa=0x0 dpa_length=0x100000 source=Injected",
                                 "ThisBoot": True})
            for request in requests:
                status, _, body = self.service.ask_json("POST", target, json.dumps(request))
                if status != 200:
                    self.fail(uri, "%s %s: status %d" % (name, request, status))
                    continue
                self.check_csdl(target, body, answer)
                self.check_links(target, body)
            return
        one, many = names
        samples = ["0", "0x140", "0x210000100", "0x850001000", "0xffffffffffffffff"]
        for request in [{one: s} for s in samples] + [{many: samples}]:
            status, _, body = self.service.ask_json("POST", target, json.dumps(request))
            if status != 200:
                self.fail(uri, "%s %s: status %d" % (name, request, status))
                continue
            self.check_csdl(target, body, answer)
            self.check_links(target, body)
        status, _, body = self.service.ask_json("POST", target, json.dumps({one: "x"}))
        if status != 400:
            self.fail(uri, "%s with a malformed address: status %d" % (name, status))
        for text in self.schemas.errors("redfish-error.v1_0_2.json", body):
            self.fail(uri, "%s error response: %s" % (name, text))

    def check_registry_file(self, uri, body):
        """A registry of our own is served, follows its schema and says who it is."""
        for location in body["Location"]:
            if "Uri" not in location:
                continue
            status, _, registry = self.service.ask_json("GET", location["Uri"])
            if status != 200:
                self.fail(location["Uri"], "status %d" % status)
                continue
            namespace, _, name = registry["@odata.type"][1:].rpartition(".")
            for text in self.schemas.errors("%s.json#/definitions/%s" % (namespace, name), registry):
                self.fail(location["Uri"], text)
            name = location["Uri"].rpartition("/")[2]
            if registry["Id"] != re.sub(r"[.]json$", "", name):
                self.fail(location["Uri"], "Id is %s" % registry["Id"])
            self.check_types(location["Uri"], registry)

    def check_conditions(self, uri, body):
        for where, item in walk(body):
            for condition in item.get("Conditions", []) if where.endswith("/Status") else []:
                for text in self.registries.errors(condition["MessageId"], condition["Message"],
                                                   condition["MessageArgs"]):
                    self.fail(uri, "%s: %s" % (where, text))

    def check_message(self, uri, body):
        """An entry of a log has a message of a registry."""
        for text in self.registries.errors(body["MessageId"], body["Message"],
                                           body["MessageArgs"]):
            self.fail(uri, text)

    def check_links(self, uri, body):
        for where, item in walk(body):
            for key in ("@odata.id", "@Redfish.ActionInfo"):
                if key in item:
                    self.todo.append((item[key], "%s at %s" % (uri, where)))

    def check_link_types(self):
        for uri, where, target, kind in self.links:
            body = self.bodies.get(target)
            found = body["@odata.type"].rpartition(".")[2] if body else kind
            if kind != found and kind not in ANYTHING:
                self.fail(uri, "%s leads to the %s %s instead of a %s" %
                          (where, found, target, kind))

    def visit(self, uri, linked_from):
        self.bodies[uri] = None
        status, headers, body = self.service.ask_json("GET", uri)
        if status != 200:
            self.fail(uri, "status %d, linked from %s" % (status, linked_from))
            return
        self.bodies[uri] = body
        self.check_links(uri, body)
        kind = body["@odata.type"]
        seen, new = self.seen.setdefault(kind, set()), set(features(body))
        if self.checked.setdefault(kind, 0) < SAMPLE or not new <= seen:
            self.check(uri, headers, body)
            self.checked[kind] += 1
        seen |= new

    def check(self, uri, headers, body):
        namespace, _, name = body["@odata.type"][1:].rpartition(".")
        reference = "%s.json#/definitions/%s" % (namespace, name)
        for text in self.schemas.errors(reference, body):
            self.fail(uri, text)
        self.check_csdl(uri, body)
        self.check_types(uri, body)
        self.check_identity(uri, body, name)
        self.check_headers(uri, headers, body, reference)
        if "Members" in body:
            self.check_collection(uri, body)
        if name == "MessageRegistryFile":
            self.check_registry_file(uri, body)
        if name == "LogEntry":
            self.check_message(uri, body)
        self.check_conditions(uri, body)
        self.check_actions(uri, body)

    def read_registries(self):
        """Every condition, wherever it stands, has its message in our registry."""
        _, _, files = self.service.ask_json("GET", ROOT + "Registries")
        for member in files["Members"]:
            _, _, file = self.service.ask_json("GET", member["@odata.id"])
            for location in file["Location"]:
                if "Uri" not in location:
                    continue
                _, _, registry = self.service.ask_json("GET", location["Uri"])
                if "Messages" in registry:
                    self.registries.add(registry)

    def run(self):
        self.read_registries()
        self.todo.append((ROOT, "nowhere"))
        status, _, service = self.service.ask_json("GET", ROOT + "odata")
        if status != 200 or service["@odata.context"] != ROOT + "$metadata":
            self.fail(ROOT + "odata", "is no service document")
        self.todo += [(entry["url"], "odata") for entry in service["value"]]
        while self.todo:
            uri, linked_from = self.todo.pop()
            if uri not in self.bodies:
                self.visit(uri, linked_from)
        self.check_link_types()
        print("%d resources, %d checked, %d failures" %
              (len(self.bodies), sum(self.checked.values()), self.failures))
        return self.failures == 0


def main():
    path, schemas, oem = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    validator = Validator(PatientService(path), JsonSchemas(schemas / "json-schema"),
                          Csdl([schemas / "csdl", oem]), oem)
    return 0 if validator.run() else 1


if __name__ == "__main__":
    sys.exit(main())
