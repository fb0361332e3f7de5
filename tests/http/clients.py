#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Clients that others wrote, against the service over HTTPS:

    clients.py HTTPS-URL CERTIFICATE PASSWORD DOCUMENT CLIENT...

CERTIFICATE is that of the service, which signed it itself; clients that verify it use it as authority.
DOCUMENT is docs/clients.md: below the heading of each CLIENT a table has its commands and what becomes
of each. A command that "works" must succeed; any other must fail, and what it prints must contain the
words between backquotes of its result. Each service is used by all commands, in their order.
"""
import contextlib
import io
import json
import os
import re
import shlex
import ssl
import subprocess
import sys
import traceback
import urllib.error
import urllib.request
import warnings

USER = "admin"
TIMEOUT = 60


class Failed(Exception):
    """A command of a client ended with an error, which is its text."""


def read_tables(path):
    """The rows of each section: (command, result)."""
    tables, heading = {}, None
    with open(path, encoding="utf-8") as document:
        for line in document:
            if line.startswith("## "):
                heading = line[3:].strip().lower()
            row = re.match(r"\| `(.*?)` \| (.*?) \|$", line)
            if heading and row:
                tables.setdefault(heading, []).append((row[1].replace("\\|", "|"), row[2]))
    return tables


class Redfishtool:
    """DMTF's redfishtool: its main(), which logs in each time, without a process for each command."""

    def __init__(self, url, certificate, password):
        from redfishtoollib.redfishtoolMain import main as redfishtool
        self.start = ["redfishtool", "-r", url.split("//")[1], "-u", USER, "-p", password, "-S", "Always"]
        self.main = redfishtool

    def run(self, command):
        output, status = io.StringIO(), 0
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            try:
                self.main(self.start + shlex.split(command))
            except SystemExit as end:
                status = end.code
            except Exception:  # pylint: disable=broad-except
                status = traceback.format_exc()
        if status:
            raise Failed(f"{output.getvalue()}{status}")


class Sushy:
    """OpenStack's sushy: a command is an expression; `root` is the connection."""

    def __init__(self, url, certificate, password):
        import sushy
        self.names = {"sushy": sushy, "url": url, "user": USER, "password": password}
        self.names["root"] = sushy.Sushy(url, username=USER, password=password, verify=certificate)

    def run(self, command):
        try:
            eval(command, self.names)  # pylint: disable=eval-used
        except Exception as error:
            raise Failed(f"{type(error).__name__}: {error}") from error


class Ansible:
    """The modules of Ansible, called as Ansible calls them, but in this process."""

    def __init__(self, url, certificate, password):
        self.common = {"baseuri": url.split("//")[1], "username": USER, "password": password}

    def run(self, command):
        import importlib

        from ansible.module_utils import basic
        module, category, name, *options = shlex.split(command)
        arguments = dict(self.common, category=category, command=name)
        for option in options:
            key, value = option.split("=", 1)
            arguments[key] = json.loads(value) if value[:1] in "[{" else value
        basic._ANSIBLE_ARGS = json.dumps({"ANSIBLE_MODULE_ARGS": arguments}).encode()
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.suppress(SystemExit):
            importlib.import_module("ansible_collections.community.general.plugins.modules." + module).main()
        answer = json.loads(output.getvalue().splitlines()[-1])
        nested = [v for v in answer.get("redfish_facts", {}).values() if isinstance(v, dict)]
        if answer.get("failed") or any(v.get("ret") is False for v in nested):
            raise Failed(json.dumps(answer))


class Curl:
    """curl: as a person would enter it; URL, CERTIFICATE and PASSWORD are replaced."""

    def __init__(self, url, certificate, password):
        self.words = {"URL": url, "CERTIFICATE": certificate, "PASSWORD": password}

    def run(self, command):
        for word, value in self.words.items():
            command = command.replace(word, value)
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=TIMEOUT,
                              check=False)
        if done.returncode != 0:
            raise Failed(done.stdout + done.stderr)


