#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Sessions of a running service: begun, used and ended.

    sessions.py SOCKET

SOCKET is of a service with a new state directory and the account admin, password "secret". Prints
what is not as it should be.
"""
import collections
import datetime
import re
import sys
import threading

sys.dont_write_bytecode = True
from redfish_client import Checks, Service, basic  # noqa: E402

ROOT = "/redfish/v1"
SERVICE = ROOT + "/SessionService"
SESSIONS = SERVICE + "/Sessions"
ACCOUNTS = ROOT + "/AccountService/Accounts"
SYSTEM = ROOT + "/Systems/Host"
SSE = ROOT + "/EventService/SSE"
SUBMIT = ROOT + "/EventService/Actions/EventService.SubmitTestEvent"
OF_AN_ACCOUNT = 64  # SESSIONS_PER_ACCOUNT_MAX
ASKED_FOR = 10000
THREADS = 16


class Test(Checks):
    def __init__(self, socket):
        super().__init__()
        self.socket = socket
        self.admin = Service(socket, basic("admin", "secret"))

    def begin(self, user, password, uri=SESSIONS, wanted=201, message=None):
        """Return: the URI, a service that uses the session, and the answer."""
        headers, body = self.expect(Service(self.socket), wanted, "POST", uri,
                                    {"UserName": user, "Password": password}, message)
        self.check(wanted == 201 or not headers["X-Auth-Token"], "a token with an error")
        token = headers["X-Auth-Token"] or ""
        return headers["Location"], Service(self.socket, {"X-Auth-Token": token}), body

    def create(self, user, role="ReadOnly"):
        return self.expect(self.admin, 201, "POST", ACCOUNTS,
                           {"UserName": user, "Password": "password", "RoleId": role})[0]["Location"]

    def run_session(self):
        uri, user, body = self.begin("reader", "password")
        token = user.headers["X-Auth-Token"]
        self.check(re.fullmatch("[0-9a-f]{32}", token), "the token has 128 bits: %s" % token)
        self.check(body["@odata.id"] == uri and body["UserName"] == "reader" and
                   body["Roles"] == ["ReadOnly"] and body["Password"] is None, "session: %s" % body)
        self.check(token not in str(body), "the token is in the body")
        _, again = self.expect(user, 200, "GET", uri)
        self.check(again == body, "another representation")
        self.expect(user, 200, "GET", SYSTEM)
        _, body = self.expect(user, 200, "GET", SESSIONS)
        self.check(body["Members"] == [{"@odata.id": uri}], "its own session: %s" % body)
        self.expect(Service(self.socket, {"X-Auth-Token": token[:-1]}), 401, "GET", SYSTEM)
        self.expect(Service(self.socket, {"X-Auth-Token": token.upper() + "0"}), 401, "GET", SYSTEM)
        self.expect(user, 405, "PATCH", uri, {"Context": "x"}, "OperationNotAllowed")
        self.expect(user, 204, "DELETE", uri)
        self.expect(user, 401, "GET", SYSTEM)
        self.expect(self.admin, 404, "GET", uri)

    def run_errors(self):
        for user, password in (("reader", "wrong"), ("unknown", "password"), ("", ""), ("reader", ""),
                               ("reader", "x" * 1000), ("x" * 1000, "password")):
            _, _, body = self.begin(user, password, wanted=401, message="AccessUnauthorized")
            self.check("reader" not in str(body), "the answer says something of the account")
        for body, message in (({}, "CreateFailedMissingReqProperties"),
                              ({"UserName": "reader"}, "CreateFailedMissingReqProperties"),
                              ({"UserName": 1, "Password": "wrong password"}, "PropertyValueTypeError"),
                              ({"UserName": "reader", "Password": ["wrong password"]},
                               "PropertyValueTypeError"),
                              ({"UserName": "reader", "Password": "wrong password", "X": 1},
                               "PropertyUnknown")):
            _, answer = self.expect(Service(self.socket), 400, "POST", SESSIONS, body, message)
            self.check("wrong password" not in str(answer), "a password is repeated: %s" % answer)
        _, body = self.expect(self.admin, 200, "GET", SESSIONS)
        self.check(body["Members"] == [], "there are sessions: %s" % body)

    def run_long(self):
        """A body that any client may send is no longer than a login takes."""
        for headers in ({}, {"Transfer-Encoding": "chunked"}):
            long = b'{"UserName":"reader","Password":"password"}' + b" " * 5000
            body = iter([long]) if headers else long
            service = Service(self.socket)
            service.connection.request("POST", SESSIONS, body,
                                       dict(headers, **{"Content-Type": "application/json"}),
                                       encode_chunked=bool(headers))
            answer = service.connection.getresponse()
            self.check(answer.status == 413 and b"PayloadTooLarge" in answer.read(),
                       "a login of 5000 bytes: %d" % answer.status)

    def run_others(self):
        """Sessions of others are for those who configure the manager."""
        _, operator, _ = self.begin("operator", "password")
        uri, user, _ = self.begin("reader", "password", SESSIONS + "/Members")
        self.expect(operator, 403, "GET", uri, None, "InsufficientPrivilege")
        self.expect(operator, 403, "DELETE", uri, None, "InsufficientPrivilege")
        _, body = self.expect(operator, 200, "GET", SESSIONS)
        self.check(body["Members@odata.count"] == 1, "sessions seen by another: %s" % body)
        _, body = self.expect(self.admin, 200, "GET", SESSIONS)
        self.check(body["Members@odata.count"] == 2, "sessions seen by an administrator: %s" % body)
        self.expect(self.admin, 204, "DELETE", uri)
        self.expect(user, 401, "GET", SYSTEM)
        for path in ("/0", "/x", "/01", "/99999999999999999999"):
            self.expect(self.admin, 404, "GET", SESSIONS + path)
            self.expect(self.admin, 404, "DELETE", SESSIONS + path)

    def run_end_with_account(self):
        """No session outlives a new password, or its account; a new role holds at once."""
        uri = self.create("leaver")
        for body in ({"Enabled": False}, {"Locked": True}, {"Password": "password"}):
            _, user, _ = self.begin("leaver", "password")
            _, other, _ = self.begin("leaver", "password")
            by = user if "Password" in body else self.admin
            self.expect(by, 200, "PATCH", uri, body)
            for session in (user, other):
                self.expect(session, 401, "GET", SYSTEM)
            self.expect(self.admin, 200, "PATCH", uri, {"Enabled": True, "Locked": False})
        session, user, _ = self.begin("leaver", "password")
        self.expect(user, 403, "GET", ROOT + "/CertificateService/CertificateLocations")
        self.expect(self.admin, 200, "PATCH", uri, {"RoleId": "Administrator"})
        self.expect(user, 200, "GET", ROOT + "/CertificateService/CertificateLocations")
        _, body = self.expect(user, 200, "GET", session)
        self.check(body["Roles"] == ["Administrator"], "the session's role")
        self.expect(self.admin, 204, "DELETE", uri)
        self.expect(user, 401, "GET", SYSTEM)

    def run_password_change(self):
        uri = self.create("new")
        self.expect(self.admin, 200, "PATCH", uri, {"PasswordChangeRequired": True})
        session, user, body = self.begin("new", "password")
        info = body["@Message.ExtendedInfo"][0]
        self.check(info["MessageId"].endswith(".PasswordChangeRequired") and
                   info["MessageArgs"] == [uri], "the login says that: %s" % body)
        self.expect(user, 403, "GET", SYSTEM, None, "PasswordChangeRequired")
        self.expect(user, 403, "GET", SESSIONS, None, "PasswordChangeRequired")
        self.expect(user, 200, "GET", uri)
        self.expect(user, 200, "PATCH", uri, {"Password": "password 2"})
        self.expect(user, 401, "GET", SYSTEM)
        _, user, body = self.begin("new", "password 2")
        self.check("@Message.ExtendedInfo" not in body, "the login says it still")
        self.expect(user, 200, "GET", SYSTEM)
        self.expect(self.admin, 204, "DELETE", uri)
        self.expect(self.admin, 404, "GET", session)

    def run_policy(self):
        for value in (29, 86401, -5, 0):
            self.expect(self.admin, 400, "PATCH", SERVICE, {"SessionTimeout": value},
                        "PropertyValueOutOfRange")
        self.expect(self.admin, 400, "PATCH", SERVICE, {"SessionTimeout": "60"},
                    "PropertyValueTypeError")
        self.expect(self.admin, 400, "PATCH", SERVICE, {"ServiceEnabled": False},
                    "PropertyNotWritable")
        _, body = self.expect(self.admin, 200, "PATCH", SERVICE, {"SessionTimeout": 600})
        self.check(body["SessionTimeout"] == 600, "SessionTimeout")
        # A session ends after a time although it is used, where that is in force.
        self.check(body["AbsoluteSessionTimeout"] == 86400 and not body["AbsoluteSessionTimeoutEnabled"], "no limit")
        session, _, body = self.begin("admin", "secret")
        self.check("ExpirationTime" not in body, "ExpirationTime without a limit")
        for value in (29, 31536001):
            self.expect(self.admin, 400, "PATCH", SERVICE, {"AbsoluteSessionTimeout": value}, "PropertyValueOutOfRange")
        self.expect(self.admin, 400, "PATCH", SERVICE, {"AbsoluteSessionTimeoutEnabled": 1}, "PropertyValueTypeError")
        self.expect(self.admin, 200, "PATCH", SERVICE,
                    {"AbsoluteSessionTimeout": 3600, "AbsoluteSessionTimeoutEnabled": True})
        _, body = self.expect(self.admin, 200, "GET", session)
        times = [datetime.datetime.strptime(body[name], "%Y-%m-%dT%H:%M:%SZ") for name in ("CreatedTime", "ExpirationTime")]
        self.check(abs((times[1] - times[0]).total_seconds() - 3600) <= 1, "ExpirationTime %s" % times)
        self.expect(self.admin, 200, "PATCH", SERVICE, {"AbsoluteSessionTimeoutEnabled": False})
        self.expect(self.admin, 204, "DELETE", session)

    def stream_ends(self, name, change):
        """Return: whether a stream of an account ends, without an event, after @change(account, session)."""
        account = self.create(name)
        uri, user, _ = self.begin(name, "password")
        user.connection.request("GET", SSE, headers=user.headers)
        stream = user.connection.getresponse()
        self.check(stream.status == 200 and b"events" in stream.read1(), name + ": no stream")
        change(account, uri)
        self.expect(self.admin, 204, "POST", SUBMIT, {"MessageId": "ResourceEvent.1.4.ResourceChanged"})
        text = b"".join(iter(stream.read1, b""))
        self.check(b"data:" not in text, "%s: the stream has %s" % (name, text))
        user.connection.close()

    def log_out(self, _, session):
        self.expect(self.admin, 204, "DELETE", session)

    def change_account(self, body):
        return lambda account, _: self.expect(self.admin, 200, "PATCH", account, body)

    def run_streams(self):
        """A stream ends with its session, and with each change of its account."""
        self.stream_ends("logged-out", self.log_out)
        self.stream_ends("deleted", lambda account, _: self.expect(self.admin, 204, "DELETE", account))
        self.stream_ends("disabled", self.change_account({"Enabled": False}))
        self.stream_ends("locked", self.change_account({"Locked": True}))
        self.stream_ends("promoted", self.change_account({"RoleId": "Operator"}))
        self.stream_ends("changed", self.change_account({"Password": "another password"}))
        self.stream_ends("must-change", self.change_account({"PasswordChangeRequired": True}))

    def run_many(self):
        """Sessions are asked for by the thousand; a limit holds, and the service goes on."""
        self.create("many")
        # None of them ends meanwhile, on a slow machine either.
        self.expect(self.admin, 200, "PATCH", SERVICE, {"SessionTimeout": 86400})
        got, tokens, lock = collections.Counter(), set(), threading.Lock()

        def ask():
            service = Service(self.socket)
            for _ in range(ASKED_FOR // THREADS):
                status, headers, _ = service.ask("POST", SESSIONS,
                                                 {"UserName": "many", "Password": "password"})
                with lock:
                    got[status] += 1
                    if status == 201:
                        tokens.add(headers["X-Auth-Token"])

        threads = [threading.Thread(target=ask) for _ in range(THREADS)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.check(sum(got.values()) == ASKED_FOR and set(got) <= {201, 503}, "answers: %s" % got)
        self.check(got[201] <= OF_AN_ACCOUNT and len(tokens) == got[201], "sessions: %s" % got)
        for _ in range(OF_AN_ACCOUNT - got[201]):
            self.begin("many", "password")
        self.begin("many", "password", wanted=503, message="SessionLimitExceeded")
        self.expect(self.admin, 200, "PATCH", SERVICE, {"SessionTimeout": 600})
        # The limit is that of the account.
        uri, user, _ = self.begin("reader", "password")
        self.expect(user, 200, "GET", SYSTEM)
        self.expect(user, 204, "DELETE", uri)

    def run(self):
        self.create("reader")
        self.create("operator", "Operator")
        self.run_session()
        self.run_errors()
        self.run_long()
        self.run_others()
        self.run_end_with_account()
        self.run_password_change()
        self.run_policy()
        self.run_streams()
        self.run_many()
        return self.done()


if __name__ == "__main__":
    sys.exit(Test(sys.argv[1]).run())
