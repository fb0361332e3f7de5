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
import subprocess
import sys
import traceback
import warnings

from client_flows import TIMEOUT, USER, Failed, Flows


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
    """The modules of Ansible, called as Ansible calls them, but in this process.

    TOKEN and SESSION are those of the last session that a module has made.
    """

    def __init__(self, url, certificate, password):
        self.address, self.login = {"baseuri": url.split("//")[1]}, {"username": USER, "password": password}
        self.words = {}

    def run(self, command):
        import importlib

        from ansible.module_utils import basic
        module, category, name, *options = shlex.split(command)
        arguments = dict(self.address, category=category, command=name)
        for option in options:
            key, value = option.split("=", 1)
            value = self.words.get(value, value)
            arguments[key] = json.loads(value) if value[:1] in "[{" else value
        if "auth_token" not in arguments:
            arguments.update(self.login)
        basic._ANSIBLE_ARGS = json.dumps({"ANSIBLE_MODULE_ARGS": arguments}).encode()
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.suppress(SystemExit):
            try:
                importlib.import_module("ansible_collections.community.general.plugins.modules." + module).main()
            except Exception as error:  # pylint: disable=broad-except
                raise Failed(traceback.format_exc()) from error
        answer = json.loads(output.getvalue().splitlines()[-1])
        if answer.get("session"):
            self.words = {"TOKEN": answer["session"]["token"], "SESSION": answer["session"]["uri"]}
        nested = [v for v in answer.get("redfish_facts", {}).values() if isinstance(v, dict)]
        if answer.get("failed") or any(v.get("ret") is False for v in nested):
            raise Failed(json.dumps(answer))


class Curl:
    """curl: as a person would enter it; URL, CERTIFICATE and PASSWORD are replaced."""

    def __init__(self, url, certificate, password):
        self.words = {"URL": url, "CERTIFICATE": certificate, "PASSWORD": password}
        self.environment = {name: value for name, value in os.environ.items() if "SSL_CERT" not in name}

    def run(self, command):
        for word, value in self.words.items():
            command = command.replace(word, value)
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=TIMEOUT,
                              env=self.environment, check=False)
        if done.returncode != 0:
            raise Failed(done.stdout + done.stderr)


CLIENTS = {"redfishtool": Redfishtool, "sushy": Sushy, "ansible": Ansible, "curl": Curl, "flows": Flows}


def main():
    url, certificate, password, document, *clients = sys.argv[1:]
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        os.environ.pop(name, None)
    # Clients that verify nothing would still read the system's authorities for each connection, which
    # is nine tenths of their time.
    os.environ.update(SSL_CERT_FILE=os.devnull, SSL_CERT_DIR=os.devnull)
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
