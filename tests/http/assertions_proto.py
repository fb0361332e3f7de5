#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The assertions PROTO_* of DSP0266: URIs, methods, media types, entity tags."""
import re
import sys
import urllib.parse

sys.dont_write_bytecode = True
from assertions_client import ACCOUNTS, ROOT, SESSIONS, Client, run, walk  # noqa: E402

DOES_NOT_APPLY = {}
UNSAFE = re.compile(r'[\s<>"#%{}|\\^~\[\]`\x00-\x1f\x7f-\uffff]')  # RFC 1738 2.2
ETAG = re.compile(r'(W/)?"[\x21\x23-\x7e\x80-\xff]*"')  # RFC 7232 2.3
NEVER_ISSUED = '"never-issued"'
LINKS = ("@odata.id", "target", "@Redfish.ActionInfo", "Members@odata.nextLink", "Uri",
         "ServerSentEventUri")


def uris(s):
    """Each URI in a resource that refers to this service, with the resource."""
    for where, reply in s.all().items():
        for _, item in walk(reply.json):
            for name in LINKS:
                value = item.get(name)
                if isinstance(value, str) and not re.match("https?:", value):
                    yield where, value


def proto_uri_safe_chars(s):
    for where, uri in uris(s):
        path, _, fragment = uri.partition("?")[0].partition("#")
        assert not UNSAFE.search(path) and not UNSAFE.search(fragment), (where, uri)


def proto_uri_no_encoded_chars(s):
    for where, uri in uris(s):
        assert "%" not in uri.partition("?")[0], (where, uri)


def proto_http_supported_methods(s):
    s.admin.get(ROOT + "Systems")
    account = s.new_account("methods")
    s.admin.expect((200, 204), "PATCH", account.uri, {"RoleId": "Operator"},
                   headers={"If-Match": s.etag(account.uri)})
    s.admin.expect((200, 204), "DELETE", account.uri)


def proto_http_unsupported_methods(s):
    for method in ("DELETE", "PATCH", "POST"):
        reply = s.admin.expect(405, method, ROOT, {} if method != "DELETE" else None)
        assert "GET" in reply.headers["Allow"] and reply.keys() == ["OperationNotAllowed"]
    for method in ("FAKEMETHODFORTEST", "PUT", "TRACE", "CONNECT", "get"):
        reply = s.admin.lines(method, ROOT, "Host: localhost")
        assert reply.status in (405, 501), (method, reply.status)


def proto_redirect_enforces_target_privs(s):
    plain = Client(s.redirecting)
    for method, path in (("GET", ROOT + "Systems"), ("DELETE", ACCOUNTS + "/1")):
        reply = plain.expect((301, 302, 307, 308), method, path)
        target = urllib.parse.urlsplit(reply.headers["Location"])
        assert target.scheme == "https" and target.path == path, reply.headers["Location"]
        s.anonymous.expect(401, method, target.path)
    # Not even with a credential is there anything but the redirection.
    reply = Client(s.redirecting, s.login).expect((301, 302, 307, 308), "GET", ROOT + "Systems")
    assert b"Members" not in reply.text
    s.account("ReadOnly").expect(403, "DELETE", ACCOUNTS + "/1")


def proto_json_all_resources(s):
    for uri in s.all():
        reply = s.admin.get(uri, headers={"Accept": "application/json"})
        assert reply.headers.get_content_type() == "application/json", uri


def proto_json_rfc(s):
    for uri, reply in s.all().items():
        assert isinstance(reply.json, dict), uri  # which refuses repeated names
        reply.text.decode("utf-8")


def proto_json_accepted(s):
    for kind in ("application/json", "application/json; charset=utf-8", "APPLICATION/JSON"):
        name, password = s.login
        reply = s.anonymous.expect(201, "POST", SESSIONS,
                                '{"UserName":"%s","Password":"%s"}' % (name, password),
                                headers={"Content-Type": kind})
        assert reply.headers.get_content_type() == "application/json"


