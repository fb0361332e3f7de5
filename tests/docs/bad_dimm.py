#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The commands of docs/bad-dimm.md have the answers that it shows: bad_dimm.py DAEMON CXL-SPA HOST SCRATCH DOCUMENT [--update]

All commands of its blocks ```console run in one shell, in their order: cxl-spa on the captured HOST, Redfish and changes of
the log by a service on the same host. The user of the test stands for root. --update writes the answers.
"""
import os
import pathlib
import re
import subprocess
import sys
import time

SOCKET = "/run/cxl-redfish/redfish.sock"
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
WAIT_SECONDS = 180
END = "== end of an answer =="


def start(program, host, scratch):
    """Return: the service and its socket, when all events of the host are in its log."""
    socket = scratch / "redfish.sock"
    with open(scratch / "err", "w", encoding="utf-8") as err:
        service = subprocess.Popen([program, "--host", host, "--state", scratch / "state", "--listen", f"unix:{socket}"],
                                   stdout=subprocess.DEVNULL, stderr=err)
    end = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < end and service.poll() is None:
        said = re.search(r"read (\d+) event records? of the captured host", (scratch / "err").read_text())
        log = subprocess.run(["curl", "-s", "-g", "--unix-socket", socket, "http://localhost/redfish/v1/Systems/Host/LogServices/CXL/Entries?$top=1"],
                             capture_output=True, text=True, check=False).stdout
        if said and f'"Members@odata.count":{said[1]}' in log:
            return service, socket
        time.sleep(0.1)
    service.kill()
    sys.exit("FAIL: the service has no events: " + (scratch / "err").read_text())


class Shell:
    """One shell for all commands, so that variables of one are there for the next."""

    def __init__(self, directory, socket):
        self.socket = socket
        path = f"{directory}/bin:{os.environ['PATH']}"
        self.shell = subprocess.Popen(["sh"], cwd=directory, env={**os.environ, "PATH": path, "LC_ALL": "C.UTF-8"}, text=True,
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def run(self, command):
        """Return: the lines that it prints."""
        self.shell.stdin.write(command.replace(SOCKET, str(self.socket)) + f"\necho '{END}'\n")
        self.shell.stdin.flush()
        lines = []
        for line in self.shell.stdout:
            if line.rstrip("\n").endswith(END):
                rest = line.rstrip("\n").removesuffix(END)
                return lines + ([rest] if rest else [])
            lines.append(line.rstrip("\n").replace(f'"uid {os.getuid()}"', '"uid 0"'))
        raise SystemExit(f"FAIL: the shell ended in: {command}")

    def end(self):
        self.shell.stdin.close()
        self.shell.wait()


def answered(block, shell):
    """The block with the answers of now."""
    lines = []
    for command in re.findall(r"^\$ (.*)$", block, re.M):
        lines += ["$ " + command] + shell.run(command)
    return "".join(line.rstrip() + "\n" for line in lines)


def main():
    program, cli, host, scratch, document = (pathlib.Path(a).resolve() for a in sys.argv[1:6])
    text = document.read_text()
    (scratch / "bin").mkdir()
    wrapper = scratch / "bin" / "cxl-spa"
    service, socket = start(program, host, scratch)
    changes = f'case "$*" in *--acknowledge*|*--resolve*) exec "{cli}" --socket "{socket}" "$@" ;; esac'
    wrapper.write_text(f'#!/bin/sh\n{changes}\nexec "{cli}" --host "{host}" "$@"\n')
    wrapper.chmod(0o755)
    try:
        shell = Shell(scratch, socket)
        n = len(re.findall(r"^\$ ", "".join(BLOCK.findall(text)), re.M))
        new = BLOCK.sub(lambda m: "```console\n" + answered(m[1], shell) + "```", text)
        shell.end()
    finally:
        service.terminate()
        service.wait(WAIT_SECONDS)
    if "--update" in sys.argv:
        document.write_text(new)
        return 0
    if new != text:
        (scratch / "new").write_text(new)
        subprocess.run(["diff", "-u", document, scratch / "new"], check=False)
    print(f"{n} commands")
    return 1 if new != text or n < 10 else 0


sys.exit(main())
