#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Ask a running service for everything it links to and hold it against the schemas.

    validate_redfish.py SOCKET SCHEMAS OEM

SOCKET is the service's Unix socket (no login), SCHEMAS the folder with DMTF's json-schema/ and registries/,
OEM the folder with our CSDL files. Prints each violation; status 0 when there is none.
"""
import http.client
import json
import re
import socket
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import jsonschema

DMTF = "http://redfish.dmtf.org/schemas/v1/"
EDM = "{http://docs.oasis-open.org/odata/ns/edm}"
EDMX = "{http://docs.oasis-open.org/odata/ns/edmx}"
ROOT = "/redfish/v1/"
ANNOTATION = re.compile(r"^([A-Za-z_]\w*)?@(odata|Redfish|Message)\.\w+$")


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=20)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(20)
        self.sock.connect(self.path)


def no_duplicates(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError("duplicate properties: %s" % sorted({k for k in keys if keys.count(k) > 1}))
    return dict(pairs)


class Service:
    def __init__(self, path):
        self.connection = UnixConnection(path)

    def ask(self, method, uri, body=None):
        headers = {"Content-Type": "application/json"} if body is not None else {}
        self.connection.request(method, uri, body, headers)
        answer = self.connection.getresponse()
        return answer.status, answer.headers, answer.read()

    def ask_json(self, method, uri, body=None):
        status, headers, text = self.ask(method, uri, body)
        return status, headers, json.loads(text, object_pairs_hook=no_duplicates)


class NoDefinitions(dict):
    """Stands for a version of a schema that is not in the folder: nothing is valid by it."""

    def __missing__(self, name):
        return False


class JsonSchemas:
    """DMTF's schemas from a folder; each file is read once and each validator made once."""

    def __init__(self, folder):
        self.folder = folder
        self.files = {}
        self.validators = {}

    def read(self, name):
        if name not in self.files:
            self.files[name] = json.loads((self.folder / name).read_text())
        return self.files[name]

    def fetch(self, uri):
        if not uri.startswith(DMTF):
            raise ValueError("reference outside the schemas: " + uri)
        name = uri[len(DMTF):].split("#")[0]
        if not (self.folder / name).exists():
            return {"definitions": NoDefinitions()}
        return self.read(name)

    def make(self, schema):
        try:
            from referencing import Registry, Resource
            from referencing.jsonschema import DRAFT7
        except ImportError:  # jsonschema before 4.18, as in Debian 12
            resolver = jsonschema.RefResolver("", schema, handlers={"http": self.fetch})
            return jsonschema.Draft7Validator(schema, resolver=resolver)
        registry = Registry(
            retrieve=lambda uri: Resource(self.fetch(uri), specification=DRAFT7))
        return jsonschema.Draft7Validator(schema, registry=registry)

    def errors(self, reference, body):
        if reference not in self.validators:
            self.validators[reference] = self.make({"$ref": DMTF + reference})
        for error in self.validators[reference].iter_errors(body):
            error = jsonschema.exceptions.best_match([error])
            yield "%s: %s" % ("/".join(map(str, error.absolute_path)) or "(body)",
                              error.message[:300])

    def uris(self, name):
        """The URIs at which a schema allows its resources; none when it does not say."""
        return self.read(name + ".json")["definitions"][name].get("uris", [])


