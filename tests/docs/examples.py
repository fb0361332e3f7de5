#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Run the examples of cxl-spa in the documents: examples.py SOURCE-DIRECTORY PROGRAM HOST

An example is a line of a code block, or a command between backquotes, that has cxl-spa as a
command. It is run by a shell in an empty directory, with the captured HOST in place of the machine
(examples with --host name one of tests/hosts) and the files that the documents mention. What
follows a line "$ cxl-spa ..." is the output that it must have. Prints each example that fails.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TRACE = ("sh-9 [001] 15.0: cxl_poison: memdev=mem2 host=0000:0d:00.0 serial=43968 region=region1 "
         "hpa=0xffffffffffffffff dpa=0x800 dpa_length=0x40\n"
         "sh-9 [001] 15.1: cxl_dram: memdev=mem2 host=0000:0d:00.0 serial=43968 dpa=1000 "
         "hpa=ffffffffffffffff region=region1\n")
FILES = {"trace.txt": TRACE, "addresses": "0x210002000\n"}

# Not run, and why.
NOT_RUN = [
    (r"cxl-spa capture|--host (host|capture)\.tar\.zst", "makes or needs an archive of a live machine"),
    (r"--follow", "does not end"),
    (r"cxl-spa (region (create|destroy)|online|offline|repair|verify --inject)\b", "changes the machine"),
    (r"cxl-spa events --(resolve|acknowledge)", "changes the log of a service"),
    (r"cxl-spa page (list|export|import)\b", "needs the state directory of a service"),
    (r"cxl-spa repair\b", "needs the state directory of a service"),
    (r"cxl-spa targets", "needs the configuration of a service, or a list"),
    (r"SUBCOMMAND|MEMDEV|\.\.\.|\bHOST\b|^cxl-spa translate$", "a synopsis"),
]
# The captured host has other addresses and no log: 1 and 2 are answers, too.
STATUSES = {0, 1}
# For devices that do not report their health.
HEALTH_STATUSES = {0, 1, 2, 3}


def man_blocks(text):
    for block in re.findall(r"^\.Bd -literal.*?\n(.*?)^\.Ed", text, re.M | re.S):
        yield block.replace("\\e", "\\").replace("\\-", "-")


def markdown_blocks(text):
    for block in re.findall(r"^```.*?\n(.*?)^```", text, re.M | re.S):
        yield block
    for block in re.findall(r"(?:^    .*\n)+", text, re.M):
        yield re.sub(r"^    ", "", block, flags=re.M)
    for command in re.findall(r"`(cxl-spa [^`\n]+)`", text):
        yield command + "\n"


def examples(block):
    """(command, expected output or None) of each example in a block."""
    lines = block.splitlines()
    while lines:
        line = lines.pop(0)
        command = re.sub(r"^\$ ", "", line)
        if not re.match(r"(sudo )?cxl-spa ", command):
            continue
        while command.rstrip().endswith(("|", "\\")) and lines:
            command += "\n" + lines.pop(0)
        output = None
        if line.startswith("$ "):
            output = []
            while lines and lines[0] and not lines[0].startswith("$ "):
                output.append(lines.pop(0))
        yield command, output


def run(command, output, directory, source):
    if "--host" in command:
        command = re.sub(r"--host (\S*/)?([\w.-]+\.tar\.zst)", rf"--host {source}/tests/hosts/\2", command)
    result = subprocess.run(["sh", "-c", command], cwd=directory, text=True, capture_output=True,
                            env={**os.environ, "PATH": f"{directory}/bin:{os.environ['PATH']}"},
                            timeout=180, check=False)
    if result.returncode not in (HEALTH_STATUSES if "cxl-spa health" in command else STATUSES):
        return f"status {result.returncode}: {result.stderr}"
    if re.search(r"malformed|unknown|usage", result.stderr):
        return result.stderr
    if not result.stdout.strip() and not re.search(r"--since|>\w", command):
        return "no output"
    if output is not None and result.stdout.splitlines() != output:
        return "the output is\n" + result.stdout
    return None


def main():
    source, program, host = (Path(a).resolve() for a in sys.argv[1:])
    # The commands of bad-dimm.md run in their order, by bad_dimm.py.
    documents = [source / "README.md", *sorted(d for d in (source / "docs").glob("*.md") if d.name != "bad-dimm.md"),
                 *sorted((source / "docs").glob("*.[18]"))]
    failures = n = 0
    with tempfile.TemporaryDirectory() as directory:
        for name, text in FILES.items():
            Path(directory, name).write_text(text)
        wrapper = Path(directory, "bin", "cxl-spa")
        wrapper.parent.mkdir()
        wrapper.write_text("#!/bin/sh\ncase \" $* \" in\n"
                           f"*\" --host \"*) exec {program} \"$@\" ;;\n"
                           f"*) exec {program} --host {host} \"$@\" ;;\nesac\n")
        wrapper.chmod(0o755)
        for document in documents:
            text = document.read_text()
            blocks = markdown_blocks(text) if document.suffix == ".md" else man_blocks(text)
            for command, output in (e for b in blocks for e in examples(b)):
                command = re.sub(r"\s+#.*$", "", command, flags=re.M)
                if any(re.search(pattern, command) for pattern, _ in NOT_RUN):
                    continue
                tool = re.search(r"\|\s*(jq|dot)\b", command)
                if tool and not shutil.which(tool[1]):
                    print(f"{tool[1]} is missing, so not run: {command}")
                    continue
                n += 1
                error = run(command, output, directory, source)
                if error:
                    failures += 1
                    print(f"FAIL: {document.name}: {command}\n    {error}")
    print(f"{n} examples, {failures} failed")
    return 1 if failures or n < 10 else 0


sys.exit(main())
