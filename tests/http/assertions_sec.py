#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The assertions SEC_* of DSP0266: TLS, authentication, sessions, accounts, privileges."""
import concurrent.futures
import os
import ssl
import subprocess
import sys
import threading
import warnings

sys.dont_write_bytecode = True
from assertions_client import (ACCOUNTS, EVENT_SERVICE, ROLES, ROOT, SESSION_SERVICE,  # noqa: E402
                               SESSIONS, SUBSCRIPTIONS, WAIT_SECONDS, Client, Stream, run, wait_for)

DOES_NOT_APPLY = {}
SYSTEMS = ROOT + "Systems"
WRITERS = 4
OPEN = ("/redfish", ROOT, ROOT + "odata", ROOT + "$metadata", ROOT + "openapi.yaml")


def handshake(s, version, ciphers=None):
    """The protocol of a connection that offers one version only; None when it is refused."""
    context = s.anonymous.context()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        context.minimum_version = context.maximum_version = version
    if ciphers:
        context.set_ciphers(ciphers)
    client = Client(s.url)
    client.context = lambda: context
    try:
        with client.raw_socket() as connection:
            return connection.version()
    except (ssl.SSLError, ConnectionError):
        return None


def sec_tls_1_1(s):
    assert s.url.startswith("https:")
    assert handshake(s, ssl.TLSVersion.TLSv1_2) == "TLSv1.2"
    assert handshake(s, ssl.TLSVersion.TLSv1_3) == "TLSv1.3"
    for version in (ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1):
        assert handshake(s, version, "ALL:@SECLEVEL=0") is None


def certificate(s):
    """The server's certificate, DER."""
    with s.anonymous.raw_socket() as connection:
        return connection.getpeercert(True)


def openssl(s, *arguments, **more):
    return subprocess.run(["openssl", *arguments], cwd=s.directory, check=True,
                          capture_output=True, **more).stdout


def sec_default_cert_replace(s):
    protocol = s.admin.get(ROOT + "Managers/Service").json["NetworkProtocol"]["@odata.id"]
    collection = s.admin.get(protocol).json["HTTPS"]["Certificates"]["@odata.id"]
    member = s.admin.get(collection).json["Members"][0]["@odata.id"]
    service = s.admin.get(ROOT).json["CertificateService"]["@odata.id"]
    actions = s.admin.get(service).json["Actions"]
    before, kept = certificate(s), s.session()
    request = s.admin.expect(200, "POST", actions["#CertificateService.GenerateCSR"]["target"], {
        "CertificateCollection": {"@odata.id": collection}, "CommonName": "127.0.0.1",
        "Country": "XX", "State": "S", "City": "C", "Organization": "O",
        "OrganizationalUnit": "U", "AlternativeNames": ["127.0.0.1"]}).json["CSRString"]
    with open(os.path.join(s.directory, "csr.pem"), "w", encoding="ascii") as f:
        f.write(request)
    openssl(s, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=ca",
            "-keyout", "ca.key", "-out", "ca.pem")
    with open(os.path.join(s.directory, "extensions"), "w", encoding="ascii") as f:
        f.write("subjectAltName=IP:127.0.0.1\n")
    made = openssl(s, "x509", "-req", "-in", "csr.pem", "-CA", "ca.pem", "-CAkey", "ca.key",
                   "-set_serial", "77", "-days", "2", "-extfile", "extensions").decode()
    replace = actions["#CertificateService.ReplaceCertificate"]["target"]
    body = {"CertificateString": made, "CertificateType": "PEM",
            "CertificateUri": {"@odata.id": member}}
    s.account("ReadOnly").expect(403, "POST", replace, body)
    s.admin.expect(400, "POST", replace, {**body, "CertificateString": "nonsense"})
    assert certificate(s) == before
    s.admin.expect((200, 201, 204), "POST", replace, body)
    wait_for("the new certificate", lambda: certificate(s) == ssl.PEM_cert_to_DER_cert(made), 10)
    # A connection of before goes on, and so does a session.
    kept.get(SYSTEMS)
    member = s.admin.get(collection).json["Members"][0]["@odata.id"]
    assert s.admin.get(member).json["SerialNumber"].strip("0").lower() in ("4d", "77")


def sec_certs_conform_x509v3(s):
    text = openssl(s, "x509", "-inform", "DER", "-noout", "-text", input=certificate(s)).decode()
    assert "Version: 3 (0x2)" in text, text
    assert "Subject Alternative Name" in text or "CN = 127.0.0.1" in text or "CN=" in text, text
    assert "Public Key Algorithm" in text and "Signature Algorithm: md5" not in text


