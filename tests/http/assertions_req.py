#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The assertions REQ_* of DSP0266: request headers, queries, and what each method does."""
import sys

sys.dont_write_bytecode = True
from assertions_client import (ACCOUNTS, EVENT_SERVICE, JSON, PAGE, ROOT, SESSIONS,  # noqa: E402
                               SUBSCRIPTIONS, Client, run)

NO_ARRAYS = "no resource has an array that a client can change element by element"
DOES_NOT_APPLY = {
    "REQ_PATCH_ARRAY_ELEMENT_REMOVE": NO_ARRAYS,
    "REQ_PATCH_ARRAY_ELEMENT_UNCHANGED": NO_ARRAYS,
    "REQ_PATCH_ARRAY_OPERATIONS_ORDER": NO_ARRAYS,
    "REQ_PATCH_ARRAY_TRUNCATE": NO_ARRAYS,
}
SYSTEMS = ROOT + "Systems"


def login_body(s):
    return {"UserName": s.login[0], "Password": s.login[1]}


def req_headers_accept(s):
    for accept in ("application/json", "application/json;charset=utf-8", "application/*", "*/*",
                   "text/html, */*;q=0.1"):
        s.admin.get(SYSTEMS, headers={"Accept": accept})
    for accept in ("application/xml", "*/*"):
        s.anonymous.get(ROOT + "$metadata", headers={"Accept": accept})
    for accept in ("text/html", "application/xml", "application/json;q=0"):
        reply = s.admin.expect(406, "GET", SYSTEMS, headers={"Accept": accept})
        assert reply.keys() == ["HeaderInvalid"] and reply.args() == ["Accept"]
    for accept in ("application/yaml", "*/*"):
        s.anonymous.get(ROOT + "openapi.yaml", headers={"Accept": accept})


def req_headers_authorization(s):
    s.admin.get(SYSTEMS)
    # An account of its own: failures lock it out.
    name = s.new_account("authorization").login[0]
    for login in ((name, "wrong"), ("unknown", s.login[1]), ("", ""), (name, "")):
        Client(s.url, login).expect(401, "GET", SYSTEMS)
    for value in ("Basic", "Basic !", "Basic bm9ib2R5", "Bearer x", 'Digest username="admin"', ""):
        s.anonymous.expect(401, "GET", SYSTEMS, headers={"Authorization": value})
    s.admin.get(SYSTEMS)


def req_headers_content_type(s):
    account = s.new_account("content-type")
    for value in ("application/json", "application/json;charset=utf-8"):
        s.admin.expect((200, 204), "PATCH", account.uri, '{"RoleId":"Operator"}',
                       headers={"Content-Type": value, "If-Match": s.etag(account.uri)})
    for value in ("application/xml", "text/plain", "application/x-www-form-urlencoded", "json",
                  "application/jsonx", None):
        reply = s.admin.expect(415, "PATCH", account.uri, '{"RoleId":"ReadOnly"}',
                               headers={"Content-Type": value})
        assert reply.args() == ["Content-Type"], value
        s.anonymous.expect(415, "POST", SESSIONS, '{"UserName":"a","Password":"b"}',
                        headers={"Content-Type": value})
    assert s.admin.get(account.uri).json["RoleId"] == "Operator"
    s.admin.expect((200, 204), "DELETE", account.uri)


def req_headers_host(s):
    for host in ("localhost", "x:443", "[::1]"):
        assert s.admin.lines("GET", SYSTEMS, "Host: " + host).status == 200
    for headers in ([], ["Host: a", "Host: b"], ["Host : a"]):
        reply = s.admin.lines("GET", SYSTEMS, *headers)
        assert reply.status == 400 and reply.keys() == ["HeaderInvalid"], headers
    assert s.admin.lines("GET", SYSTEMS, version="HTTP/1.0").status == 200


def req_headers_if_match(s):
    account = s.new_account("if-match")
    before = s.etag(account.uri)
    for value in ('"x"', "W/" + before, "", "garbage", before[1:-1]):
        reply = s.admin.expect(412, "PATCH", account.uri, {"RoleId": "Operator"},
                               headers={"If-Match": value})
        assert reply.keys() == ["PreconditionFailed"], value
        s.admin.expect(412, "DELETE", account.uri, headers={"If-Match": value})
    s.admin.expect(412, "PATCH", account.uri, {"RoleId": "Operator"},
                   headers={"If-None-Match": "*"})
    assert s.etag(account.uri) == before
    s.admin.expect((200, 204), "PATCH", account.uri, {"RoleId": "Operator"},
                   headers={"If-Match": '"x", ' + before})
    after = s.etag(account.uri)
    assert after != before
    s.admin.expect(412, "PATCH", account.uri, {"RoleId": "ReadOnly"}, headers={"If-Match": before})
    s.admin.expect((200, 204), "DELETE", account.uri, headers={"If-Match": "*"})
    # Where a condition is demanded: the policy of all accounts.
    policy = ROOT + "AccountService"
    threshold = s.admin.get(policy).json["AccountLockoutThreshold"]
    reply = s.admin.expect(428, "PATCH", policy, {"AccountLockoutThreshold": threshold})
    assert reply.keys() == ["PreconditionRequired"]
    s.admin.expect((200, 204), "PATCH", policy, {"AccountLockoutThreshold": threshold},
                   headers={"If-Match": s.etag(policy)})


