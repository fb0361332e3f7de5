# SPDX-License-Identifier: LGPL-2.1-or-later
"""Query options on every resource of a host, compared with what the options mean for the resources
as they are without them: queries.py SOCKET"""
import gzip
import itertools
import sys
import time
from urllib.parse import quote

from redfish_client import WAIT_SECONDS, Service, parse, walk

service = Service(sys.argv[1])
failures = 0
ROOT = "/redfish/v1/"
MEMORY = "/redfish/v1/Systems/Host/Memory"


def check(good, *what):
    global failures
    if not good:
        failures += 1
        print("FAIL:", *(str(w)[:300] for w in what))


def get(uri, headers=None, method="GET"):
    """A service that is too slow at present is asked again."""
    end = time.monotonic() + WAIT_SECONDS
    while True:
        service.connection.request(method, uri, headers=headers or {})
        answer = service.connection.getresponse()
        text = answer.read()
        if answer.status != 503 or time.monotonic() > end:
            return answer.status, answer.headers, text
        time.sleep(1)


CLOCKS = set()  # resources with the time of now


def without_clock(value):
    """A body in which the clock stands still, and the ETag that follows it."""
    if isinstance(value, list):
        return [without_clock(v) for v in value]
    if not isinstance(value, dict):
        return value
    if "DateTime" in value:
        CLOCKS.add(value.get("@odata.id"))
    stopped = ("DateTime", "@odata.etag") if value.get("@odata.id") in CLOCKS else ()
    return {k: "stopped" if k in stopped else without_clock(v) for k, v in value.items()}


def get_json(uri):
    status, _, text = get(uri)
    check(status == 200, uri, status, text)
    return without_clock(parse(text))


def message(uri, method="GET"):
    status, _, text = get(uri, method=method)
    error = parse(text).get("error", {})
    return status, error.get("code", "").rsplit(".", 1)[-1], error


def is_link(value):
    return isinstance(value, dict) and list(value) == ["@odata.id"]


def read_all():
    """All JSON resources that links lead to."""
    found, todo = {}, [ROOT]
    while todo:
        uri = todo.pop()
        if uri in found or "#" in uri:
            continue
        status, _, text = get(uri)
        if status != 200 or not text.startswith(b"{"):
            continue
        found[uri] = without_clock(parse(text))
        todo += [o["@odata.id"] for _, o in walk(found[uri]) if is_link(o)]
    return found


def expand(value, how, levels, resources, within=False):
    if isinstance(value, list):
        return [expand(v, how, levels, resources, within) for v in value]
    if not isinstance(value, dict):
        return value
    if is_link(value):
        target = resources.get(value["@odata.id"])
        if levels == 0 or target is None or "@odata.type" not in target or \
                (how != "*" and within != (how == "~")):
            return value
        return expand(target, how, levels - 1, resources) if levels > 1 else target
    return {k: expand(v, how, levels, resources, within or k == "Links") for k, v in value.items()}


def check_expand(uri, resources):
    for how in ".~*":
        wanted = expand(resources[uri], how, 1, resources)
        check(get_json(f"{uri}?$expand={how}") == wanted, uri, how)
    status, _, text = get(f"{uri}?$expand=.($levels=2)")
    if status == 200:
        check(without_clock(parse(text)) == expand(resources[uri], ".", 2, resources), uri, "two levels")
    else:
        check(b"QueryParameterOutOfRange" in text, uri, status, text)


def check_paging(uri, resources):
    whole = resources[uri]
    for top, skip in itertools.product((1, 2, 1000), (0, 1, 1000)):
        members, link, pages = [], f"{uri}?$top={top}&$skip={skip}", 0
        while link and pages <= len(whole["Members"]):
            page = get_json(link)
            check(page["Members@odata.count"] == len(whole["Members"]), link, "count")
            check(len(page["Members"]) <= top, link, "too many members")
            members += page["Members"]
            link = page.get("Members@odata.nextLink")
            pages += 1
        check(members == whole["Members"][skip:], uri, top, skip, members)
    none = get_json(f"{uri}?$top=0")
    check(none["Members"] == [] and none["Members@odata.count"] == len(whole["Members"]), uri, none)


# ---- $filter: a second model of it ----

ABSENT = object()
OPERATIONS = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
}


def values_at(value, path):
    """The values at a path, in all items of arrays on the way."""
    if isinstance(value, list):
        return [v for item in value for v in values_at(item, path)]
    if not path:
        return [value]
    if not isinstance(value, dict) or path[0] not in value:
        return [ABSENT]
    return values_at(value[path[0]], path[1:])


