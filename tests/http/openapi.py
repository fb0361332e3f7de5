#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""openapi.py SOCKET: the OpenAPI document of a running service, without login.

Debian has no validator of OpenAPI 3, so the rules of OpenAPI 3.0.3 that concern this document are checked here: required
fields, templates and their parameters, references, schemas. Then all resources that links lead to are compared with it:
each URI is one path, whose methods and schema are those of the resource, and the targets of its actions are paths.
"""
import re
import sys

sys.dont_write_bytecode = True
from redfish_client import Service, links, parse  # noqa: E402

ROOT = "/redfish/v1/"
METHODS = {"get", "post", "patch", "delete"}
DMTF = re.compile(r"^http://redfish\.dmtf\.org/schemas/v1/([\w.]+)\.yaml#/components/schemas/(\w+)$")
SCHEMA_KEYS = {"type", "format", "description", "enum", "pattern", "maxLength", "minimum", "maximum", "minItems",
               "maxItems", "items", "nullable", "required", "properties", "$ref"}
TYPES = {"boolean", "integer", "string", "array", "object"}

n_failed = 0


def check(good, text):
    global n_failed
    if not good:
        n_failed += 1
        print("FAIL: " + text)


def resolve(document, reference):
    at = document
    for name in reference[2:].split("/"):
        at = at.get(name) if isinstance(at, dict) else None
    return at


def references(value):
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for item in value.values():
            yield from references(item)
    elif isinstance(value, list):
        for item in value:
            yield from references(item)


def check_references(document):
    for one in set(references(document)):
        found = DMTF.match(one)
        if one.startswith("#/"):
            check(resolve(document, one) is not None, "%s leads to nothing" % one)
        else:
            # A component has the name of its file, then that of the type.
            check(found and found[2].startswith(found[1].replace(".", "_") + "_"), "%s is no reference to DMTF" % one)


def check_schema(schema, where):
    check(set(schema) <= SCHEMA_KEYS, "%s: %s" % (where, sorted(set(schema) - SCHEMA_KEYS)))
    if "$ref" in schema:
        check(len(schema) == 1, "%s: something is beside a $ref" % where)
        return
    check(schema.get("type") in TYPES, "%s: type %s" % (where, schema.get("type")))
    check(("items" in schema) == (schema["type"] == "array"), "%s: items" % where)
    if "pattern" in schema:
        re.compile(schema["pattern"])
    if "enum" in schema:
        check(schema["enum"] and (None in schema["enum"]) == schema.get("nullable", False), "%s: enum" % where)
    if "required" in schema:
        check(schema["required"] and set(schema["required"]) <= set(schema.get("properties", {})),
              "%s: required %s" % (where, schema["required"]))
    if "items" in schema:
        check_schema(schema["items"], where + "/items")
    for name, one in schema.get("properties", {}).items():
        check_schema(one, "%s/%s" % (where, name))


def check_content(content, where):
    check(content, "%s: no content" % where)
    for media, one in content.items():
        check(re.fullmatch(r"[a-z]+/[a-z-]+", media), "%s: media type %s" % (where, media))
        if "schema" in one:
            check_schema(one["schema"], where)


def check_parameters(document, path, operation, where):
    in_path = []
    for one in operation["parameters"]:
        one = resolve(document, one["$ref"]) if "$ref" in one else one
        check(one and one["in"] in ("path", "query") and one["name"], "%s: parameter %s" % (where, one))
        check_schema(one["schema"], where)
        if one["in"] == "path":
            check(one["required"] is True, "%s: %s is not required" % (where, one["name"]))
            in_path.append(one["name"])
    names = re.findall(r"\{(.*?)\}", path)
    check(in_path == names and len(set(names)) == len(names), "%s: parameters %s" % (where, in_path))


def check_operation(document, path, method, operation):
    where = "%s %s" % (method, path)
    check_parameters(document, path, operation, where)
    check("security" in operation or operation.get("x-privileges"), "%s: no privileges" % where)
    responses = operation["responses"]
    check("default" in responses, "%s: no response to errors" % where)
    for status, one in responses.items():
        check(status == "default" or re.fullmatch(r"[23]\d\d", status), "%s: status %s" % (where, status))
        check("description" in one or "$ref" in one, "%s: %s has no description" % (where, status))
        if "content" in one:
            check_content(one["content"], "%s %s" % (where, status))
    check((method in ("post", "patch")) <= ("requestBody" in operation), "%s: no body" % where)
    check(method != "get" or "requestBody" not in operation, "%s: a body" % where)
    if "requestBody" in operation:
        check_content(operation["requestBody"]["content"], where + " body")


def check_document(document):
    check(document["openapi"] == "3.0.3" and document["info"]["title"] and document["info"]["version"], "info")
    for scheme in document["security"]:
        check(set(scheme) <= set(document["components"]["securitySchemes"]), "security %s" % scheme)
    bare = [re.sub(r"\{.*?\}", "{}", path) for path in document["paths"]]
    check(len(set(bare)) == len(bare), "a path is there twice")
    for path, item in document["paths"].items():
        check(path.startswith("/") and item and set(item) <= METHODS, "%s: %s" % (path, sorted(item)))
        for method, operation in item.items():
            check_operation(document, path, method, operation)
    check_references(document)


class Paths:
    def __init__(self, document):
        self.paths = {p: (i, re.compile(re.sub(r"\\\{.*?\\\}", "[^/]+", re.escape(p)))) for p, i in
                      document["paths"].items()}

    def find(self, uri):
        """As OpenAPI: a concrete path comes before a template; of templates the one with the longest constant text."""
        found = [(len(re.sub(r"\{.*?\}", "", p)), p) for p, (_, form) in self.paths.items() if form.fullmatch(uri)]
        return self.paths[max(found)[1]][0] if found else {}


def schema_of(item):
    content = item["get"]["responses"]["200"]["content"]
    return content["application/json"]["schema"]["$ref"].rpartition("/")[2]


def check_resource(paths, uri, headers, body):
    item = paths.find(uri)
    allowed = set(headers["Allow"].lower().split(", ")) - {"head"}
    check("get" in item, "%s: no path" % uri)
    check(allowed <= set(item), "%s: %s is allowed, %s are there" % (uri, allowed, sorted(item)))
    if "get" in item and "@odata.type" in body:
        kind = body["@odata.type"][1:].replace(".", "_")
        check(schema_of(item) == kind, "%s: %s, not %s" % (uri, schema_of(item), kind))
    for target in re.findall(r"'target': '([^']*)'", str(body.get("Actions", {}))):
        check("post" in paths.find(target), "%s: no path of the action" % target)
    for info in re.findall(r"'@Redfish.ActionInfo': '([^']*)'", str(body.get("Actions", {}))):
        check("get" in paths.find(info), "%s: no path of the ActionInfo" % info)


def resources(service):
    """(URI, headers, body) of each JSON resource that links lead to."""
    todo, known = [ROOT], {ROOT}
    while todo:
        uri = todo.pop()
        status, headers, text = service.ask("GET", uri)
        if status != 200 or not headers["Content-Type"].startswith("application/json"):
            check(status == 200, "%s: %d" % (uri, status))
            continue
        body = parse(text)
        yield uri, headers, body
        new = {link.partition("#")[0] for link in links(body)} - known
        known |= new
        todo += sorted(new)


def main():
    service = Service(sys.argv[1])
    status, headers, text = service.ask("GET", ROOT + "openapi.yaml", headers={"Accept": "application/yaml"})
    check(status == 200 and headers["Content-Type"] == "application/yaml", "%d %s" % (status, headers["Content-Type"]))
    document = parse(text)
    check_document(document)
    paths, n = Paths(document), 0
    for uri, answer_headers, body in resources(service):
        n += 1
        check_resource(paths, uri, answer_headers, body)
    print("%d paths, %d resources" % (len(document["paths"]), n))
    check(n > 100, "only %d resources were found" % n)
    sys.exit(n_failed > 0)


main()