def req_headers_odata_version(s):
    for uri in (ROOT, SYSTEMS):
        s.admin.get(uri, headers={"OData-Version": "4.0"})
        for value in ("4.1", "3.0", "x", ""):
            reply = s.admin.expect(412, "GET", uri, headers={"OData-Version": value})
            assert reply.args() == ["OData-Version"], value
    s.admin.expect(412, "POST", SESSIONS, login_body(s), headers={"OData-Version": "4.1"})


def req_headers_origin(s):
    own = s.url.rstrip("/")
    for headers, refused in (
            ({"Origin": own}, False), ({"Origin": PAGE}, False),
            ({"Sec-Fetch-Site": "same-origin"}, False),
            ({"Origin": PAGE, "Sec-Fetch-Site": "cross-site"}, False),
            ({"Origin": "https://evil.example"}, True), ({"Origin": "null"}, True),
            ({"Origin": own.replace("https", "http")}, True), ({"Origin": own + "0"}, True),
            ({"Sec-Fetch-Site": "cross-site"}, True), ({"Sec-Fetch-Site": "same-site"}, True)):
        reply = s.anonymous.expect(403 if refused else 201, "POST", SESSIONS, login_body(s),
                                headers=headers)
        if refused:
            assert reply.args() == [list(headers)[-1]] and reply.keys() == ["HeaderInvalid"]
            assert "X-Auth-Token" not in reply.headers
            for method in ("POST", "PATCH", "DELETE"):
                s.admin.expect(403, method, ACCOUNTS + "/1", {} if method != "DELETE" else None,
                               headers=headers)
        s.admin.get(SYSTEMS, headers=headers)


def req_headers_user_agent(s):
    for value in ("curl/8.0", "x" * 200, ""):
        s.admin.get(SYSTEMS, headers={"User-Agent": value})
    assert s.admin.lines("GET", SYSTEMS, "Host: localhost").status == 200


def req_headers_x_auth_token(s):
    client = s.session()
    client.get(SYSTEMS)
    token = client.credential["X-Auth-Token"]
    for value in (token[:-1], token + "0", token[::-1] + "x", "x", "", "0" * len(token)):
        s.anonymous.expect(401, "GET", SYSTEMS, headers={"X-Auth-Token": value})
    s.admin.expect((200, 204), "DELETE", client.uri)
    client.expect(401, "GET", SYSTEMS)


def req_get_no_accept_header(s):
    reply = s.admin.lines("GET", SYSTEMS, "Host: localhost")
    assert reply.status == 200
    assert reply.headers.get_content_type() == "application/json" and reply.json["Members"]


def req_get_ignore_body(s):
    plain = s.admin.get(SYSTEMS).text
    for body, headers in (("{}", JSON), ("nonsense", JSON), ("x" * 10000, {"Content-Type": "a/b"})):
        assert s.admin.get(SYSTEMS, body=body, headers=headers).text == plain
        s.admin.expect(200, "HEAD", SYSTEMS, body, headers=headers)


def req_get_collection_count_prop_required(s):
    assert len(s.collections()) > 10
    for uri, reply in s.collections().items():
        assert isinstance(reply.json.get("Members@odata.count"), int), uri


def req_get_collection_count_prop_total(s):
    for uri, reply in s.collections().items():
        n, body = len(reply.json["Members"]), reply.json
        while "Members@odata.nextLink" in body:
            body = s.admin.get(body["Members@odata.nextLink"]).json
            n += len(body["Members"])
        if "/Sessions" not in uri:
            assert body["Members@odata.count"] == n, (uri, n)
        if n > 1:
            part = s.admin.expect((200, 501), "GET", uri + "?$top=1")
            if part.status == 200:
                assert len(part.json["Members"]) == 1, uri
                assert part.json["Members@odata.count"] == n, uri
                assert "Members@odata.nextLink" in part.json, uri


def req_get_service_root_url(s):
    assert s.anonymous.get("/redfish/v1/").json["@odata.id"] == "/redfish/v1/"