def proto_etag_on_get_account(s):
    for member in s.admin.get(ACCOUNTS).json["Members"]:
        reply = s.admin.get(member["@odata.id"])
        assert reply.headers["ETag"] == reply.json["@odata.etag"]


def proto_etag_rfc7232(s):
    for uri, reply in s.all().items():
        assert reply.headers["ETag"] and ETAG.fullmatch(reply.headers["ETag"]), uri
    uri = ROOT + "Systems"
    etag = s.etag(uri)
    for given in (etag, "W/" + etag, '"x", ' + etag, "*"):
        answer = s.admin.expect(304, "GET", uri, headers={"If-None-Match": given})
        assert not answer.text and answer.headers["ETag"] == etag
        s.admin.expect(304, "HEAD", uri, headers={"If-None-Match": given})
    for given in ('"x"', etag[1:-1], "W/" + etag[:-1]):
        s.admin.get(uri, headers={"If-None-Match": given})


def change_role(s, account, role, etag, status=(200, 204)):
    s.admin.expect(status, "PATCH", account.uri, {"RoleId": role}, headers={"If-Match": etag})


def role_of(s, account):
    return s.admin.get(account.uri).json["RoleId"]


def proto_etag_header_and_property(s):
    for uri, reply in s.all().items():
        assert reply.headers["ETag"] == reply.json["@odata.etag"], uri


def proto_etag_stable_without_modification(s):
    account = s.new_account("stable")
    etag = s.etag(account.uri)
    account.get(ROOT + "Systems")
    s.session(account.login)  # logins change no account
    assert s.etag(account.uri) == etag


def proto_etag_conditional_get(s):
    account = s.new_account("conditional")
    etag = s.etag(account.uri)
    assert not s.admin.expect(304, "GET", account.uri, headers={"If-None-Match": etag}).text
    change_role(s, account, "Operator", etag)
    changed = s.admin.get(account.uri, headers={"If-None-Match": etag})
    assert changed.json["RoleId"] == "Operator", changed.json


def proto_etag_if_match_enforced(s):
    account = s.new_account("enforced")
    change_role(s, account, "Operator", NEVER_ISSUED, 412)
    change_role(s, account, "Operator", s.etag(account.uri))
    assert role_of(s, account) == "Operator"


def proto_etag_412_write_not_applied(s):
    account = s.new_account("untouched")
    change_role(s, account, "Operator", NEVER_ISSUED, 412)
    assert role_of(s, account) == "ReadOnly"


def proto_etag_lost_update(s):
    account = s.new_account("lost")
    etag = s.etag(account.uri)
    change_role(s, account, "Operator", etag)
    change_role(s, account, "Administrator", etag, 412)
    assert role_of(s, account) == "Operator"


def proto_etag_rotates_on_write(s):
    account = s.new_account("rotates")
    seen = [s.etag(account.uri)]
    for role in ("Operator", "Administrator"):
        change_role(s, account, role, seen[-1])
        seen.append(s.etag(account.uri))
    assert len(set(seen)) == 3, seen


def proto_std_uri_service_root(s):
    reply = s.anonymous.get("/redfish/v1/")
    assert reply.json["@odata.id"] == "/redfish/v1/"
    assert reply.json["@odata.type"].startswith("#ServiceRoot.")


def proto_std_uri_version(s):
    assert s.anonymous.get("/redfish").json == {"v1": "/redfish/v1/"}


def proto_std_uris_supported(s):
    for uri in ("/redfish", "/redfish/v1/", "/redfish/v1/odata", "/redfish/v1/$metadata"):
        s.anonymous.get(uri)
        s.anonymous.get("/" + uri)  # doubled slashes at the start are one


def proto_std_uri_service_root_redirect(s):
    assert s.anonymous.get("/redfish/v1").text == s.anonymous.get("/redfish/v1/").text


def proto_uri_relative_refs(s):
    for where, uri in uris(s):
        assert uri.startswith("/"), (where, uri)
        if uri.startswith("//"):
            assert urllib.parse.urlsplit(uri).netloc, (where, uri)


if __name__ == "__main__":
    sys.exit(run(sys.modules[__name__], sys.argv[1:]))