def holds(value, operation, literal):
    if isinstance(value, bool) or value is None or value is ABSENT or isinstance(value, dict):
        equal = value is literal or (value is ABSENT and literal is None)
        return {"eq": equal, "ne": not equal}.get(operation, False)
    if isinstance(value, str) != isinstance(literal, str) or isinstance(literal, bool) or literal is None:
        return operation == "ne"
    return OPERATIONS[operation](value, literal)


def written(literal):
    if isinstance(literal, str):
        return "'" + literal.replace("'", "''") + "'"
    return {True: "true", False: "false", None: "null"}.get(literal, literal) \
        if not isinstance(literal, (int, float)) or isinstance(literal, bool) else repr(literal)


def scalars(value, path=()):
    if isinstance(value, dict):
        for k, v in value.items():
            yield from scalars(v, path + (k,))
    elif not isinstance(value, list):
        yield path, value


def check_filter(uri, resources):
    collection = resources[uri]
    members = [(m, resources[m["@odata.id"]]) for m in collection["Members"]]
    known = sorted({(p, repr(v)): (p, v) for _, r in members for p, v in scalars(r) if v != "stopped"}.items())[:400]
    tests = [(p, o, v) for (_, (p, v)), o in zip(known, itertools.cycle(OPERATIONS))
             if (not isinstance(v, str) or len(v) < 100) and len("/".join(p)) < 120]
    tests += [(("Name",), o, "M") for o in OPERATIONS] + [(("Absent", "Too"), o, 5) for o in OPERATIONS]
    tests += [(("Status", "State"), "eq", None), (("Status",), "ne", None)]

    def matching(test):
        path, operation, literal = test
        return [m for m, r in members if any(holds(v, operation, literal) for v in values_at(r, path))]

    def text(test):
        return f"{'/'.join(test[0])} {test[1]} {written(test[2])}"

    def ask(expression, wanted):
        page = get_json(f"{uri}?$filter={quote(expression)}")
        check(page["Members"] == wanted and page["Members@odata.count"] == len(wanted), uri, expression,
              len(page["Members"]), "instead of", len(wanted))

    for one, two in zip(tests[::7], reversed(tests[::7])):
        a, b = matching(one), matching(two)
        ask(text(one), a)
        ask(f"not {text(one)}", [m for m, _ in members if m not in a])
        ask(f"{text(one)} and ({text(two)})", [m for m, _ in members if m in a and m in b])
        ask(f"not ({text(one)} or {text(two)})", [m for m, _ in members if m not in a and m not in b])
    # With the other options: a page of what matches, expanded and reduced.
    wanted = [m for m, r in members if r["Name"] >= "a"]
    page = get_json(f"{uri}?$filter=Name%20ge%20'a'&$top=1&$expand=.&$select=Name")
    check(page["Members@odata.count"] == len(wanted), uri, page)
    check([m["@odata.id"] for m in page["Members"]] == [m["@odata.id"] for m in wanted[:1]], uri, page)
    for m in page["Members"]:
        check(m["Name"] == resources[m["@odata.id"]]["Name"], uri, m)
        check(all(k == "Name" or k.startswith("@odata.") for k in m), uri, m)
    if len(wanted) > 1:
        following = get_json(page["Members@odata.nextLink"])
        check([m["@odata.id"] for m in following["Members"]] == [wanted[1]["@odata.id"]], uri, following)
        check("Name" in following["Members"][0] and "Id" not in following["Members"][0], uri, following)


def check_select(uri, resources):
    whole = resources[uri]
    names = [k for k in whole if "@" not in k]
    for name in names[:8]:
        part = get_json(f"{uri}?$select={name}")
        for k, v in whole.items():
            # The selection also is of members that are in the collection as a whole.
            if k == "Members" and any(len(m) > 1 for m in v):
                continue
            kept = k == name or k.startswith((name + "@", "@odata.", "Members"))
            check(part.get(k) == (v if kept else None), uri, name, k)
    if isinstance(whole.get("Status"), dict) and "State" in whole["Status"]:
        part = get_json(f"{uri}?$select=Status/State,Id")
        check(part["Status"] == {"State": whole["Status"]["State"]}, uri, part)
        check("Name" not in part and part["Id"] == whole["Id"], uri, part)
    check(set(get_json(f"{uri}?$select=Nothing")) <= set(whole), uri, "a property appeared")


def check_only(uri, resources):
    whole = resources[uri]
    wanted = get_json(whole["Members"][0]["@odata.id"]) if len(whole["Members"]) == 1 else whole
    check(get_json(f"{uri}?only") == wanted, uri, "only")
    check(get_json(f"{uri}?only=") == wanted, uri, "only=")