def req_get_service_root_no_auth(s):
    s.anonymous.get("/redfish/v1/")
    s.anonymous.get("/redfish")


def req_get_metadata_uri(s):
    assert b"EntityContainer" in s.anonymous.get("/redfish/v1/$metadata").text


def req_get_odata_uri(s):
    assert s.anonymous.get("/redfish/v1/odata").json["value"]


def req_get_metadata_odata_no_auth(s):
    s.anonymous.get("/redfish/v1/$metadata")
    s.anonymous.get("/redfish/v1/odata")


# Each feature: a request that has it, on a resource that shows it.
FEATURES = (
    ("OnlyMemberQuery", SYSTEMS + "?only"),
    ("SelectQuery", SYSTEMS + "?$select=Name"),
    ("FilterQuery", SYSTEMS + "?$filter=Name eq 'x'"),
    ("TopSkipQuery", SYSTEMS + "?$top=1"),
    ("ExpandQuery/ExpandAll", SYSTEMS + "?$expand=*"),
    ("ExpandQuery/Links", SYSTEMS + "?$expand=~"),
    ("ExpandQuery/NoLinks", SYSTEMS + "?$expand=."),
    ("ExpandQuery/Levels", SYSTEMS + "?$expand=.($levels=1)"),
)


def req_query_protocol_features_supported(s):
    features = s.anonymous.get(ROOT).json["ProtocolFeaturesSupported"]
    sensor = next((uri for uri in s.all() if "/Sensors/" in uri), None)
    checks = list(FEATURES)
    if sensor:
        checks.append(("ExcerptQuery", sensor + "?excerpt"))
    for name, request in checks:
        value = features
        for part in name.split("/"):
            value = value.get(part, False) if isinstance(value, dict) else False
        reply = s.admin.ask("GET", request.replace(" ", "%20"))
        if value:
            assert reply.status == 200, (name, request, reply.status, reply.text)
        elif "$" in request and name != "FilterQuery":
            assert reply.status == 501, (name, request, reply.status)
    if features["ExpandQuery"].get("Levels"):
        most = features["ExpandQuery"]["MaxLevels"]
        s.admin.get(SYSTEMS + "?$expand=.($levels=%d)" % most)
        s.admin.expect((400, 501), "GET", SYSTEMS + "?$expand=.($levels=%d)" % (most + 1))


def req_query_ignore_unsupported(s):
    for query in ("?rpvunknown", "?rpvunknown=x", "?a=1&b=2", "?only2"):
        assert s.admin.get(SYSTEMS + query).json["Members"]


def req_query_unsupported_dollar_params(s):
    for uri in (ROOT, SYSTEMS):
        s.admin.expect(501, "GET", uri + "?$rpvunknown")
        s.admin.expect(501, "GET", uri + "?$rpvunknown=x")
    s.anonymous.expect(501, "GET", ROOT + "?$rpvunknown")


def req_query_unsupported_params_ext_error(s):
    for query in ("?$rpvunknown", "?$rpvunknown=x"):
        reply = s.admin.expect(501, "GET", SYSTEMS + query)
        assert "$rpvunknown" in reply.args(), reply.json


def req_query_invalid_values(s):
    for query in ("?only=foo", "?excerpt=foo", "?$top=x", "?$top=-1", "?$skip=x",
                  "?$expand=x", "?$filter=x%20y%20z", "?only&$expand=."):
        reply = s.admin.expect(400, "GET", SYSTEMS + query)
        assert all(key.startswith("Query") for key in reply.keys()), (query, reply.keys())


def req_head_differs_from_get(s):
    for uri in (ROOT, SYSTEMS, "/redfish", ROOT + "$metadata", ROOT + "odata", ACCOUNTS):
        get, head = s.admin.get(uri), s.admin.expect(200, "HEAD", uri)
        assert not head.text
        for name in ("Content-Type", "Content-Length", "Allow", "ETag", "Link", "OData-Version",
                     "Cache-Control"):
            assert head.headers[name] == get.headers[name], (uri, name)
    for uri, status in ((ROOT + "nothing", 404), (ROOT + "?$x", 501)):
        assert not s.admin.expect(status, "HEAD", uri).text


def req_data_mod_not_supported(s):
    for uri in (ROOT, SYSTEMS, SYSTEMS + "/Host", ROOT + "Registries"):
        for method in ("POST", "PATCH", "DELETE"):
            reply = s.admin.expect(405, method, uri, None if method == "DELETE" else {"A": 1})
            assert method not in reply.headers["Allow"], uri
            assert reply.keys() == ["OperationNotAllowed"]
    s.admin.expect(404, "PATCH", ROOT + "nothing", {"A": 1})
    s.admin.expect(404, "DELETE", ROOT + "nothing")


