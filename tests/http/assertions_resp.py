#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The assertions RESP_* of DSP0266: response headers, statuses, and the OData documents."""
import json
import re
import sys
import xml.etree.ElementTree

sys.dont_write_bytecode = True
from assertions_client import (ACCOUNTS, EVENT_SERVICE, JSON, PAGE, ROOT, SESSIONS,  # noqa: E402
                               SUBSCRIPTIONS, Client, run)

DOES_NOT_APPLY = {}
SYSTEMS = ROOT + "Systems"


def replies(s):
    """A reply of each kind: read, empty, created, changed, deleted, refused."""
    account = s.new_account("replies-%d" % s.admin.get(ACCOUNTS).json["Members@odata.count"])
    match = {"If-Match": s.etag(account.uri)}
    yield s.admin.get(SYSTEMS)
    yield s.admin.expect(200, "HEAD", SYSTEMS)
    yield s.admin.expect(304, "GET", SYSTEMS, headers={"If-None-Match": "*"})
    yield s.session().reply
    yield s.admin.expect((200, 204), "PATCH", account.uri, {"RoleId": "Operator"}, headers=match)
    yield s.admin.expect((200, 204), "DELETE", account.uri)
    yield s.admin.expect(204, "OPTIONS", SYSTEMS)
    yield s.admin.expect(404, "GET", ROOT + "nothing")
    yield s.admin.expect(400, "POST", ACCOUNTS, {})
    yield s.admin.expect(405, "DELETE", SYSTEMS)
    yield s.admin.expect(501, "GET", SYSTEMS + "?$nothing")
    yield s.admin.expect(400, "GET", ROOT + "../v1")
    yield s.anonymous.expect(401, "GET", SYSTEMS)
    yield s.account("ReadOnly").expect(403, "DELETE", account.uri)
    yield s.admin.expect(406, "GET", SYSTEMS, headers={"Accept": "text/html"})


def resp_headers_access_control_allow_origin(s):
    name = "Access-Control-Allow-Origin"
    body = {"UserName": s.login[0], "Password": s.login[1]}
    for origin, allowed in ((PAGE, True), (PAGE + ":443", True), ("https://evil.example", False),
                            ("http://page.example", False), ("null", False), (None, False)):
        headers = {"Origin": origin}
        seen = [s.admin.get(SYSTEMS, headers=headers), s.anonymous.get(ROOT, headers=headers),
                s.anonymous.expect(401, "GET", SYSTEMS, headers=headers),
                s.anonymous.expect((201, 403), "POST", SESSIONS, body, headers=headers)]
        for reply in seen:
            assert reply.headers[name] == (origin if allowed else None), origin
            assert "Origin" in ", ".join(reply.headers.get_all("Vary")), origin
            assert "Access-Control-Allow-Credentials" not in reply.headers
        preflight = s.anonymous.ask("OPTIONS", SESSIONS, headers={
            "Origin": origin, "Access-Control-Request-Method": "POST"})
        assert preflight.headers[name] == (origin if allowed else None), origin
        if allowed:
            assert preflight.status == 204
            assert "POST" in preflight.headers["Access-Control-Allow-Methods"]
            assert "X-Auth-Token" in seen[3].headers["Access-Control-Expose-Headers"]


def resp_headers_allow_method_not_allowed(s):
    for uri, method in ((ROOT, "DELETE"), (SYSTEMS, "POST"), (SESSIONS, "PATCH"),
                        (EVENT_SERVICE + "/Actions/EventService.SubmitTestEvent", "GET"),
                        (SYSTEMS, "PUT")):
        reply = s.admin.expect(405, method, uri, {} if method != "GET" else None)
        allowed = re.split(", *", reply.headers["Allow"])
        assert allowed and method not in allowed, (uri, allowed)
        # Each method that is named is supported.
        for other in set(allowed) & {"GET", "HEAD"}:
            s.admin.expect(200, other, uri)


def resp_headers_allow_get_or_head(s):
    for uri, reply in s.all().items():
        assert {"GET", "HEAD"} <= set(re.split(", *", reply.headers["Allow"])), uri
    for uri in (ROOT, SYSTEMS, ACCOUNTS, "/redfish", ROOT + "odata", ROOT + "$metadata"):
        head = s.admin.expect(200, "HEAD", uri)
        assert head.headers["Allow"] == s.admin.get(uri).headers["Allow"], uri
    assert "POST" in s.admin.get(ACCOUNTS).headers["Allow"]


def resp_headers_cache_control(s):
    for uri, reply in s.all().items():
        assert re.search("no-cache|no-store", reply.headers["Cache-Control"]), uri
    for reply in replies(s):
        assert re.search("no-cache|no-store", reply.headers["Cache-Control"]), reply.status


def resp_headers_content_type(s):
    for uri, reply in s.all().items():
        assert reply.headers["Content-Type"].replace(" ", "").lower() in (
            "application/json", "application/json;charset=utf-8"), uri
    for reply in replies(s):
        if reply.text:
            assert reply.headers.get_content_type() == "application/json", reply.status
            assert reply.json is not None


def resp_headers_etag(s):
    for member in s.admin.get(ACCOUNTS).json["Members"]:
        assert re.fullmatch(r'(W/)?"[^"]*"', s.admin.get(member["@odata.id"]).headers["ETag"])


def described_by(reply):
    match = re.search(r'<([^>]*)>; *rel="?describedby"?', reply.headers["Link"] or "")
    assert match, reply.headers.items()
    return match.group(1)


def resp_headers_link_rel_described_by(s):
    for uri, reply in s.all().items():
        target = described_by(reply)
        assert re.fullmatch(r"(https?://|/)[^ ]+\.json", target), (uri, target)