class OemSchemas:
    """The complex types and actions of our CSDL files."""

    def __init__(self, texts):
        self.types = {}
        self.actions = {}
        for text in texts:
            for schema in ET.fromstring(text).iter(EDM + "Schema"):
                namespace = schema.get("Namespace")
                for t in schema.iter(EDM + "ComplexType"):
                    self.types[namespace + "." + t.get("Name")] = t
                for action in schema.iter(EDM + "Action"):
                    self.actions["#%s.%s" % (namespace, action.get("Name"))] = action

    def properties(self, name):
        t = self.types[name]
        base = t.get("BaseType")
        found = self.properties(base) if base in self.types else {}
        for kind in ("Property", "NavigationProperty"):
            for p in t.findall(EDM + kind):
                pattern = [a.get("String") for a in p.findall(EDM + "Annotation")
                           if a.get("Term") == "Validation.Pattern"]
                found[p.get("Name")] = (p.get("Type"), pattern[0] if pattern else None)
        return found

    def errors(self, name, value, where):
        if name not in self.types:
            yield "%s: %s is in none of our schemas" % (where, name)
            return
        if not isinstance(value, dict):
            yield "%s: no object" % where
            return
        known = self.properties(name)
        for key, item in value.items():
            if ANNOTATION.match(key):
                continue
            if key not in known:
                yield "%s: %s is not a property of %s" % (where, key, name)
                continue
            yield from self.value_errors(known[key][0], known[key][1], item, where + "/" + key)

    def value_errors(self, kind, pattern, value, where):
        if kind.startswith("Collection("):
            if not isinstance(value, list):
                yield "%s: no array" % where
                return
            for i, item in enumerate(value):
                yield from self.value_errors(kind[11:-1], pattern, item, "%s/%d" % (where, i))
        elif kind in self.types:
            yield from self.errors(kind, value, where)
        elif not kind.startswith("Edm."):
            if not isinstance(value, dict) or list(value) != ["@odata.id"]:
                yield "%s: no link" % where
        else:
            python = {"Edm.String": str, "Edm.Int64": int, "Edm.Boolean": bool}[kind]
            if type(value) is not python:
                yield "%s: %r is no %s" % (where, value, kind)
            elif pattern and not re.search(pattern, value):
                yield "%s: %r does not match %s" % (where, value, pattern)


class Registries:
    """Messages by registry: DMTF's from a folder of published ones, ours as it is served."""

    def __init__(self, folder):
        self.messages = {}
        for path in folder.glob("*.json"):
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


def walk(value, where=""):
    """All objects within a body, with their places."""
    if isinstance(value, dict):
        yield where or "(body)", value
        for key, item in value.items():
            yield from walk(item, where + "/" + key)
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from walk(item, "%s/%d" % (where, i))


