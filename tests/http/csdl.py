# SPDX-License-Identifier: LGPL-2.1-or-later
"""CSDL, DMTF's and our own, and whether a resource is what it says.

CSDL knows what JSON schema does not: of what type the target of a link is, and what is deprecated
in favour of what. Files are read when they are first needed.
"""
import re
import xml.etree.ElementTree as ET

EDM = "{http://docs.oasis-open.org/odata/ns/edm}"
ANNOTATION = re.compile(r"^([A-Za-z_]\w*)?@(odata|Redfish|Message)\.\w+$")
SIMPLE = {
    "Edm.String": lambda v: isinstance(v, str),
    "Edm.Boolean": lambda v: isinstance(v, bool),
    "Edm.Int64": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "Edm.Decimal": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "Edm.PrimitiveType": lambda v: isinstance(v, (str, bool, int, float)),
    "Edm.Guid": lambda v: isinstance(v, str) and re.fullmatch(
        r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", v),
    "Edm.DateTimeOffset": lambda v: isinstance(v, str) and re.fullmatch(
        r"\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)", v),
    "Edm.Duration": lambda v: isinstance(v, str) and re.fullmatch(
        r"-?P(\d+D)?(T(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?", v),
}
# A link of these types may lead to anything.
ANYTHING = {"Resource", "Item", "ItemOrCollection", "ResourceCollection"}


def local(name):
    return name.rpartition(".")[2]


def version_of(namespace):
    found = re.search(r"\.v(\d+)_(\d+)_(\d+)$", namespace)
    return tuple(map(int, found.groups())) if found else ()


def annotations(element):
    return {a.get("Term"): a for a in element.findall(EDM + "Annotation")}


def deprecation(element):
    """The description of a deprecated property or value; None when it is not deprecated."""
    revisions = annotations(element).get("Redfish.Revisions")
    for record in revisions.iter(EDM + "Record") if revisions is not None else []:
        values = {v.get("Property"): v for v in record.findall(EDM + "PropertyValue")}
        if values["Kind"].get("EnumMember").endswith("/Deprecated"):
            return values["Description"].get("String")
    return None


def all_keys(value):
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from all_keys(item)
    elif isinstance(value, list):
        for item in value:
            yield from all_keys(item)


class Csdl:
    def __init__(self, directories):
        self.directories = directories
        self.files = {}  # "Memory" -> {namespace: {name: element}}
        self.known = {}  # a type's properties

    def schemas(self, namespace):
        name = namespace.split(".")[0]
        if name not in self.files:
            paths = [f / (name + "_v1.xml") for f in self.directories]
            self.files[name] = {
                s.get("Namespace"): {e.get("Name"): e for e in s if e.get("Name")}
                for path in paths if path.exists() for s in ET.parse(path).iter(EDM + "Schema")}
        return self.files[name]

    def find(self, full):
        namespace, _, name = full.rpartition(".")
        return self.schemas(namespace).get(namespace, {}).get(name)

    def newest(self, full, at_most):
        """The newest type of that name; of the resource's own schema none is newer than it."""
        namespace, _, name = full.rpartition(".")
        schema = namespace.split(".")[0]
        limit = at_most if schema == at_most.split(".")[0] else None
        versions = [n for n, types in self.schemas(namespace).items()
                    if name in types and (not limit or version_of(n) <= version_of(limit))]
        return "%s.%s" % (max(versions, key=version_of), name) if versions else full

    def properties(self, full):
        """All properties of a type by name, those of the types it is based on included."""
        if full not in self.known:
            element = self.find(full)
            found = dict(self.properties(element.get("BaseType"))) if element.get("BaseType") else {}
            for kind in ("Property", "NavigationProperty"):
                found.update({p.get("Name"): p for p in element.findall(EDM + kind)})
            self.known[full] = found
        return self.known[full]

    def uris(self, schema):
        """Where a schema allows its resources; none when it does not say."""
        element = self.find("%s.%s" % (schema, schema))
        found = annotations(element).get("Redfish.Uris") if element is not None else None
        return [s.text for s in found.iter(EDM + "String")] if found is not None else []


class CsdlCheck:
    """
    An object against its type, or that of a resource. `errors` are sentences, `links` are
    (place, URI, type) for who knows the targets, `deprecated` are (place, element) of properties.
    """

    def __init__(self, csdl, body, full=None):
        self.csdl = csdl
        self.body = body
        self.links = []
        self.deprecated = []
        full = full or body["@odata.type"][1:]
        self.namespace = full.rpartition(".")[0]
        self.errors = list(self.object(full, body, ""))

    def object(self, full, value, where, whole=True):
        if self.csdl.find(full) is None:
            yield "%s: the type %s is not in the CSDL" % (where, full)
            return
        if not isinstance(value, dict):
            yield "%s: no object" % where
            return
        known = self.csdl.properties(full)
        for name, p in known.items() if whole else []:
            if "Redfish.Required" in annotations(p) and name not in value:
                yield "%s: %s is required" % (where, name)
        for key, item in value.items():
            place = "%s/%s" % (where, key)
            if ANNOTATION.match(key):
                yield from self.annotation(key, item, value, place)
            elif key.startswith("#") and local(full) in ("Actions", "OemActions"):
                pass
            elif key not in known:
                yield "%s: not a property of %s" % (place, full)
            else:
                yield from self.property(known[key], item, place)

    def is_alone(self, element, values=()):
        """
        Whether it is deprecated, and nothing is there that is said to stand for it. A value of @values stands for
        another one in its place only, though a property may have its name.
        """
        said = deprecation(element)
        names = {local(n.replace("/", ".")) for n in re.findall(r"`([^`]+)`", said or "")}
        return said is not None and not (names - set(values)) & set(all_keys(self.body))

    def annotation(self, key, item, value, place):
        name = key.partition("@")[0]
        is_page = name + "@odata.nextLink" in value
        if key.endswith("@odata.count") and name in value and item != len(value[name]) and not is_page:
            yield "%s: is %s for %d" % (place, item, len(value[name]))

    def property(self, p, value, where):
        if deprecation(p) is not None:
            self.deprecated.append((where, p))
        if self.is_alone(p):
            yield "%s: %s Nothing does so here." % (where, deprecation(p))
        kind = p.get("Type")
        many = re.fullmatch(r"Collection\((.*)\)", kind)
        if many and not isinstance(value, list):
            yield "%s: no list" % where
            return
        for i, item in enumerate(value if many else [value]):
            place = "%s/%d" % (where, i) if many else where
            yield from self.value(p, many[1] if many else kind, item, place)

    def value(self, p, kind, value, where):
        if "Redfish.ExcerptCopy" in annotations(p):
            full = self.csdl.newest(kind, self.namespace)
            yield from self.object(full, value, where, whole=False)
        elif p.tag == EDM + "NavigationProperty":
            yield from self.link(kind, value, where)
        elif value is None:
            if p.get("Nullable") == "false":
                yield "%s: is null" % where
        elif kind in SIMPLE:
            if not SIMPLE[kind](value):
                yield "%s: %r is no %s" % (where, value, kind)
            yield from self.limits(p, value, where)
        elif kind == "Resource.Oem":
            for name, item in value.items():
                yield from self.oem(item, "%s/%s" % (where, name))
        else:
            yield from self.defined(p, kind, value, where)

    def oem(self, value, where):
        if "@odata.type" in value:
            yield from self.object(value["@odata.type"][1:], value, where)
        else:
            yield "%s: has no type" % where

    def limits(self, p, value, where):
        terms = annotations(p)
        if "Validation.Pattern" in terms:
            pattern = terms["Validation.Pattern"].get("String")
            if not isinstance(value, str) or not re.search(pattern, value):
                yield "%s: %r does not match %s" % (where, value, pattern)
        for term, good in (("Validation.Minimum", lambda v, limit: v >= limit),
                           ("Validation.Maximum", lambda v, limit: v <= limit)):
            if term in terms:
                limit = terms[term].get("Int") or terms[term].get("Decimal")
                if not good(value, float(limit)):
                    yield "%s: %r is beyond the %s %s" % (where, value, local(term), limit)

    def link(self, kind, value, where):
        if not isinstance(value, dict) or "@odata.id" not in value:
            yield "%s: no link" % where
            return
        self.links.append((where, value["@odata.id"], local(kind)))

    def defined(self, p, kind, value, where):
        full = self.csdl.newest(kind, self.namespace)
        element = self.csdl.find(full)
        if element is None:
            yield "%s: %s is not in the CSDL" % (where, kind)
        elif element.tag == EDM + "TypeDefinition":
            yield from self.value(p, element.get("UnderlyingType"), value, where)
        elif element.tag == EDM + "EnumType":
            members = {m.get("Name"): m for m in element.findall(EDM + "Member")}
            if value not in members:
                yield "%s: %r is no %s" % (where, value, full)
            elif self.is_alone(members[value], members):
                yield "%s: %r: %s Nothing does so here." % (where, value,
                                                            deprecation(members[value]))
        else:
            yield from self.object(full, value, where)
