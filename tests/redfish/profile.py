#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Our interoperability profile: whether what it says is true of each host, and of each row of docs/mapping.md.

    profile.py PROFILE MAPPING LISTING...

LISTING is what `dump_redfish` printed of a host. The language is the part of DMTF's DSP0272 that the profile uses, each
word where RedfishInteroperabilityProfile.v1_10_0.json allows it: DMTF's validator loads no profile with another one,
and takes a condition without its words for one that always holds. Then each property that is demanded is taken away
from a copy of each host, and the profile must be violated by it.
"""
import copy
import functools
import json
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))
from invariants import ROOT, Host, read  # noqa: E402

REQUIREMENTS = {"Mandatory", "Recommended", "IfImplemented"}
FEATURES = {"ExpandQuery": "ExpandQuery", "SelectQuery": "SelectQuery", "FilterQuery": "FilterQuery",
            "OnlyQuery": "OnlyMemberQuery", "ExcerptQuery": "ExcerptQuery"}
WORDS = {
    "profile": {"SchemaDefinition", "ProfileName", "ProfileVersion", "OwningEntity", "Purpose", "Protocol", "Resources"},
    "protocol": {"MinVersion", *FEATURES},
    "resource": {"Purpose", "ReadRequirement", "PropertyRequirements", "ActionRequirements"},
    "property": {"Purpose", "ReadRequirement", "PropertyRequirements", "ConditionalRequirements", "Comparison", "Values"},
    "action": {"Purpose", "ReadRequirement"},
    "condition": {"Purpose", "ReadRequirement", "URIs", "CompareProperty", "CompareType", "CompareValues"},
}
COMPARISONS = {"Equal", "AnyOf"}
COMPARED = {"CompareProperty", "CompareType", "CompareValues"}


class Unknown(Exception):
    """A word of the profile that is not understood here."""


def check_words(kind, item, where):
    unknown = set(item) - WORDS[kind]
    if unknown:
        raise Unknown("%s has %s" % (where, ", ".join(sorted(unknown))))
    if item.get("ReadRequirement", "Mandatory") not in REQUIREMENTS:
        raise Unknown("%s has ReadRequirement %s" % (where, item["ReadRequirement"]))
    if item.get("Comparison", "Equal") not in COMPARISONS:
        raise Unknown("%s has Comparison %s" % (where, item["Comparison"]))


def check_condition(condition, where):
    """DMTF's validator compares a condition by Equal, with each of several values, and not by AnyOf."""
    check_words("condition", condition, where)
    compared = COMPARED & set(condition)
    if compared not in (set(), COMPARED) or not compared | ({"URIs"} & set(condition)):
        raise Unknown("%s has a condition with %s" % (where, ", ".join(sorted(condition))))
    if condition.get("CompareType", "Equal") != "Equal":
        raise Unknown("%s has CompareType %s" % (where, condition["CompareType"]))


def check_properties(items, where):
    for name, item in items.items():
        here = where + "/" + name
        check_words("property", item, here)
        check_properties(item.get("PropertyRequirements", {}), here)
        for condition in item.get("ConditionalRequirements", []):
            check_condition(condition, here)


def check_language(profile):
    check_words("profile", profile, "the profile")
    check_words("protocol", profile["Protocol"], "Protocol")
    for name, resource in profile["Resources"].items():
        check_words("resource", resource, name)
        check_properties(resource.get("PropertyRequirements", {}), name)
        for action, item in resource.get("ActionRequirements", {}).items():
            check_words("action", item, "%s.%s" % (name, action))


def uri_is(pattern, uri):
    return re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", pattern), uri) is not None


def requirement_of(item, body, uri):
    """Mandatory, if the item or a condition that holds demands it; a requirement without the word is Mandatory."""
    for condition in item.get("ConditionalRequirements", []):
        holds = any(uri_is(pattern, uri) for pattern in condition.get("URIs", [uri]))
        if "CompareProperty" in condition:
            holds = holds and body.get(condition["CompareProperty"]) in condition["CompareValues"]
        if holds:
            return condition["ReadRequirement"]
    return item.get("ReadRequirement", "Mandatory")


def objects_of(value):
    return [v for v in value if isinstance(v, dict)] if isinstance(value, list) else [value]


class Check:
    """The profile against one host; `demanded` has the place of each Mandatory property that the host has."""

    def __init__(self, profile, host):
        self.host, self.failures, self.demanded, self.missing = host, [], [], 0
        self.protocol(profile["Protocol"])
        for name, resource in profile["Resources"].items():
            self.resource(name, resource)

    def fail(self, uri, text):
        self.failures.append((uri, text))

    def protocol(self, items):
        root = self.host.bodies[ROOT]
        if tuple(map(int, root["RedfishVersion"].split("."))) < tuple(map(int, items["MinVersion"].split("."))):
            self.fail(ROOT, "RedfishVersion is %s" % root["RedfishVersion"])
        for word, feature in FEATURES.items():
            if items.get(word) == "Mandatory" and not root["ProtocolFeaturesSupported"].get(feature):
                self.fail(ROOT, "%s is not supported" % feature)

    def resource(self, name, resource):
        found = self.host.of_type(name)
        if not found and resource.get("ReadRequirement", "Mandatory") == "Mandatory":
            self.fail(ROOT, "no %s" % name)
        for uri, body in found:
            self.properties(uri, body, body, resource.get("PropertyRequirements", {}), ())
            for action, item in resource.get("ActionRequirements", {}).items():
                if item["ReadRequirement"] == "Mandatory" and \
                        "#%s.%s" % (name, action) not in body.get("Actions", {}):
                    self.fail(uri, "no action %s" % action)

    def properties(self, uri, body, value, items, place):
        for name, item in items.items():
            for one in objects_of(value):
                if name not in one:
                    requirement = requirement_of(item, body, uri)
                    self.missing += requirement == "Recommended"
                    if requirement == "Mandatory":
                        self.fail(uri, "no %s" % "/".join((*place, name)))
                    continue
                if requirement_of(item, body, uri) == "Mandatory":
                    self.demanded.append((uri, (*place, name)))
                if "Values" in item and one[name] not in item["Values"]:
                    self.fail(uri, "%s is %s" % ("/".join((*place, name)), one[name]))
                if isinstance(one[name], (dict, list)):
                    self.properties(uri, body, one[name], item.get("PropertyRequirements", {}), (*place, name))