def sec_both_auth_types(s):
    s.admin.get(SYSTEMS)
    s.session().get(SYSTEMS)


def sec_basic_auth_standalone(s):
    n = s.admin.get(SESSIONS).json["Members@odata.count"]
    reply = s.admin.get(SYSTEMS)
    assert "X-Auth-Token" not in reply.headers
    assert s.admin.get(SESSIONS).json["Members@odata.count"] == n


def sec_write_requires_auth(s):
    for method, uri in (("POST", ACCOUNTS), ("PATCH", ACCOUNTS + "/1"), ("DELETE", ACCOUNTS + "/1"),
                        ("PATCH", SESSION_SERVICE), ("POST", SUBSCRIPTIONS), ("PATCH", ROOT),
                        ("DELETE", ROOT), ("POST", "/redfish"), ("PATCH", SYSTEMS + "/Host"),
                        ("POST", EVENT_SERVICE + "/Actions/EventService.SubmitTestEvent"),
                        ("DELETE", SESSIONS + "/1"), ("POST", SESSIONS + "/1")):
        s.anonymous.expect(401, method, uri, None if method == "DELETE" else {})


def sec_read_requires_auth(s):
    for uri in s.all():
        if uri not in OPEN:
            s.anonymous.expect(401, "GET", uri)
    for uri in (ROOT + "nothing", "/page/nothing", "/metrics", ROOT + "schemas/CXLHostMemory_v1.xml"):
        s.anonymous.expect(401, "GET", uri)
    for uri in OPEN:
        s.anonymous.get(uri)


def sec_headers_first(s):
    etag = s.etag(SYSTEMS)
    for headers in ({"If-None-Match": etag}, {"If-None-Match": "*"}, {"OData-Version": "9"},
                    {"Accept": "text/html"}):
        s.anonymous.expect(401, "GET", SYSTEMS, headers=headers)
    s.anonymous.expect(401, "GET", ROOT + "nothing")
    s.anonymous.expect(401, "PATCH", ACCOUNTS + "/1", "nonsense", headers={"Content-Type": "a/b"})
    s.anonymous.expect(401, "PATCH", ACCOUNTS + "/1", {}, headers={"If-Match": '"x"'})


def sec_no_auth_cookies(s):
    client = s.session()
    token = client.credential["X-Auth-Token"]
    for reply in (client.reply, s.admin.get(SYSTEMS), client.get(SYSTEMS)):
        assert "Set-Cookie" not in reply.headers
    for name in ("X-Auth-Token", "SESSION", "session"):
        s.anonymous.expect(401, "GET", SYSTEMS, headers={"Cookie": "%s=%s" % (name, token)})


def sec_no_priv_info_in_msgs(s):
    name = s.new_account("private").login[0]
    logins = ((name, "xyzzy-password"), ("no-such-account", s.login[1]))
    wrong = [Client(s.url, login).expect(401, "GET", SYSTEMS) for login in logins]
    wrong.append(s.anonymous.expect(401, "GET", SYSTEMS))
    sessions = [s.anonymous.expect(401, "POST", SESSIONS, {"UserName": name, "Password": password})
                for name, password in logins]
    for replies in (wrong, sessions):
        assert len({reply.text for reply in replies}) == 1, "accounts that exist can be found out"
        for secret in ("private", "xyzzy", "no-such", "ReadOnly", s.login[1]):
            assert secret.encode() not in replies[0].text, replies[0].text


def sec_support_basic_auth(s):
    s.admin.get(SYSTEMS)
    assert s.url.startswith("https:")


def sec_basic_auth_over_https(s):
    """On a network; on loopback, plain HTTP is for the users of the machine."""
    client = Client(s.redirecting, s.login)
    reply = client.expect(set(range(300, 500)), "GET", SYSTEMS)
    assert b"Members" not in reply.text


def sec_require_login_sessions(s):
    client = s.session()
    shown = client.get(client.uri).json
    assert shown["UserName"] == s.login[0] and not shown.get("Password")
    assert {"@odata.id": client.uri} in s.admin.get(SESSIONS).json["Members"]
    s.anonymous.expect(401, "POST", SESSIONS, {"UserName": "no-such-account", "Password": "wrong"})
    client.expect((200, 204), "DELETE", client.uri)
    client.expect(401, "GET", SYSTEMS)
    s.admin.expect(404, "GET", client.uri)


