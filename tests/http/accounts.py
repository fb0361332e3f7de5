#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The accounts of a running service: made, changed, used and removed.

    accounts.py SOCKET PORT

SOCKET and PORT (http, at 127.0.0.1) are of a service with a new state directory and the account admin, password "secret". Prints
what is not as it should be.
"""
import http.client
import sys

sys.dont_write_bytecode = True
from redfish_client import Checks, Service, basic, messages  # noqa: E402

ROOT = "/redfish/v1"
SERVICE = ROOT + "/AccountService"
ACCOUNTS = SERVICE + "/Accounts"
ROLES = SERVICE + "/Roles"
ADMIN = ACCOUNTS + "/1"
SYSTEM = ROOT + "/Systems/Host"
DPA = SYSTEM + "/Memory/cxl-000000000000abc0/Actions/Oem/CXLHostMemory.TranslateDPA"
SPA = SYSTEM + "/Actions/Oem/CXLHostComputerSystem.TranslateSPA"


class Test(Checks):
    def __init__(self, socket, port):
        super().__init__()
        self.socket, self.port = socket, port
        self.admin = self.login("admin", "secret")

    def login(self, user, password):
        return Service(self.socket, basic(user, password))

    def remote_login(self, user, password):
        """From an address: root is never locked out on the socket."""
        return Service(http.client.HTTPConnection("127.0.0.1", self.port, timeout=180),
                       basic(user, password))

    def create(self, user, role="ReadOnly", password="password", wanted=201, message=None, **other):
        body = dict({"UserName": user, "Password": password, "RoleId": role}, **other)
        headers, answer = self.expect(self.admin, wanted, "POST", ACCOUNTS, body, message)
        return headers["Location"], answer

    def patch(self, uri, body, wanted=200, message=None, by=None, headers=None):
        if uri == SERVICE:
            headers = {"If-Match": "*", **(headers or {})}  # which it demands
        return self.expect(by or self.admin, wanted, "PATCH", uri, body, message, headers)

    def run_roles(self):
        for role, privileges in (
                ("Administrator", ["Login", "ConfigureManager", "ConfigureUsers",
                                   "ConfigureComponents", "ConfigureSelf"]),
                ("Operator", ["Login", "ConfigureComponents", "ConfigureSelf"]),
                ("ReadOnly", ["Login", "ConfigureSelf"])):
            uri = "%s/%s" % (ROLES, role)
            _, body = self.expect(self.admin, 200, "GET", uri)
            self.check(body["AssignedPrivileges"] == privileges, "privileges of %s" % role)
            self.check(body["IsPredefined"] and body["RoleId"] == role, "role %s" % role)
            self.patch(uri, {"AssignedPrivileges": ["Login"]}, 405, "OperationNotAllowed")
            self.expect(self.admin, 405, "DELETE", uri, None, "OperationNotAllowed")
        self.expect(self.admin, 405, "POST", ROLES, {"RoleId": "x"}, "OperationNotAllowed")

    def run_create(self):
        uri, body = self.create("reader", Enabled=True, AccountTypes=["Redfish"])
        self.check(uri == body["@odata.id"], "Location %s" % uri)
        headers, again = self.expect(self.admin, 200, "GET", uri)
        self.check(again == body, "the answer is not the account")
        self.check(headers["ETag"] == body["@odata.etag"], "ETag")
        self.check(body["Password"] is None and body["UserName"] == "reader", "account: %s" % body)
        self.check(body["Links"]["Role"] == {"@odata.id": ROLES + "/ReadOnly"}, "link to the role")
        # To Members, too; it is another one each time.
        _, other = self.expect(self.admin, 201, "POST", ACCOUNTS + "/Members",
                               {"UserName": "other", "Password": "password", "RoleId": "Operator"})
        self.check(other["@odata.id"] != uri, "two accounts with one URI")
        _, all_of_them = self.expect(self.admin, 200, "GET", ACCOUNTS)
        self.check(all_of_them["Members@odata.count"] == 3, "count of accounts")
        self.expect(self.admin, 204, "DELETE", other["@odata.id"])
        self.expect(self.admin, 404, "GET", other["@odata.id"])
        self.expect(self.admin, 404, "DELETE", other["@odata.id"])
        self.patch(other["@odata.id"], {"Enabled": True}, 404)
        for path in ("/01", "/0x1", "/+1", "/1.0", "/18446744073709551617", "/x"):
            self.expect(self.admin, 404, "GET", ACCOUNTS + path)

    def run_create_errors(self):
        _, body = self.expect(self.admin, 400, "POST", ACCOUNTS, {"Bogus": 1, "Enabled": "yes"})
        found = messages(body)
        self.check(sorted(found["CreateFailedMissingReqProperties"]) ==
                   ["#/Password", "#/RoleId", "#/UserName"], "missing properties: %s" % found)
        self.check(found["PropertyUnknown"] == ["#/Bogus"], "unknown property: %s" % found)
        self.check(found["PropertyValueTypeError"] == ["#/Enabled"], "type: %s" % found)
        self.create("reader", wanted=409, message="ResourceAlreadyExists")
        self.create("x", "Root", wanted=400, message="PropertyValueNotInList")
        self.create("x", AccountTypes=["IPMI"], wanted=400, message="PropertyValueNotInList")
        for name in ("", "-x", "a b", "a:b", "x" * 64, "\u00e4", "../x"):
            _, body = self.expect(self.admin, 400, "POST", ACCOUNTS,
                                  {"UserName": name, "Password": "password", "RoleId": "Operator"})
        for password, message in (("seven77", "StringValueTooShort"), ("x" * 256, "StringValueTooLong"),
                                  ("tab\tinside", "PropertyValueError"),
                                  (12345678, "PropertyValueTypeError")):
            _, body = self.create("x", password=password, wanted=400, message=message)
            self.check(str(password) not in str(body), "a password is repeated: %s" % body)
            self.check(messages(body)[message] == ["#/Password"], "related property: %s" % body)
        _, body = self.expect(self.admin, 200, "GET", ACCOUNTS)
        self.check(body["Members@odata.count"] == 2, "a rejected account was created")

    def run_patch(self):
        uri, first = self.create("changing")
        _, body = self.patch(uri, {"RoleId": "Operator", "@odata.id": uri})
        self.check(body["RoleId"] == "Operator", "a new role")
        self.check(body["@odata.etag"] != first["@odata.etag"], "ETag of a changed account")
        # All or nothing, and each that is wrong is named.
        _, body = self.patch(uri, {"RoleId": "ReadOnly", "Bogus": 1, "Id": "5", "Enabled": 3}, 400)
        found = messages(body)
        self.check(found.get("PropertyUnknown") == ["#/Bogus"] and
                   found.get("PropertyNotWritable") == ["#/Id"] and
                   found.get("PropertyValueTypeError") == ["#/Enabled"], "named: %s" % found)
        _, body = self.expect(self.admin, 200, "GET", uri)
        self.check(body["RoleId"] == "Operator", "a rejected PATCH changed something")
        self.patch(uri, {"Bogus": 1}, 400, "PropertyUnknown")
        self.patch(uri, {"@odata.id": uri}, 400, "NoOperation")
        self.patch(uri, {}, 400, "EmptyJSON")
        self.patch(uri, {"Password": None}, 400, "PropertyValueTypeError")
        self.patch(uri, {"UserName": "reader"}, 409, "ResourceAlreadyExists")
        self.patch(uri, {"Links": {}}, 400, "PropertyNotWritable")
        # Only on what the client knows.
        stale = {"If-Match": first["@odata.etag"]}
        self.patch(uri, {"Enabled": False}, 412, "PreconditionFailed", headers=stale)
        self.expect(self.admin, 412, "DELETE", uri, None, "PreconditionFailed", headers=stale)
        self.patch(uri, {"UserName": "changed"}, headers={"If-Match": body["@odata.etag"]})
        self.expect(self.login("changed", "password"), 200, "GET", SYSTEM)
        self.expect(self.login("changing", "password"), 401, "GET", SYSTEM)
        self.expect(self.admin, 204, "DELETE", uri)
        self.expect(self.login("changed", "password"), 401, "GET", SYSTEM)

    def run_disabled(self):
        uri, _ = self.create("off")
        user = self.login("off", "password")
        self.expect(user, 200, "GET", SYSTEM)
        for body, back in (({"Enabled": False}, {"Enabled": True}), ({"Locked": True},
                                                                     {"Locked": False})):
            self.patch(uri, body)
            self.expect(user, 401, "GET", SYSTEM)
            self.patch(uri, back)
            self.expect(user, 200, "GET", SYSTEM)
        self.expect(self.admin, 204, "DELETE", uri)

    def run_last_administrator(self):
        for body in ({"Enabled": False}, {"Locked": True}, {"RoleId": "Operator"}):
            self.patch(ADMIN, body, 403, "LastAdministrator")
        self.expect(self.admin, 403, "DELETE", ADMIN, None, "LastAdministrator")

    def run_methods(self):
        """Each role has its rights of the table of privileges."""
        reader, _ = self.create("r2")
        users = {"Operator": self.login("op", "password"), "ReadOnly": self.login("r2", "password")}
        operator, _ = self.create("op", "Operator")
        for role, user in users.items():
            own = operator if role == "Operator" else reader
            other = reader if role == "Operator" else operator
            denied = "InsufficientPrivilege"
            for uri in (ROOT, SYSTEM, SERVICE, ROLES, ROLES + "/Operator", ACCOUNTS, own,
                        ROOT + "/SessionService", ROOT + "/SessionService/Sessions",
                        ROOT + "/CertificateService", ROOT + "/Managers/Service/NetworkProtocol"):
                self.expect(user, 200, "GET", uri)
            for uri in (other, ADMIN, ROOT + "/CertificateService/CertificateLocations",
                        ROOT + "/Managers/Service/NetworkProtocol/HTTPS/Certificates",
                        SERVICE + "/MultiFactorAuth/ClientCertificate/Certificates"):
                self.expect(user, 403, "GET", uri, None, denied)
            self.expect(user, 403, "POST", ACCOUNTS, {"UserName": "x"}, denied)
            self.expect(user, 403, "PATCH", SERVICE, {"MinPasswordLength": 1}, denied)
            self.expect(user, 403, "PATCH", ROOT + "/SessionService", {"SessionTimeout": 60}, denied)
            self.expect(user, 403, "POST", ROOT + "/CertificateService/Actions/"
                        "CertificateService.GenerateCSR", {}, denied)
            # Nothing of others, and of the own account only the password.
            for uri in (other, ADMIN):
                self.expect(user, 403, "PATCH", uri, {"Password": "new password"}, denied)
                self.expect(user, 403, "DELETE", uri, None, denied)
            for body in ({"RoleId": "Administrator"}, {"Enabled": True}, {"UserName": "root"},
                         {"Password": "new password", "RoleId": "Administrator"},
                         {"PasswordChangeRequired": False}):
                self.expect(user, 403, "PATCH", own, body, denied)
            self.expect(user, 403, "DELETE", own, None, denied)
            _, body = self.expect(user, 200, "GET", ACCOUNTS)
            self.check(body["Members"] == [{"@odata.id": own}], "accounts seen by %s" % role)
            # The actions that change nothing need no more than a login.
            self.expect(user, 200, "POST", SPA, {"SystemPhysicalAddress": "0x850001000"})
            # A method that does not exist is no question of privileges.
            self.expect(user, 405, "DELETE", SYSTEM)
        self.expect(users["Operator"], 200, "PATCH", operator, {"Password": "new password"})
        self.expect(users["Operator"], 401, "GET", SYSTEM)
        self.expect(self.login("op", "new password"), 200, "GET", SYSTEM)
        self.expect(self.admin, 204, "DELETE", operator)
        self.expect(self.admin, 204, "DELETE", reader)

    def run_password_change(self):
        uri, body = self.create("new", "Operator", PasswordChangeRequired=True)
        self.check(body["PasswordChangeRequired"] is True, "PasswordChangeRequired")
        user = self.login("new", "password")
        message = "PasswordChangeRequired"
        for method, where in (("GET", SYSTEM), ("GET", ACCOUNTS), ("GET", ADMIN), ("DELETE", uri),
                              ("GET", ROOT + "/SessionService/Sessions")):
            self.expect(user, 403, method, where, None, message)
        self.expect(user, 403, "POST", SPA, {"SystemPhysicalAddress": "0"}, message)
        self.expect(user, 403, "PATCH", uri, {"PasswordChangeRequired": False}, message)
        _, body = self.expect(user, 200, "GET", uri + "?$expand=*($levels=6)")
        self.check(list(body["Links"]["Role"]) == ["@odata.id"], "another resource is shown: %s" % body)
        _, body = self.expect(user, 200, "GET", uri)
        self.check(body["PasswordChangeRequired"] is True, "it is shown to the user")
        self.expect(user, 400, "PATCH", uri, {"Password": "short"}, "StringValueTooShort")
        self.expect(user, 400, "PATCH", uri, {"Password": "password"}, "PasswordNotChanged")
        _, body = self.expect(user, 200, "PATCH", uri, {"Password": "password 2"})
        self.check(body["PasswordChangeRequired"] is False, "it remains required")
        self.expect(self.login("new", "password"), 401, "GET", SYSTEM)
        self.expect(self.login("new", "password 2"), 200, "GET", SYSTEM)
        self.expect(self.admin, 204, "DELETE", uri)

    def run_policy(self):
        _, body = self.expect(self.admin, 200, "GET", SERVICE)
        self.check(body["MinPasswordLength"] == 8 and body["MaxPasswordLength"] == 255, "lengths")
        for name, values in (("MinPasswordLength", (0, 256, -1, 2 ** 40)),
                             ("AccountLockoutThreshold", (-1, 1001)),
                             ("AccountLockoutDuration", (0, 86401)),
                             ("AccountLockoutCounterResetAfter", (0, 86401))):
            for value in values:
                self.patch(SERVICE, {name: value}, 400, "PropertyValueOutOfRange")
            self.patch(SERVICE, {name: "1"}, 400, "PropertyValueTypeError")
        self.patch(SERVICE, {"AccountLockoutCounterResetAfter": 301}, 400, "PropertyValueConflict")
        for name in ("MaxPasswordLength", "ServiceEnabled", "PasswordExpirationDays"):
            self.patch(SERVICE, {name: 5}, 400, "PropertyNotWritable")
        _, body = self.patch(SERVICE, {"MinPasswordLength": 12, "AccountLockoutThreshold": 2,
                                       "AccountLockoutDuration": 60,
                                       "AccountLockoutCounterResetAfter": 30})
        self.check(body["MinPasswordLength"] == 12 and body["AccountLockoutDuration"] == 60, "policy")
        self.create("x", password="12345678901", wanted=400, message="StringValueTooShort")
        # Locked out by its failures, and unlocked by an administrator.
        uri, _ = self.create("locked", password="long password")
        for _ in range(2):
            self.expect(self.remote_login("locked", "wrong password"), 401, "GET", SYSTEM)
        headers, _ = self.expect(self.remote_login("locked", "long password"), 401, "GET", SYSTEM)
        self.check(headers["Retry-After"] and int(headers["Retry-After"]) <= 60, "Retry-After")
        _, body = self.expect(self.admin, 200, "GET", uri)
        self.check(body["Locked"] is True, "Locked is not shown")
        self.patch(uri, {"Locked": False})
        self.expect(self.remote_login("locked", "long password"), 200, "GET", SYSTEM)
        self.expect(self.admin, 204, "DELETE", uri)

    def run_limit(self):
        wanted = [201] * 62 + [403]
        for i, status in enumerate(wanted):
            self.create("many%d" % i, password="long password", wanted=status,
                        message="CreateLimitReachedForResource" if status == 403 else None)

    def run(self):
        self.run_roles()
        self.run_create()
        self.run_create_errors()
        self.run_patch()
        self.run_disabled()
        self.run_last_administrator()
        self.run_methods()
        self.run_password_change()
        self.run_policy()
        self.run_limit()
        return self.done()


if __name__ == "__main__":
    sys.exit(Test(sys.argv[1], int(sys.argv[2])).run())