def check_caching(uri):
    status, headers, text = get(uri)
    check(status == 200 and len(headers["ETag"]) == 34, uri, status, headers)
    check(get(uri, method="HEAD")[1]["ETag"] == headers["ETag"], uri, "HEAD")
    check(get(uri, method="HEAD")[1]["Content-Length"] == str(len(text)), uri, "HEAD")
    check(get(uri, {"If-None-Match": headers["ETag"]})[0] == 304, uri, "If-None-Match")
    check(get(uri, {"If-None-Match": '"x"'})[0] == 200, uri, "If-None-Match of another")
    status, coded, packed = get(uri, {"Accept-Encoding": "gzip"})
    check(status == 200, uri, status)
    if len(text) < 1024:
        check(coded["Content-Encoding"] is None and packed == text, uri, "a short body is compressed")
        return
    check(coded["Content-Encoding"] == "gzip" and gzip.decompress(packed) == text, uri, coded)
    check(len(packed) < len(text) and coded["Content-Length"] == str(len(packed)), uri, coded)
    check(coded["Vary"] == headers["Vary"] == "Accept-Encoding", uri, coded, headers)
    check(coded["ETag"] != headers["ETag"], uri, "one tag for two bodies")
    for tag, accept in itertools.product((coded["ETag"], headers["ETag"]), ("gzip", "identity")):
        check(get(uri, {"If-None-Match": tag, "Accept-Encoding": accept})[0] == 304, uri, tag, accept)
    head = get(uri, {"Accept-Encoding": "gzip"}, "HEAD")[1]
    check(head["Content-Length"] == str(len(packed)), uri, head)
    for accept in ("identity", "gzip;q=0", "br, deflate", "*;q=0", "gzip;q=0, *", ""):
        check(get(uri, {"Accept-Encoding": accept})[1]["Content-Encoding"] is None, uri, accept)
    for accept in ("GZIP", "br, gzip;q=0.5", "*", "x-gzip", "identity;q=0.5, *;q=1"):
        check(get(uri, {"Accept-Encoding": accept})[1]["Content-Encoding"] == "gzip", uri, accept)


def check_refused(resources):
    member = resources[MEMORY]["Members"][0]["@odata.id"]
    for uri, status, code in (
            (f"{MEMORY}?$unknown=1", 501, "QueryParameterUnsupported"),
            (f"{MEMORY}?$orderby=Id", 501, "QueryParameterUnsupported"),
            (f"{MEMORY}?$levels=2", 501, "QueryParameterUnsupported"),
            (f"{MEMORY}?$expand", 400, "QueryParameterValueFormatError"),
            (f"{MEMORY}?$expand=Members", 400, "QueryParameterValueFormatError"),
            (f"{MEMORY}?$expand=.($levels=)", 400, "QueryParameterValueFormatError"),
            (f"{MEMORY}?$expand=.($levels=1", 400, "QueryParameterValueFormatError"),
            (f"{MEMORY}?$expand=.($levels=0)", 400, "QueryParameterOutOfRange"),
            (f"{MEMORY}?$expand=.($levels=7)", 400, "QueryParameterOutOfRange"),
            (f"{MEMORY}?$expand=.($levels=99999999999999999999999)", 400, "QueryParameterOutOfRange"),
            ("/redfish/v1/Systems/Host?$expand=*($levels=6)", 400, "QueryParameterOutOfRange"),
            (f"{MEMORY}?$select", 400, "QueryParameterValueFormatError"),
            (f"{MEMORY}?$select=A,,B", 400, "QueryParameterValueFormatError"),
            (f"{MEMORY}?$select=/A", 400, "QueryParameterValueFormatError"),
            (f"{MEMORY}?$select=A%22", 400, "QueryParameterValueFormatError"),
            (f"{MEMORY}?$select={'a,' * 64}a", 400, "QueryParameterValueFormatError"),
            (f"{MEMORY}?$select={'a' * 1025}", 400, "QueryParameterValueFormatError"),
            (f"{MEMORY}?$filter=Name", 400, "QueryParameterValueFormatError"),
            (f"{MEMORY}?$filter=Name%20is%20'x'", 400, "QueryParameterValueFormatError"),
            (f"{MEMORY}?$filter={'(' * 40}", 501, "QueryParameterUnsupported"),
            (f"{MEMORY}?$filter={'a' * 1025}", 400, "QueryParameterValueFormatError"),
            (f"{MEMORY}?$top=x", 400, "QueryParameterValueTypeError"),
            (f"{MEMORY}?$top=-1", 400, "QueryParameterValueTypeError"),
            (f"{MEMORY}?$skip=99999999999999999999", 400, "QueryParameterOutOfRange"),
            (f"{MEMORY}?$skiptoken=1", 400, "QueryNotSupportedOnResource"),
            (f"{MEMORY}?$top=1&$top=1", 400, "QueryCombinationInvalid"),
            (f"{MEMORY}?only&only", 400, "QueryCombinationInvalid"),
            (f"{MEMORY}?only=foo", 400, "QueryParameterValueFormatError"),
            (f"{MEMORY}?only=%00", 400, "QueryParameterValueFormatError"),
            (f"{MEMORY}?excerpt=foo", 400, "QueryParameterValueFormatError"),
            (f"{member}?excerpt=foo", 400, "QueryParameterValueFormatError"),
            (f"{MEMORY}?only&$expand=.", 400, "QueryCombinationInvalid"),
            (f"{MEMORY}?$select=Id&only", 400, "QueryCombinationInvalid"),
            (f"{MEMORY}?excerpt&only", 400, "QueryCombinationInvalid"),
            (f"{member}?only", 400, "QueryNotSupportedOnResource"),
            (f"{member}?$top=1", 400, "QueryNotSupportedOnResource"),
            (f"{member}?$skip=1", 400, "QueryNotSupportedOnResource"),
            (f"{member}?$filter=Name%20eq%20'x'", 400, "QueryNotSupportedOnResource"),
            ("/redfish?$expand=.", 400, "QueryNotSupportedOnResource"),
            ("/redfish/v1/odata?$select=Id", 400, "QueryNotSupportedOnResource"),
            ("/redfish/v1/$metadata?excerpt", 400, "QueryNotSupportedOnResource")):
        got = message(uri)
        check(got[:2] == (status, code), uri, got)
        info = got[2]["@Message.ExtendedInfo"][0]
        check(code != "QueryParameterUnsupported" or info["MessageArgs"], uri, info)
    check(message(f"{MEMORY}?$unknown=1")[2]["@Message.ExtendedInfo"][0]["MessageArgs"] == ["$unknown"],
          "the option is not named")
    check(message(f"{ROOT}EventService/Subscriptions?$expand=.", "POST")[:2] ==
          (400, "QueryNotSupportedOnOperation"), "a POST with options")
    for ignored in ("foo", "foo=1", "includeoriginofcondition", "Only", "onlyx=1", "expand=.", "select=Id", "top=x"):
        check(get(f"{MEMORY}?{ignored}")[2] == get(MEMORY)[2], ignored)


