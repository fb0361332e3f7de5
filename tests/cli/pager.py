#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Long text on a terminal goes through a pager, without more rights than it should have:
pager.py CXL-SPA LARGE-HOST SCRATCH"""
import fcntl
import os
import pty
import select
import shutil
import struct
import subprocess
import sys
import termios

program, large, scratch = sys.argv[1:]
stand_ins = os.path.join(scratch, "bin")
os.mkdir(stand_ins)


def put_pager(name):
    """A pager that says its name, arguments and variables, and then prints its input."""
    path = os.path.join(stand_ins, name)
    with open(path, "w", encoding="ascii") as f:
        f.write('#!/bin/sh\necho "<%s $* LESS=$LESS LESSSECURE=$LESSSECURE>"\nexec cat\n' % name)
    os.chmod(path, 0o755)


put_pager("other")


def open_terminal():
    terminal, end = pty.openpty()
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("4H", 24, 120, 0, 0))
    return terminal, end


def start(arguments, end, variables, stdout=None):
    environment = {k: v for k, v in os.environ.items()
                   if k not in ("PAGER", "LESS", "LESSSECURE", "SUDO_UID", "PKEXEC_UID", "DOAS_USER", "COLUMNS")}
    environment.update({"TERM": "xterm", "NO_COLOR": "1", "PATH": stand_ins + ":/usr/bin:/bin"})
    environment.update(variables)
    return subprocess.Popen([program, "--host", large] + arguments, stdin=end, stdout=stdout or end, stderr=end,
                            env=environment, start_new_session=True)


def read_all(terminal, seen=b""):
    while True:
        try:
            data = os.read(terminal, 65536)
        except OSError:  # the other end was closed
            return seen
        if not data:
            return seen
        seen += data


def run(*arguments, **variables):
    """The text on the terminal, with "\n" at the ends of lines, and the exit status."""
    terminal, end = open_terminal()
    process = start(list(arguments), end, variables)
    os.close(end)
    seen = read_all(terminal).replace(b"\r\n", b"\n").decode()
    os.close(terminal)
    return seen, process.wait()


def piped(*arguments, **variables):
    terminal, end = open_terminal()
    process = start(list(arguments), end, variables, subprocess.PIPE)
    os.close(end)
    out = process.communicate()[0].decode()
    os.close(terminal)
    return out


# The input of the pager is the text that is printed without one, on a terminal and elsewhere.
for command in (["explain"], ["list", "host"], ["explain", "region0"], ["list", "mem0", "--json"]):
    plain, status = run(*command, "--no-pager", PAGER="other")
    assert status == 0 and plain and "<other" not in plain, (command, plain)
    paged, status = run(*command, PAGER="other -x  y")
    assert status == 0 and paged == "<other -x y LESS=FRX LESSSECURE=1>\n" + plain, (command, paged[:2000])
    assert piped(*command, PAGER="other") == piped(*command), command
assert piped("explain") == piped("explain", "host")
assert piped("list") == piped("list", "host")

# The user's own LESS stays, LESSSECURE does not.
assert run("list", "mem0", PAGER="other", LESS="-M", LESSSECURE="0")[0].startswith("<other  LESS=-M LESSSECURE=1>\n")
# Not wanted, or not possible.
plain = run("list", "mem0", "--no-pager")[0]
for variables in ({"PAGER": ""}, {"PAGER": "cat"}, {"PAGER": "other", "TERM": "dumb"}):
    assert run("list", "mem0", **variables) == (plain, 0), variables
seen, status = run("list", "mem0", PAGER="/nonexistent/pager")
assert status == 0 and seen.endswith(plain) and "/nonexistent/pager cannot be started" in seen, seen[:500]
# The exit status is the command's.
assert run("explain", "region99", PAGER="other")[1] == 2

# With another user's privileges PAGER is not used, but less alone.
put_pager("less")
for name in ("SUDO_UID", "PKEXEC_UID", "DOAS_USER"):
    seen = run("list", "mem0", PAGER="other", **{name: "1000"})[0]
    assert seen == "<less  LESS=FRX LESSSECURE=1>\n" + plain, (name, seen[:500])
assert run("list", "mem0")[0].startswith("<less ")
os.unlink(os.path.join(stand_ins, "less"))

# less itself: what fits on the terminal is printed, more waits for its user.
if not shutil.which("less"):
    print("less is missing: not tested with it")
    sys.exit(0)
seen, status = run("list", "mem0")
assert status == 0 and "mem0" in seen, seen
terminal, end = open_terminal()
process = start(["explain"], end, {})
os.close(end)
seen = b""
while b"\n:" not in seen:  # its prompt
    assert process.poll() is None or select.select([terminal], [], [], 0)[0], seen
    seen += os.read(terminal, 65536)
assert seen.count(b"\n") < 30, seen
assert process.poll() is None
os.write(terminal, b"q")
read_all(terminal)
assert process.wait() == 0
