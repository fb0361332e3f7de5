#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A command that takes longer than a second shows its progress on a terminal, and can be interrupted:
progress.py CXL-SPA HOST STATE LARGE-HOST
STATE is a directory with a log that takes longer to read, LARGE-HOST one that takes a while to be read."""
import json
import os
import pty
import select
import signal
import subprocess
import sys
import time

EVENT = (b"cxl_dram: memdev=mem2 host=0000:0d:00.0 serial=43968 dpa=1000 hpa=ffffffffffffffff "
         b"region=region1 region_uuid=00000000-0000-0000-0000-000000000000\n")
program, host, state, large = sys.argv[1:]


def prepare():
    """Runs in the new process. A background job of a shell ignores SIGINT, and so would its children; and where the
    processors are busy, this script is to run first, to stop it in time."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.nice(5)


class Run:
    """A run with a terminal as standard error; its input is not at its end."""

    def __init__(self, arguments, text):
        self.terminal, end = pty.openpty()
        self.process = subprocess.Popen([program] + arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=end,
                                        preexec_fn=prepare)
        os.close(end)
        self.process.stdin.write(text)
        self.process.stdin.flush()
        self.seen = b""

    def read(self):
        try:
            data = os.read(self.terminal, 4096)
        except OSError:  # the other end was closed
            data = b""
        self.seen += data
        return data

    def wait_for(self, text, n=1):
        while self.seen.count(text) < n:
            assert self.read(), f"{text} is not in {self.seen}"

    def slow_until(self, text):
        """Lets it run for a small part of the time, until it is there; then it is stopped, and cannot end before
        interrupt()."""
        while text not in self.seen:
            assert self.process.poll() is None, f"{text} is not in {self.seen}"
            self.process.send_signal(signal.SIGCONT)
            shown = select.select([self.terminal], [], [], 0.002)[0]
            self.process.send_signal(signal.SIGSTOP)
            if shown:
                self.read()
            time.sleep(0.1)

    def interrupt(self):
        self.process.send_signal(signal.SIGINT)
        self.process.send_signal(signal.SIGCONT)

    def end(self):
        out = self.process.communicate()[0]
        while self.read():
            pass
        return self.process.returncode, out, self.seen


def trace():
    return Run(["--host", host, "translate", "--json", "--this-boot", "--trace", "-"], EVENT)


def test_trace():
    run = trace()
    run.wait_for(b"\r\033[Ktranslate: ", 2)
    status, out, seen = run.end()
    assert status == 0 and len(json.loads(out)) == 1, (status, out)
    assert seen.endswith(b"\r\033[K"), seen

    run = trace()
    run.wait_for(b"translate: ")
    run.interrupt()
    status, out, seen = run.end()
    assert status == 2 and len(json.loads(out)) == 1, (status, out)
    assert b"interrupted" in seen, seen


def test_stdin():
    def addresses(n):
        return Run(["--host", host, "translate", "--json", "mem2", "-"], b"0x1000\n" * n)

    run = addresses(3)
    run.wait_for(b"\r\033[Ktranslate: ")
    status, out, seen = run.end()
    assert status == 0 and len(json.loads(out)) == 3, (status, out)
    assert seen.endswith(b"\r\033[K"), seen

    run = addresses(3)
    run.wait_for(b"translate: ")
    run.interrupt()
    status, out, seen = run.end()
    assert status == 2 and len(json.loads(out)) == 3, (status, out)
    assert b"interrupted; the rest has no answer" in seen, seen


def test_others():
    """They have printed nothing yet, and leave nothing on the terminal."""
    for command in (["list"], ["explain", "--json"], ["health"], ["graph"], ["graph", "--svg"]):
        run = Run(["--host", large] + command, b"")
        run.slow_until(b"\r\033[K" + command[0].encode() + b": ")
        run.interrupt()
        status, out, seen = run.end()
        assert status == -signal.SIGINT and out == b"", (command, status, out)
        assert seen.endswith(b" s\r\033[K"), seen


def test_events():
    """The counts of a part are none of the whole."""
    for option in ([], ["--json"]):
        run = Run(["events", "--summary", "--state", state] + option, b"")
        run.slow_until(b"events: ")
        run.interrupt()
        status, out, seen = run.end()
        assert status == 2 and out == b"", (status, out)
        assert b"interrupted" in seen, seen


signal.alarm(480)  # the test fails instead of waiting for ever
for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