class Validator:
    def __init__(self, service, schemas, oem_folder):
        self.service = service
        self.schemas = schemas
        self.failures = 0
        self.bodies = {}
        self.registries = Registries(schemas.folder.parent / "registries")
        self.oem = OemSchemas(self.served_schemas(oem_folder))
        self.namespaces = self.read_metadata()

    def fail(self, uri, text):
        self.failures += 1
        print("FAIL: %s: %s" % (uri, text))

    def served_schemas(self, folder):
        for path in sorted(folder.glob("*.xml")):
            uri = ROOT + "schemas/" + path.name
            status, _, text = self.service.ask("GET", uri)
            if status != 200 or text != path.read_bytes():
                self.fail(uri, "is not served as it is in %s" % folder)
            yield path.read_text()

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
            if name.startswith("CXLHost"):
                for text in self.oem.errors(name, item, where):
                    self.fail(uri, text)
        for where, item in walk(body.get("Oem", {}), "/Oem"):
            if where == "/Oem/CXLHost" and "@odata.type" not in item:
                self.fail(uri, "%s has no type" % where)

    def check_identity(self, uri, body, schema):
        if body["@odata.id"] != uri:
            self.fail(uri, "@odata.id is %s" % body["@odata.id"])
        if "Id" in body and uri != ROOT and body["Id"] != uri.rpartition("/")[2]:
            self.fail(uri, "Id is %s" % body["Id"])
        allowed = [re.sub(r"\{\w+\}", "[^/]+", re.escape(u).replace(r"\{", "{").replace(r"\}", "}"))
                   for u in self.schemas.uris(schema)]
        if allowed and not any(re.fullmatch(u, uri) or re.fullmatch(u, uri.rstrip("/"))
                               for u in allowed):
            self.fail(uri, "is no URI for a %s" % schema)

    def check_headers(self, uri, headers, body, reference):
        if headers["ETag"] != body.get("@odata.etag"):
            self.fail(uri, "ETag %s, @odata.etag %s" % (headers["ETag"], body.get("@odata.etag")))
        if headers["Link"] != "<%s%s>; rel=describedby" % (DMTF, reference.split("#")[0]):
            self.fail(uri, "Link is %s" % headers["Link"])

    def check_collection(self, uri, body):
        members = [m["@odata.id"] for m in body["Members"]]
        if len(set(members)) != len(members):
            self.fail(uri, "a member stands in it twice")
        if body["Members@odata.count"] != len(members):
            self.fail(uri, "Members@odata.count is wrong")
        for member in members:
            if member.rpartition("/")[0] != uri.rstrip("/"):
                self.fail(uri, "%s is not below it" % member)

    def check_actions(self, uri, body):
        for where, item in walk(body.get("Actions", {}), "/Actions"):
            for name, action in item.items():
                if not name.startswith("#"):
                    continue
                if name not in self.oem.actions:
                    self.fail(uri, "%s is in none of our schemas" % name)
                    continue
                status, headers, _ = self.service.ask("GET", action["target"])
                if status != 405 or headers["Allow"] != "POST":
                    self.fail(uri, "%s: GET of the target gives %d" % (name, status))
                self.run_action(uri, name, action["target"])

    def run_action(self, uri, name, target):
        """One address and several are answered in the form that the schema promises."""
        declared = self.oem.actions[name]
        answer = declared.find(EDM + "ReturnType").get("Type")
        one, many = [p.get("Name") for p in declared.findall(EDM + "Parameter")[1:]]
        samples = ["0", "0x140", "0x210000100", "0x850001000", "0xffffffffffffffff"]
        for request in [{one: s} for s in samples] + [{many: samples}]:
            status, _, body = self.service.ask_json("POST", target, json.dumps(request))
            if status != 200:
                self.fail(uri, "%s %s: status %d" % (name, request, status))
                continue
            for text in self.oem.errors(answer, body, name):
                self.fail(uri, text)
            self.check_links(target, body)
        status, _, body = self.service.ask_json("POST", target, json.dumps({one: "x"}))
        if status != 400:
            self.fail(uri, "%s with a malformed address: status %d" % (name, status))
        for text in self.schemas.errors("redfish-error.v1_0_2.json", body):
            self.fail(uri, "%s refusal: %s" % (name, text))

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
            if "%s.json" % registry["Id"] != location["Uri"].rpartition("/")[2]:
                self.fail(location["Uri"], "Id is %s" % registry["Id"])
            self.check_types(location["Uri"], registry)

    def check_conditions(self, uri, body):
        for where, item in walk(body):
            for condition in item.get("Conditions", []) if where.endswith("/Status") else []:
                for text in self.registries.errors(condition["MessageId"], condition["Message"],
                                                   condition["MessageArgs"]):
                    self.fail(uri, "%s: %s" % (where, text))

    def check_links(self, uri, body):
        for where, item in walk(body):
            for key in ("@odata.id", "@Redfish.ActionInfo"):
                if key in item:
                    self.visit(item[key], "%s at %s" % (uri, where))

    def visit(self, uri, linked_from):
        if uri in self.bodies:
            return
        self.bodies[uri] = None
        status, headers, body = self.service.ask_json("GET", uri)
        if status != 200:
            self.fail(uri, "status %d, linked from %s" % (status, linked_from))
            return
        self.bodies[uri] = body
        namespace, _, name = body["@odata.type"][1:].rpartition(".")
        reference = "%s.json#/definitions/%s" % (namespace, name)
        for text in self.schemas.errors(reference, body):
            self.fail(uri, text)
        self.check_types(uri, body)
        self.check_identity(uri, body, name)
        self.check_headers(uri, headers, body, reference)
        if "Members" in body:
            self.check_collection(uri, body)
        if name == "MessageRegistryFile":
            self.check_registry_file(uri, body)
        self.check_conditions(uri, body)
        self.check_links(uri, body)
        self.check_actions(uri, body)

    def read_registries(self):
        """What is in ours is needed for every condition, wherever it stands."""
        _, _, files = self.service.ask_json("GET", ROOT + "Registries")
        for member in files["Members"]:
            _, _, file = self.service.ask_json("GET", member["@odata.id"])
            for location in file["Location"]:
                if "Uri" in location:
                    self.registries.add(self.service.ask_json("GET", location["Uri"])[2])

    def run(self):
        self.read_registries()
        self.visit(ROOT, "nowhere")
        status, _, service = self.service.ask_json("GET", ROOT + "odata")
        if status != 200 or service["@odata.context"] != ROOT + "$metadata":
            self.fail(ROOT + "odata", "is no service document")
        for entry in service["value"]:
            self.visit(entry["url"], "odata")
        print("%d resources, %d failures" % (len(self.bodies), self.failures))
        return self.failures == 0


def main():
    path, schemas, oem = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    validator = Validator(Service(path), JsonSchemas(schemas / "json-schema"), oem)
    return 0 if validator.run() else 1


if __name__ == "__main__":
    sys.exit(main())
