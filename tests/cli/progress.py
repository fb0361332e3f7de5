#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What takes longer than a second shows its progress on a terminal, and can be interrupted:
progress.py CXL-SPA HOST"""
import json
import os
import pty
import signal
import subprocess
import sys

EVENT = (b"cxl_dram: memdev=mem2 host=0000:0d:00.0 serial=43968 dpa=1000 hpa=ffffffffffffffff "
         b"region=region1 region_uuid=00000000-0000-0000-0000-000000000000\n")
program, host = sys.argv[1:]


class Run:
    """translate --trace - with a terminal as standard error, while its input is not at its end."""

    def __init__(self):
        self.terminal, end = pty.openpty()
        self.process = subprocess.Popen([program, "--host", host, "translate", "--json", "--trace", "-"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=end)
        os.close(end)
        self.process.stdin.write(EVENT)
        self.process.stdin.flush()
        self.seen = b""

    def read(self):
        try:
            data = os.read(self.terminal, 4096)
        except OSError:  # the other end was closed
            data = b""
        self.seen += data
        return data

    def wait_for(self, text):
        while text not in self.seen:
            assert self.read(), f"{text} is not in {self.seen}"

    def end(self):
        out = self.process.communicate()[0]
        while self.read():
            pass
        return self.process.returncode, json.loads(out), self.seen


signal.alarm(120)  # the test fails instead of waiting for ever
run = Run()
run.wait_for(b"\r\033[Ktranslate: ")
while run.seen.count(b"translate: ") < 2:
    assert run.read(), run.seen
status, answers, seen = run.end()
assert status == 0 and len(answers) == 1, (status, answers)
assert seen.endswith(b"\r\033[K"), seen

run = Run()
run.wait_for(b"translate: ")
run.process.send_signal(signal.SIGINT)
status, answers, seen = run.end()
assert status == 2 and len(answers) == 1, (status, answers)
assert b"interrupted" in seen, seen
