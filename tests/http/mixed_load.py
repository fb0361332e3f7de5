#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Mixed load on a service for some time:

    mixed_load.py SECONDS PID HTTPS-URL SOCKET PASSWORD HOST CONFIGURATION CERTIFICATES

Clients read, query, log in, guess passwords, change accounts, policies, certificates and subscriptions,
clear the logs, translate, follow streams, and send garbage; devices of the captured host in the
directory HOST vanish and come back, and the file CONFIGURATION changes, each with a SIGHUP. The directory
CERTIFICATES has a.pem and b.pem (for the service, with their keys), ca.pem, and client.pem with client.key
(of the account admin, by that authority). Prints how often what was answered with which status, and the
memory of the process over the time. Fails if a status was not expected, if a connection ended that should
not have, or if something was never answered as expected.
"""
import base64
import collections
import http.client
import json
import os
import random
import signal
import socket
import ssl
import sys
import threading
import time
import traceback
import urllib.parse
from pathlib import Path

sys.dont_write_bytecode = True
from redfish_client import UnixConnection, links  # noqa: E402

SECONDS, PID, URL, SOCKET, PASSWORD, HOST, CONFIGURATION, CERTIFICATES = sys.argv[1:]
PID, START = int(PID), time.monotonic()
HALF, END = START + float(SECONDS) / 2, START + float(SECONDS)
ADDRESS = urllib.parse.urlsplit(URL)
BASIC = "Basic " + base64.b64encode(f"admin:{PASSWORD}".encode()).decode()
ROOT = "/redfish/v1"
SYSTEM = ROOT + "/Systems/Host"
MANAGER = ROOT + "/Managers/Service"
CERTIFICATE_ACTIONS = ROOT + "/CertificateService/Actions/CertificateService."
OWN_CERTIFICATES = MANAGER + "/NetworkProtocol/HTTPS/Certificates"
AUTHORITIES = ROOT + "/AccountService/MultiFactorAuth/ClientCertificate/Certificates"
QUERIES = ("", "?$expand=.($levels=2)", "?$expand=*", "?$select=Id,Name", "?$top=1", "?$skip=1", "?only",
           "?$filter=Id ne 'x'", "?$expand=~&$select=Members", "?excerpt", "?$nothing=1")

counts = collections.Counter()
wrong = []
lock = threading.Lock()


def running():
    return time.monotonic() < END and not wrong


def context(client=None):
    made = ssl.create_default_context()
    made.check_hostname = False
    made.verify_mode = ssl.CERT_NONE
    if client:
        made.load_cert_chain(f"{CERTIFICATES}/{client}.pem", f"{CERTIFICATES}/{client}.key")
    return made


def file(name):
    return Path(CERTIFICATES, name).read_text(encoding="utf-8")


class Client:
    """One connection at a time, made again when it was closed."""

    def __init__(self, authorization=BASIC, how=None):
        """@how: makes the connection."""
        self.headers = {"Authorization": authorization} if authorization else {}
        self.how = how or (lambda: http.client.HTTPSConnection(ADDRESS.hostname, ADDRESS.port, timeout=60,
                                                               context=context()))
        self.connection = None

    def ask(self, what, method, path, body=None, expected=(200,), headers=None):
        """Status 503 is always allowed: the service may be busy. A task is waited for. Return: status, headers, JSON."""
        answer = self.ask_once(what, method, path, body, {*expected, 202}, headers)
        if answer[0] != 202 or 202 in expected:
            return answer
        monitor = urllib.parse.urlsplit(answer[1]["Location"]).path
        while answer[0] == 202:
            time.sleep(0.2)
            answer = self.ask_once(what + " by task", "GET", monitor, None, {*expected, 202}, None)
        return answer

    def ask_once(self, what, method, path, body, expected, headers):
        sent = dict(self.headers, **(headers or {}))
        if body is not None:
            sent["Content-Type"] = "application/json"
            body = json.dumps(body)
        try:
            if not self.connection:
                self.connection = self.how()
            self.connection.request(method, path.replace(" ", "%20"), body, sent)
            answer = self.connection.getresponse()
            status, got, text = answer.status, answer.headers, answer.read()
        except (OSError, http.client.HTTPException) as error:
            self.close()
            with lock:
                counts[what, type(error).__name__] += 1
                wrong.append(f"{what}: {method} {path}: {error!r}")
            return 0, {}, None
        with lock:
            counts[what, status] += 1
            if status not in expected and status != 503:
                wrong.append(f"{what}: {method} {path}: {status}: {text[:300]!r}")
            if status == 503 and "Retry-After" not in got:
                wrong.append(f"{what}: {method} {path}: 503 without Retry-After: {text[:300]!r}")
        return status, got, json.loads(text) if text and text[:1] == b"{" else None

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None


def read_by_peer():
    read(Client(None, lambda: UnixConnection(SOCKET)))


def read(client=None):
    client, paths, tags = client or Client(), {ROOT + "/"}, {}
    while running():
        path = random.choice(sorted(paths)).split("#")[0]
        query = random.choice(QUERIES) if random.random() < 0.3 else ""
        headers = {"If-None-Match": tags[path]} if path in tags and random.random() < 0.5 else {}
        if random.random() < 0.3:
            headers["Accept-Encoding"] = "identity"
        status, got, body = client.ask("read", "GET", path + query, headers=headers,
                                       expected=(200, 304, 400, 403, 404, 501, 507) if query else (200, 304, 404))
        if status == 200 and not query:
            tags[path] = got.get("ETag", "")
            paths.update(link for link in links(body) if link.startswith(ROOT))
        elif status == 404:
            paths.discard(path)
            paths.add(ROOT + "/")


def log_in():
    client = Client(None)
    while running():
        status, got, _ = client.ask("login", "POST", ROOT + "/SessionService/Sessions",
                                    {"UserName": "admin", "Password": PASSWORD}, (201, 400))
        if status != 201:
            time.sleep(0.2)
            continue
        session = {"X-Auth-Token": got["X-Auth-Token"]}
        for _ in range(random.randrange(10)):
            client.ask("by session", "GET", SYSTEM + "/Memory", headers=session)
        client.ask("logout", "DELETE", urllib.parse.urlsplit(got["Location"]).path, headers=session,
                   expected=(200, 204))
        client.ask("after logout", "GET", SYSTEM, headers=session, expected=(401,))
        if random.random() < 0.3:
            client.close()


def change_accounts():
    client, n = Client(), 0
    while running():
        n += 1
        status, got, _ = client.ask("create account", "POST", ROOT + "/AccountService/Accounts", {
            "UserName": f"load{n}", "Password": "Some-Password-1", "RoleId": random.choice(("Operator", "ReadOnly"))},
            (201, 400))
        if status != 201:
            time.sleep(0.2)
            continue
        path = urllib.parse.urlsplit(got["Location"]).path
        other = Client("Basic " + base64.b64encode(f"load{n}:Some-Password-1".encode()).decode())
        other.ask("by account", "GET", SYSTEM + "/Memory")
        client.ask("change account", "PATCH", path, {"Password": "Some-Password-2"}, (200, 204),
                   {"If-Match": client.ask("read account", "GET", path)[1].get("ETag", "*")})
        other.ask("old password", "GET", SYSTEM + "/Memory", expected=(401,))
        other.close()
        client.ask("remove account", "DELETE", path, expected=(200, 204))
        time.sleep(0.2)


def guess():
    """From another address, which is locked out. No other login is."""
    client = Client(None, lambda: http.client.HTTPSConnection(ADDRESS.hostname, ADDRESS.port, timeout=60,
                                                              context=context(), source_address=("192.0.2.2", 0)))
    while running():
        name = random.choice(("admin", "load1", f"guess{random.randrange(100)}"))
        login = base64.b64encode(f"{name}:wrong{random.randrange(1 << 30)}".encode()).decode()
        client.ask("guess", "GET", SYSTEM, headers={"Authorization": "Basic " + login}, expected=(401,))
        client.ask("guess", "GET", SYSTEM, headers={"X-Auth-Token": os.urandom(16).hex()}, expected=(401,))
        time.sleep(0.1)


def change_policies():
    client = Client()
    while running():
        for path, change in ((ROOT + "/AccountService", {"AccountLockoutThreshold": random.randrange(1, 9)}),
                             (ROOT + "/SessionService", {"SessionTimeout": random.randrange(30, 1000)})):
            tag = client.ask("read policy", "GET", path)[1].get("ETag", "*")
            client.ask("change policy", "PATCH", path, change, (200, 204, 412), {"If-Match": tag})
            client.ask("old policy", "PATCH", path, change, (412,), {"If-Match": '"no"'})
        client.ask("policy", "PATCH", ROOT + "/AccountService", {"MinPasswordLength": 8}, (428,))
        time.sleep(0.2)


def change_certificates():
    client = Client()
    while running():
        for name in "ab":
            client.ask("new certificate", "POST", CERTIFICATE_ACTIONS + "ReplaceCertificate", {
                "CertificateString": file(name + ".pem") + file(name + ".key"), "CertificateType": "PEM",
                "CertificateUri": {"@odata.id": OWN_CERTIFICATES + "/1"}}, (204,))
            client.ask("request certificate", "POST", CERTIFICATE_ACTIONS + "GenerateCSR", {
                "CommonName": "load", "CertificateCollection": {"@odata.id": OWN_CERTIFICATES}})
            _, got, _ = client.ask("new authority", "POST", AUTHORITIES, {
                "CertificateString": file("ca.pem"), "CertificateType": "PEM"}, (201,))
            time.sleep(0.5 + random.random())
            if "Location" in got:
                client.ask("remove authority", "DELETE", urllib.parse.urlsplit(got["Location"]).path, expected=(204,))


def read_by_certificate():
    while running():
        client = Client(None, lambda: http.client.HTTPSConnection(ADDRESS.hostname, ADDRESS.port, timeout=60,
                                                                  context=context("client")))
        for _ in range(random.randrange(5)):
            client.ask("by certificate", "GET", SYSTEM + "/Memory", expected=(200, 401))
        client.close()
        time.sleep(0.1)


def clear_logs():
    """Clears the log of the host when half of the time is over: before, it is long, and clearing it is a task."""
    client = Client()
    while running():
        if time.monotonic() > HALF:
            _, got, task = client.ask("clear log", "POST", SYSTEM + "/LogServices/CXL/Actions/LogService.ClearLog", {},
                                      (202, 204))
            monitor = task and urllib.parse.urlsplit(got["Location"]).path
            while monitor and client.ask("task monitor", "GET", monitor, expected=(202, 204))[0] == 202:
                client.ask("task", "GET", task["@odata.id"])
                time.sleep(0.1)
            if task:
                client.ask("remove task", "DELETE", task["@odata.id"], expected=(204,))
        client.ask("clear audit log", "POST", MANAGER + "/LogServices/Audit/Actions/LogService.ClearLog", {}, (204,))
        time.sleep(2)


def query_log():
    client = Client()
    while running():
        for query in ("$top=20", "$skip=900", "$filter=Severity eq 'Critical'", "$filter=Created ge '2020-01-01T00:00:00Z'&$top=3",
                      "$select=Id,Message&$top=50", "$filter=not (Severity eq 'OK')&$skip=5"):
            for log in (SYSTEM + "/LogServices/CXL", MANAGER + "/LogServices/Audit"):
                client.ask("query log", "GET", f"{log}/Entries?{query}")
            time.sleep(0.05)


def measure():
    while running():
        with open(f"/proc/{PID}/status", encoding="ascii") as status:
            values = dict(line.split(":", 1) for line in status)
        print(f"after {time.monotonic() - START:.0f} s: RSS {values['VmRSS'].strip()},"
              f" {len(os.listdir(f'/proc/{PID}/fd'))} files, {values['Threads'].strip()} threads", flush=True)
        time.sleep(max(float(SECONDS) / 20, 0.5))


def change_subscriptions():
    client = Client()
    while running():
        status, got, _ = client.ask("subscribe", "POST", ROOT + "/EventService/Subscriptions", {
            "Destination": "http://127.0.0.1:9/x", "Protocol": "Redfish", "Context": "load"}, (201, 400))
        if status == 201:
            path = urllib.parse.urlsplit(got["Location"]).path
            client.ask("change subscription", "PATCH", path, {"Context": "other"}, (200, 204))
            client.ask("unsubscribe", "DELETE", path, expected=(200, 204, 404))
        client.ask("translate", "POST", SYSTEM + "/Memory/cxl-000000000000abc0/Actions/Oem/CXLHostMemory.TranslateDPA",
                   {"DevicePhysicalAddress": hex(random.randrange(1 << 28))}, (200, 404))
        time.sleep(0.05)


def follow():
    while running():
        try:
            plain = socket.create_connection((ADDRESS.hostname, ADDRESS.port), timeout=5)
            with context().wrap_socket(plain, server_hostname=ADDRESS.hostname) as stream:
                stream.sendall(f"GET {ROOT}/EventService/SSE HTTP/1.1\r\nHost: localhost\r\nAuthorization: {BASIC}\r\n\r\n".encode())
                end = time.monotonic() + random.random() * 5
                with lock:
                    counts["stream", stream.recv(4096)[9:12].decode()] += 1
                while time.monotonic() < end and running():
                    stream.settimeout(1)
                    try:
                        if not stream.recv(65536):
                            break
                    except TimeoutError:
                        pass
        except OSError as error:
            with lock:
                counts["stream", type(error).__name__] += 1


def send_garbage():
    while running():
        try:
            with socket.create_connection((ADDRESS.hostname, ADDRESS.port), timeout=5) as plain:
                plain.sendall(random.choice((b"GET / HTTP/1.1\r\n\r\n", os.urandom(200), b"\x16\x03\x01\x02\x00\x01")))
                plain.settimeout(0.5)
                with lock:
                    counts["garbage", "sent"] += 1
                plain.recv(100)
        except OSError:
            pass


def unplug():
    devices = os.path.join(HOST, "sys/bus/cxl/devices")
    names = sorted(name for name in os.listdir(devices) if name.startswith("mem"))
    while running():
        name = random.choice(names)
        target = os.readlink(os.path.join(devices, name))
        os.unlink(os.path.join(devices, name))
        os.kill(PID, signal.SIGHUP)
        time.sleep(1 + random.random() * 2)
        os.symlink(target, os.path.join(devices, name))
        os.kill(PID, signal.SIGHUP)
        time.sleep(1 + random.random() * 2)
        with lock:
            counts["unplug", name] += 1


def reconfigure():
    with open(CONFIGURATION, encoding="utf-8") as file:
        text = file.read()
    extra = os.path.join(os.path.dirname(CONFIGURATION), "extra")
    while running():
        for more in (f"listen = unix:{extra}\n", "log-level = err\n", "listen = http://127.0.0.1:0\n", "wrong = 1\n",
                     "allow-origin = https://page.example\n", ""):
            with open(CONFIGURATION + ".new", "w", encoding="utf-8") as file:
                file.write(text + more)
            os.rename(CONFIGURATION + ".new", CONFIGURATION)
            os.kill(PID, signal.SIGHUP)
            with lock:
                counts["reload", more.strip()] += 1
            time.sleep(0.5 + random.random())


def guarded(work):
    try:
        work()
    except Exception:  # pylint: disable=broad-except
        with lock:
            wrong.append(traceback.format_exc())


def main():
    works = [read] * 3 + [
        read_by_peer, read_by_certificate, log_in, guess, change_accounts, change_policies, change_certificates,
        change_subscriptions, query_log, clear_logs, follow, follow, send_garbage, unplug, reconfigure, measure]
    threads = [threading.Thread(target=guarded, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for (what, status), n in sorted(counts.items(), key=str):
        print(f"{what}: {status}: {n}")
    needed = {("read", 200), ("by session", 200), ("after logout", 401), ("create account", 201), ("old password", 401),
              ("subscribe", 201), ("translate", 200), ("stream", "200"), ("guess", 401), ("change policy", 200),
              ("policy", 428), ("new certificate", 204), ("request certificate", 200), ("by certificate", 200),
              ("new authority", 201), ("query log", 200), ("clear log", 202), ("task", 200), ("remove task", 204)}
    # On a slow machine any change may become a task, whose monitor has the same answer.
    seen = {(what.removesuffix(" by task"), status) for what, status in counts}
    missing = sorted(needed - seen, key=str)
    if missing:
        wrong.append(f"never seen: {missing}")
    for text in wrong[:10]:
        print("FAIL:", text)
    return 1 if wrong else 0


sys.exit(main())