def sec_sessions_uri_location(s):
    root = s.anonymous.get(ROOT).json
    service = s.admin.get(root["SessionService"]["@odata.id"]).json
    assert service["Sessions"] == root["Links"]["Sessions"]


def sec_session_create_https_only(s):
    body = {"UserName": s.login[0], "Password": s.login[1]}
    reply = Client(s.redirecting).expect(set(range(300, 500)), "POST", SESSIONS, body)
    assert "X-Auth-Token" not in reply.headers


def sec_session_post_response(s):
    client = s.session()
    assert client.reply.headers["X-Auth-Token"] and client.reply.headers["Location"]
    shown = client.reply.json
    assert shown["@odata.type"].startswith("#Session.") and shown["@odata.id"] == client.uri
    assert shown == client.get(client.uri).json
    assert client.credential["X-Auth-Token"].encode() not in client.reply.text
    assert s.login[1].encode() not in client.reply.text


def sec_session_termination_side_effects(s):
    """Another session, and its stream, outlive a session; the service ends what the session itself opened."""
    client, other = s.session(), s.session()
    ended, stream = Stream(client), Stream(other)
    assert ended.status == 200 and stream.status == 200
    s.admin.expect((200, 204), "DELETE", client.uri)
    client.expect(401, "GET", SYSTEMS)
    other.get(SYSTEMS)
    s.submit_event("after the session")
    wait_for("an event", lambda: b"after the session" in stream.text)
    assert not stream.ended
    wait_for("the end of the other stream", lambda: ended.ended)
    assert b"after the session" not in ended.text
    stream.close()


def sec_priv_one_role_pre_user(s):
    for member in s.admin.get(ACCOUNTS).json["Members"]:
        shown = s.admin.get(member["@odata.id"]).json
        assert isinstance(shown["RoleId"], str) and shown["RoleId"], shown
        assert shown["Links"]["Role"]["@odata.id"] == ROLES + "/" + shown["RoleId"]


def sec_priv_support_predefined_roles(s):
    wanted = {
        "Administrator": {"Login", "ConfigureManager", "ConfigureUsers", "ConfigureComponents",
                          "ConfigureSelf"},
        "Operator": {"Login", "ConfigureComponents", "ConfigureSelf"},
        "ReadOnly": {"Login", "ConfigureSelf"},
    }
    for name, privileges in wanted.items():
        shown = s.admin.get(ROLES + "/" + name).json
        assert shown["IsPredefined"] is True and shown["RoleId"] == name
        assert set(shown["AssignedPrivileges"]) == privileges, name


def sec_priv_predefined_role_not_modifiable(s):
    for name in ("Administrator", "Operator", "ReadOnly"):
        before = s.admin.get(ROLES + "/" + name).text
        s.admin.expect(range(400, 500), "PATCH", ROLES + "/" + name,
                       {"AssignedPrivileges": ["Login"]})
        s.admin.expect(range(400, 500), "DELETE", ROLES + "/" + name)
        assert s.admin.get(ROLES + "/" + name).text == before


def sec_priv_role_assigned_at_account_create(s):
    for role in ("Administrator", "Operator", "ReadOnly"):
        account = s.new_account("role-" + role, role)
        assert s.admin.get(account.uri).json["RoleId"] == role
    for body in ({"UserName": "no-role", "Password": "long-enough-1"},
                 {"UserName": "no-role", "Password": "long-enough-1", "RoleId": "Nonsense"}):
        reply = s.admin.expect(400, "POST", ACCOUNTS, body)
        assert any(info["RelatedProperties"] == ["#/RoleId"] for info in reply.messages())


def sec_priv_operation_to_priv_mapping(s):
    victim = s.new_account("victim")
    for role in ("Operator", "ReadOnly"):
        client = s.account(role)
        for method, uri, body in (("PATCH", victim.uri, {"Enabled": False}),
                                  ("DELETE", victim.uri, None),
                                  ("POST", ACCOUNTS, {"UserName": "x", "Password": "long-enough-1",
                                                      "RoleId": "Administrator"}),
                                  ("PATCH", client.uri, {"RoleId": "Administrator"}),
                                  ("PATCH", SESSION_SERVICE, {"SessionTimeout": 60})):
            reply = client.expect(403, method, uri, body)
            assert reply.keys()[0] in ("InsufficientPrivilege", "PropertyNotWritable"), reply.keys()
        client.get(SYSTEMS)
        client.get(client.uri)
        own = s.session(client.login)
        own.expect((200, 204), "DELETE", own.uri)
        others = s.session()
        client.expect(403, "DELETE", others.uri)
    assert s.admin.get(victim.uri).json["Enabled"] is True
    # The table is what is enforced.
    mapping = s.admin.get(ROOT + "Registries").json["Members"]
    assert any("Privilege" in m["@odata.id"] for m in mapping), mapping