def req_data_mod_errors(s):
    account = s.new_account("errors")
    before = s.admin.get(account.uri).text
    n = s.admin.get(ACCOUNTS).json["Members@odata.count"]
    for status, body in ((400, {"RoleId": "Nonsense"}), (400, {"RoleId": 7}),
                         (400, {"RoleId": "Operator", "Enabled": "x"}), (400, {}),
                         (400, {"RoleId": "Operator", "Id": "7"})):
        s.admin.expect(status, "PATCH", account.uri, body)
        assert s.admin.get(account.uri).text == before, body
    for text in ("", "{", "[]", '{"RoleId":"Operator","RoleId":"ReadOnly"}', '"x"'):
        s.admin.expect(400, "PATCH", account.uri, text, headers=JSON)
        s.admin.expect(400, "POST", ACCOUNTS, text, headers=JSON)
    for body in ({"UserName": "x"}, {"UserName": "errors", "Password": "long-enough-1",
                                     "RoleId": "ReadOnly"}):
        s.admin.expect(range(400, 500), "POST", ACCOUNTS, body)
    assert s.admin.get(account.uri).text == before
    assert s.admin.get(ACCOUNTS).json["Members@odata.count"] == n


def bogus(reply, name):
    infos = [i for i in reply.messages() if i["MessageId"].endswith(".PropertyUnknown")]
    assert [i["MessageArgs"] for i in infos] == [[name]], reply.json
    assert infos[0]["RelatedProperties"] == ["#/" + name]


def req_patch_mixed_props(s):
    account = s.new_account("mixed")
    before = s.admin.get(account.uri).text
    # All or nothing: the part that could be done is not.
    reply = s.admin.expect(400, "PATCH", account.uri, {"RoleId": "Operator", "BogusProp": "foo"},
                           headers={"If-Match": s.etag(account.uri)})
    bogus(reply, "BogusProp")
    assert s.admin.get(account.uri).text == before


def req_patch_bad_prop(s):
    account = s.new_account("bad-prop")
    bogus(s.admin.expect(400, "PATCH", account.uri, {"BogusProp": "foo"}), "BogusProp")
    # Each of several has its message.
    reply = s.admin.expect(400, "PATCH", account.uri, {"BogusProp": 1, "Other": 2, "Id": "x"})
    assert sorted(reply.keys()) == ["PropertyNotWritable", "PropertyUnknown", "PropertyUnknown"]
    assert reply.json["error"]["code"].endswith(".GeneralError")


def req_patch_odata_props(s):
    account = s.new_account("odata")
    reply = s.admin.expect((400, 200, 204), "PATCH", account.uri, {"@odata.id": account.uri})
    if reply.status == 400:
        assert reply.keys() == ["NoOperation"]
    s.admin.expect((200, 204), "PATCH", account.uri,
                   {"@odata.etag": s.etag(account.uri), "RoleId": "Operator"})
    assert s.admin.get(account.uri).json["RoleId"] == "Operator"


def req_post_create_via_collection(s):
    s.session()
    s.new_account("collection")


def req_post_create_uri_in_location_hdr(s):
    client = s.session()
    assert client.get(client.uri).json["@odata.id"] == client.uri
    account = s.new_account("location")
    assert s.admin.get(account.uri).json["UserName"] == "location"


def req_post_create_to_members_prop(s):
    for uri in (SESSIONS + "/Members", SESSIONS + "/Members/", "/" + SESSIONS + "/Members"):
        reply = s.anonymous.expect(201, "POST", uri, login_body(s))
        assert reply.headers["Location"].startswith(SESSIONS + "/")
        assert reply.headers["X-Auth-Token"]
    s.anonymous.expect((401, 404), "GET", SESSIONS + "/Members")


def req_post_create_not_idempotent(s):
    assert s.session().uri != s.session().uri
    body = {"Destination": "https://127.0.0.1:1/", "Protocol": "Redfish"}
    made = [s.admin.expect(201, "POST", SUBSCRIPTIONS, body).headers["Location"] for _ in (1, 2)]
    assert made[0] != made[1]
    for uri in made:
        s.admin.expect((200, 204), "DELETE", uri)


def req_delete_method_required(s):
    client = s.session()
    s.admin.expect((200, 204), "DELETE", client.uri)
    s.admin.expect(404, "GET", client.uri)
    s.admin.expect(404, "DELETE", client.uri)
    assert "DELETE" not in s.admin.get(EVENT_SERVICE).headers["Allow"]


if __name__ == "__main__":
    sys.exit(run(sys.modules[__name__], sys.argv[1:]))