def take_away(body, place):
    changed = copy.deepcopy(body)
    level = [changed]
    for name in place[:-1]:
        level = [o for one in level if name in one for o in objects_of(one[name])]
    for one in level:
        one.pop(place[-1], None)
    return changed


def unnoticed(profile, host, demanded):
    """Demanded properties without which the profile is still fulfilled."""
    for uri, place in demanded:
        kind = host.bodies[uri]["@odata.type"].rpartition(".")[2]
        only = {"Protocol": profile["Protocol"], "Resources": {kind: profile["Resources"][kind]}}
        if uri == ROOT and place[0] in ("RedfishVersion", "ProtocolFeaturesSupported"):
            continue
        bodies = {ROOT: host.bodies[ROOT], uri: take_away(host.bodies[uri], place)}
        if not any(u == uri for u, _ in Check(only, Host(bodies)).failures):
            yield uri, "/".join(place)


def rows_of_profile(profile):
    """(table, row) -> "Memory/CXL/LabelStorageSizeBytes" of each Purpose that names rows."""
    rows = {}

    def walk(items, where):
        for name, item in items.items():
            for table, row in re.findall(r"Table (\d) row (\d+):", item.get("Purpose", "")):
                rows.setdefault((int(table), int(row)), set()).add(where + "/" + name)
            walk(item.get("PropertyRequirements", {}), where + "/" + name)
    for kind, resource in profile["Resources"].items():
        walk(resource.get("PropertyRequirements", {}), kind)
        walk({"Actions/#%s.%s" % (kind, a): i for a, i in resource.get("ActionRequirements", {}).items()}, kind)
    return rows


def rows_of_mapping(path):
    """The same of the tables of docs/mapping.md, without what is shown below Oem, or not at all."""
    rows, table = {}, 0
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            table = {"## Shown": 1, "## Commands of fabric managers": 2}.get(line, 0)
        row = re.match(r"\| (\d+) \|", line)
        if not table or not row:
            continue
        cells = [cell.strip() for cell in line.split("|")]
        if not cells[5].startswith("Oem/"):
            place = re.sub(r"/target$", "", re.sub(r"/\d+(?=/)", "", cells[5]))
            rows.setdefault((table, int(row[1])), set()).add(cells[4] + "/" + place)
    return rows


def refuses_what_it_does_not_know(profile):
    same = {"CompareProperty": "ManagerType", "CompareType": "Equal", "CompareValues": ["Service"]}
    conditions = [{"ReadRequirement": "Mandatory"}, dict(same, Comparison="Equal"), dict(same, CompareType="AnyOf"),
                  {name: same[name] for name in ("CompareProperty", "CompareValues")}]
    manager = ("Resources", "Manager")
    date_time = (*manager, "PropertyRequirements", "DateTime")
    changes = [(manager, {"MinCount": 1})] + [(date_time, {"ConditionalRequirements": [c]}) for c in conditions]
    for change in ({"ReadRequirement": "Supported"}, {"WriteRequirement": "Mandatory"}, {"Comparison": "GreaterThan"}):
        changes.append((date_time, change))
    for place, change in changes:
        other = copy.deepcopy(profile)
        functools.reduce(dict.__getitem__, place, other).update(change)
        try:
            check_language(other)
        except Unknown:
            continue
        return False
    return True


def main():
    profile = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    failures = []
    check_language(profile)
    if not refuses_what_it_does_not_know(profile):
        failures.append("a word that is not known is not refused")
    ours, documented = rows_of_profile(profile), rows_of_mapping(sys.argv[2])
    for key in sorted(set(ours) | set(documented)):
        if ours.get(key) != documented.get(key):
            failures.append("Table %d row %d: %s here, %s in the mapping" % (*key, ours.get(key), documented.get(key)))
    missing = demanded = 0
    for path in sys.argv[3:]:
        host = Host(read(path))
        check = Check(profile, host)
        missing, demanded = missing + check.missing, demanded + len(check.demanded)
        failures += ["%s: %s: %s" % (path.rpartition("/")[2], *f) for f in check.failures]
        failures += ["%s: %s: %s is not missed" % (path.rpartition("/")[2], *f)
                     for f in unnoticed(profile, host, check.demanded)]
    for failure in failures:
        print("FAIL: " + failure)
    print("%d rows, %d demanded values, %d recommended ones absent, %d failures" %
          (len(ours), demanded, missing, len(failures)))
    return 1 if failures or not demanded or not ours else 0


if __name__ == "__main__":
    sys.exit(main())