def write_at_once(s, uri, etag):
    """Clients that have read the same tag change the role at once. Return: the statuses."""
    barrier = threading.Barrier(WRITERS, timeout=WAIT_SECONDS)

    def write(client):
        client.get(uri)  # so that it is connected and logged in
        barrier.wait()
        return client.ask("PATCH", uri, {"RoleId": "Administrator"}, headers={"If-Match": etag}).status

    with concurrent.futures.ThreadPoolExecutor(WRITERS) as pool:
        return sorted(pool.map(write, [Client(s.url, s.login) for _ in range(WRITERS)]))


def sec_accounts_support_etags(s):
    account = s.new_account("etags")
    before = s.etag(account.uri)
    s.admin.expect((200, 204), "PATCH", account.uri, {"RoleId": "Operator"},
                   headers={"If-Match": before})
    s.admin.expect(412, "PATCH", account.uri, {"RoleId": "ReadOnly"}, headers={"If-Match": before})
    shown = s.admin.get(account.uri)
    assert shown.json["RoleId"] == "Operator" and shown.headers["ETag"] != before
    s.admin.expect(304, "GET", account.uri, headers={"If-None-Match": shown.headers["ETag"]})
    statuses = write_at_once(s, account.uri, shown.headers["ETag"])
    assert statuses[0] in (200, 204) and statuses[1:] == [412] * (WRITERS - 1), statuses
    shown = s.admin.get(account.uri)
    assert shown.json["RoleId"] == "Administrator", shown.json
    s.admin.expect(412, "DELETE", account.uri, headers={"If-Match": before})
    s.admin.expect((200, 204), "DELETE", account.uri, headers={"If-Match": shown.headers["ETag"]})


def must_change(s, name):
    account = s.new_account(name, PasswordChangeRequired=True)
    assert s.admin.get(account.uri).json["PasswordChangeRequired"] is True
    return account


def says_change_required(infos, account):
    found = [i for i in infos if i["MessageId"].endswith(".PasswordChangeRequired")]
    assert found and found[0]["MessageArgs"] == [account.uri], infos


def sec_pwd_change_req_allow_session_login(s):
    account = must_change(s, "change-login")
    client = s.session(account.login)
    says_change_required(client.reply.json["@Message.ExtendedInfo"], account)


def sec_pwd_change_req_allow_get_account(s):
    account = must_change(s, "change-get")
    for client in (account, s.session(account.login)):
        assert client.get(account.uri).json["UserName"] == "change-get"


def sec_pwd_change_req_allow_patch_password(s):
    account = must_change(s, "change-patch")
    client = s.session(account.login)
    reply = client.expect(400, "PATCH", account.uri, {"Password": "x"})
    assert reply.messages()[0]["RelatedProperties"] == ["#/Password"]
    client.expect((200, 204), "PATCH", account.uri, {"Password": "another-password-2"})
    changed = Client(s.url, ("change-patch", "another-password-2"))
    changed.get(SYSTEMS)
    assert changed.get(account.uri).json["PasswordChangeRequired"] is False
    account.expect(401, "GET", SYSTEMS)
    client.expect(401, "GET", SYSTEMS)  # no session outlives the change


def sec_pwd_change_req_disallow_all_others(s):
    account = must_change(s, "change-others")
    client = s.session(account.login)
    for each in (account, client):
        for method, uri, body in (("GET", SYSTEMS, None), ("GET", ACCOUNTS, None),
                                  ("GET", ACCOUNTS + "/1", None), ("DELETE", account.uri, None),
                                  ("PATCH", ACCOUNTS + "/1", {"Password": "another-password-2"}),
                                  ("POST", SUBSCRIPTIONS, {})):
            reply = each.expect(403, method, uri, body)
            says_change_required(reply.messages(), account)
        for uri in OPEN:
            each.get(uri)
    client.expect((200, 204, 403), "DELETE", client.uri)


if __name__ == "__main__":
    sys.exit(run(sys.modules[__name__], sys.argv[1:]))