class Flows:
    """What clients do that Debian does not package, request by request."""

    def __init__(self, url, certificate, password):
        self.url, self.password = url, password
        self.token = None
        self.context = ssl.create_default_context(cafile=certificate)

    def send(self, method, path, body=None, headers=None, expected=200):
        data = None if body is None else json.dumps(body).encode()
        sent = {"Accept": "*/*", "OData-Version": "4.0", **(headers or {})}
        if body is not None:
            sent["Content-Type"] = "application/json"
        if self.token:
            sent["X-Auth-Token"] = self.token
        url = path if path.startswith("https:") else self.url + path
        try:
            with urllib.request.urlopen(urllib.request.Request(url, data, sent, method=method),
                                        context=self.context, timeout=TIMEOUT) as answer:
                status, got, text = answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            status, got, text = error.code, error.headers, error.read()
        if status != expected:
            raise Failed(f"{method} {path}: {status} instead of {expected}: {text[:300]!r}")
        return got, json.loads(text) if text else None

    def get(self, path):
        return self.send("GET", path)[1]

    def members(self, path):
        """All pages of a collection."""
        while path:
            page = self.get(path)
            yield from page["Members"]
            path = page.get("Members@odata.nextLink")

    def login(self, path):
        got, session = self.send("POST", path, {"UserName": USER, "Password": self.password}, expected=201)
        self.token = got["X-Auth-Token"]
        if not self.token or session["UserName"] != USER:
            raise Failed("the session has no token, or another user")
        return got["Location"]

    def logout(self, location):
        self.send("DELETE", location, expected=204)
        self.token = None

    def library(self):
        """DMTF's Python library: the root without login, the link to Sessions, Location, DELETE."""
        root = self.get("/redfish/v1/")
        location = self.login(root["Links"]["Sessions"]["@odata.id"])
        for name in ("Systems", "Chassis", "Managers", "Registries", "JsonSchemas"):
            for member in self.members(root[name]["@odata.id"]):
                self.get(member["@odata.id"])
        self.logout(location)
        self.send("GET", root["Systems"]["@odata.id"], expected=401)

    def tacklebox(self):
        """DMTF's Tacklebox: sessions, each Manager's LogServices, a doubled slash, ClearLog's target."""
        location = self.login("/redfish/v1/SessionService/Sessions")
        for manager in self.members("//redfish/v1/Managers"):
            services = self.get(manager["@odata.id"])["LogServices"]["@odata.id"]
            for one in self.members(services):
                service = self.get(one["@odata.id"])
                entries = list(self.members(service["Entries"]["@odata.id"]))
                for entry in entries[:3]:
                    for name in ("Id", "Created", "Message", "Severity"):
                        if name not in entry:
                            raise Failed(f"{entry['@odata.id']}: no {name}")
        for system in self.members("/redfish/v1/Systems"):
            self.get(system["@odata.id"])
        self.get("/redfish/v1/SessionService")
        self.get("/redfish/v1/AccountService")
        self.get("/redfish/v1/EventService")
        self.logout(location)

    def exporter(self):
        """Prometheus exporters: one session over HTTPS, then everything that they turn into metrics."""
        location = self.login("/redfish/v1/SessionService/Sessions/")
        for system in self.members("/redfish/v1/Systems"):
            one = self.get(system["@odata.id"])
            if one["Status"]["Health"] not in ("OK", "Warning", "Critical") or "PowerState" not in one:
                raise Failed("the system has no health or power state")
            for name in ("Processors", "Memory"):
                for member in self.members(one[name]["@odata.id"]) if name in one else ():
                    self.get(member["@odata.id"])
            for service in self.members(one["LogServices"]["@odata.id"]):
                self.get(service["@odata.id"])
        for chassis in self.members("/redfish/v1/Chassis"):
            one = self.get(chassis["@odata.id"])
            for sensor in self.members(one["Sensors"]["@odata.id"]) if "Sensors" in one else ():
                self.get(sensor["@odata.id"])
        for manager in self.members("/redfish/v1/Managers"):
            self.get(manager["@odata.id"])
        self.logout(location)

    def bmcweb(self):
        """bmcweb's aggregator: the collections of a satellite, $expand'ed as its own clients ask."""
        location = self.login("/redfish/v1/SessionService/Sessions")
        for name in ("Systems", "Chassis", "Managers", "Fabrics"):
            self.get(f"/redfish/v1/{name}")
            self.get(f"/redfish/v1/{name}?$expand=.($levels=1)")
        self.logout(location)

    def run(self, command):
        getattr(self, command)()


CLIENTS = {"redfishtool": Redfishtool, "sushy": Sushy, "ansible": Ansible, "curl": Curl, "flows": Flows}


def main():
    url, certificate, password, document, *clients = sys.argv[1:]
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"):
        os.environ.pop(name, None)
    warnings.simplefilter("ignore")
    tables = read_tables(document)
    failures = 0
    for name in clients:
        client = CLIENTS[name](url, certificate, password)
        for command, result in tables[name]:
            wanted = None if result == "works" else re.findall(r"`(.*?)`", result)
            try:
                client.run(command)
                said = None
            except Failed as error:
                said = str(error)
            if (said is None) != (wanted is None) or any(word not in (said or "") for word in wanted or ()):
                failures += 1
                print(f"FAIL: {name} {command}: expected: {result}; found: {said or 'works'}"[:1000])
        print(f"{name}: {len(tables[name])} commands")
    return 1 if failures else 0


sys.exit(main())