def resp_headers_link_schema_ver_match(s):
    for uri, reply in s.all().items():
        # "#Memory.v1_24_0.Memory" is described by ".../Memory.v1_24_0.json".
        name = reply.json["@odata.type"][1:].rpartition(".")[0]
        assert described_by(reply).rpartition("/")[2] == name + ".json", uri


def resp_headers_location(s):
    reply = s.session().reply
    assert reply.headers["Location"].startswith(SESSIONS + "/") and reply.headers["X-Auth-Token"]
    made = s.admin.expect(201, "POST", SUBSCRIPTIONS,
                          {"Destination": "https://127.0.0.1:1/", "Protocol": "Redfish"})
    assert made.headers["Location"].startswith(SUBSCRIPTIONS + "/")
    s.admin.expect((200, 204), "DELETE", made.headers["Location"])
    account = s.new_account("resp-location")
    assert account.uri.startswith(ACCOUNTS + "/")


def resp_headers_odata_version(s):
    for uri, reply in s.all().items():
        assert reply.headers["OData-Version"] == "4.0", uri
    for reply in replies(s):
        assert reply.headers["OData-Version"] == "4.0", reply.status


def resp_headers_www_authenticate(s):
    for client in (s.anonymous, Client(s.url, ("no-such-account", "wrong")),
                   Client(s.url, token="wrong")):
        for method, uri in (("GET", SYSTEMS), ("HEAD", SYSTEMS), ("GET", ROOT + "nothing"),
                            ("PATCH", ACCOUNTS + "/1"), ("DELETE", ACCOUNTS + "/1")):
            reply = client.expect(401, method, uri, {} if method == "PATCH" else None)
            assert reply.headers["WWW-Authenticate"].startswith("Basic realm="), (method, uri)
    # Other errors have none: a credential would not change them.
    assert "WWW-Authenticate" not in s.admin.expect(404, "GET", ROOT + "nothing").headers


def resp_headers_x_auth_token(s):
    tokens = [s.session().credential["X-Auth-Token"] for _ in range(12)]
    assert len(set(tokens)) == len(tokens)
    text = "".join(tokens)
    assert all(len(t) >= 32 for t in tokens) or len(set(text)) > 20, "less than 128 bits"
    # No place has the same character in all of them, and none is much more frequent.
    for place in zip(*tokens):
        assert len(set(place)) > 1, tokens
    assert max(text.count(c) for c in set(text)) < 4 * len(text) / len(set(text))


def resp_status_bad_request(s):
    for method, uri, body, headers in (
            ("POST", ACCOUNTS, {}, {}), ("POST", ACCOUNTS, "{", JSON),
            ("POST", SESSIONS, {"UserName": 1, "Password": 2}, {}),
            ("GET", SYSTEMS + "?$top=x", None, {}), ("GET", ROOT + "./x", None, {}),
            ("PATCH", ACCOUNTS + "/1", {"Nonsense": 1}, {}),
            ("POST", SUBSCRIPTIONS, {"Destination": "x"}, {})):
        assert s.admin.expect(400, method, uri, body, headers=headers).messages(), uri


def resp_status_internal_server_error(s):
    """The one that a client can cause: a test event that its receiver does not take."""
    uri = s.admin.expect(201, "POST", SUBSCRIPTIONS, {
        "Destination": "https://127.0.0.1:1/", "Protocol": "Redfish"}).headers["Location"]
    reply = s.admin.expect(500, "POST",
                           EVENT_SERVICE + "/Actions/EventService.TestEventSubscription")
    assert reply.keys() == ["TestEventNotDelivered"], reply.json
    s.admin.expect((200, 204), "DELETE", uri)


def metadata(s):
    reply = s.anonymous.get(ROOT + "$metadata")
    assert reply.headers["Content-Type"].replace(" ", "").lower() in (
        "application/xml", "application/xml;charset=utf-8")
    return xml.etree.ElementTree.fromstring(reply.text)


def resp_odata_metadata_mime_type(s):
    assert metadata(s).tag.endswith("}Edmx")


def resp_odata_metadata_entity_container(s):
    edm = "{http://docs.oasis-open.org/odata/ns/edm}"
    containers = list(metadata(s).iter(edm + "EntityContainer"))
    assert len(containers) == 1
    assert re.fullmatch(r"ServiceRoot\.v1_\d+_\d+\.ServiceContainer", containers[0].get("Extends"))
    included = {i.get("Namespace") for i in metadata(s).iter(
        "{http://docs.oasis-open.org/odata/ns/edmx}Include")}
    assert containers[0].get("Extends").rpartition(".")[0] in included
    for uri, reply in s.all().items():
        assert reply.json["@odata.type"][1:].rpartition(".")[0] in included, uri


def odata(s):
    reply = s.anonymous.get(ROOT + "odata")
    assert reply.headers.get_content_type() == "application/json"
    return reply.json


def resp_odata_service_mime_type(s):
    assert isinstance(odata(s), dict)
    s.anonymous.expect(406, "GET", ROOT + "odata", headers={"Accept": "application/xml"})


def resp_odata_service_context(s):
    assert odata(s)["@odata.context"] == "/redfish/v1/$metadata"


def resp_odata_service_value_prop(s):
    shown = odata(s)["value"]
    for item in shown:
        assert item["name"] and item["kind"] in ("Singleton", "EntitySet") and item["url"], item
    root = s.anonymous.get(ROOT).json
    linked = {v["@odata.id"] for v in root.values() if isinstance(v, dict) and "@odata.id" in v}
    urls = [item["url"] for item in shown]
    assert sorted(urls) == sorted(linked | {ROOT}), json.dumps(urls)
    for url in urls:
        s.admin.get(url)


if __name__ == "__main__":
    sys.exit(run(sys.modules[__name__], sys.argv[1:]))