def check_excerpts(resources):
    sensors = [u for u, r in resources.items() if r.get("@odata.type", "").startswith("#Sensor.")]
    check(sensors, "the host has no sensors")
    for uri in sensors:
        whole, part = resources[uri], get_json(f"{uri}?excerpt")
        for k, v in whole.items():
            kept = k.startswith("@odata.") or k in ("Id", "Name", "Reading", "PhysicalContext", "Thresholds")
            check(part.get(k) == (v if kept else None), uri, k)
        collection = uri.rsplit("/", 1)[0]
        check(get_json(f"{collection}?excerpt&$expand=.")["Members"] == [part], collection)
    check(get_json(f"{MEMORY}?excerpt") == resources[MEMORY], "what has no excerpt is whole")


def main():
    # The login of this user is a record of the audit log; further requests are none.
    audit = f"{ROOT}Managers/Service/LogServices/Audit/Entries"
    end = time.monotonic() + WAIT_SECONDS
    while not get_json(audit)["Members"] and time.monotonic() < end:
        time.sleep(0.1)
    resources = read_all()
    check(len(resources) > 40, "few resources")
    collections = [u for u, r in resources.items() if r.get("@odata.type", "").endswith("Collection")]
    for uri, resource in resources.items():
        if "@odata.type" in resource:
            check_expand(uri, resources)
            check_select(uri, resources)
    for uri in collections:
        # The log has its own pages and filter, which log.sh tests.
        if not uri.endswith("/Entries"):
            check_paging(uri, resources)
            check_filter(uri, resources)
        check_only(uri, resources)
    for uri in (MEMORY, f"{MEMORY}?$expand=.", f"{MEMORY}?$expand=*($levels=2)", f"{MEMORY}?$top=1",
                resources[MEMORY]["Members"][0]["@odata.id"], f"{ROOT}?$select=Links", ROOT):
        check_caching(uri)
    check_refused(resources)
    check_excerpts(resources)
    features = resources[ROOT]["ProtocolFeaturesSupported"]
    check(features["ExpandQuery"] == {"ExpandAll": True, "Levels": True, "Links": True, "MaxLevels": 6,
                                      "NoLinks": True}, features)
    check(get(f"{MEMORY}?$expand=~($levels={features['ExpandQuery']['MaxLevels']})")[0] == 200, "MaxLevels")
    for name in ("ExcerptQuery", "FilterQuery", "FilterQueryComparisonOperations", "OnlyMemberQuery",
                 "FilterQueryCompoundOperations", "IncludeOriginOfConditionQuery", "SelectQuery", "TopSkipQuery"):
        check(features[name], name)
    print(len(resources), "resources,", len(collections), "collections,", failures, "failures")
    sys.exit(failures > 0)


main()
