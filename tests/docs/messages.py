# SPDX-License-Identifier: LGPL-2.1-or-later
"""The messages that the service and its helpers log, and the tables of docs/operations.md: the same.

messages.py SRCDIR [PAGE]: what a message says of the moment is … in both. Where a sentence is logged that another part made
("%s"), SENTENCES names the files that make it; the page has those that are frequent, and at least one of each such place.
"""
import pathlib
import re
import sys

PROGRAMS = ("common", "daemon", "events", "helper", "http", "mailbox", "model", "opener", "prm", "push", "redfish",
            "change", "sysfs")
# The files that make the sentences that these log as a whole.
SENTENCES = {
    "daemon/main.c": ("capture/*.c", "daemon/daemon_*.c", "daemon/main.c", "daemon/servers.c", "daemon/state_directory.c", "http/listener.c", "redfish/**/*.c"),
    "daemon/view_listeners.c": ("daemon/view_listeners.c", "prm/*.c", "sysfs/*.c"),
    "daemon/log_dedup.c": ("mailbox/*.c",),
    "daemon/helper_start.c": ("common/helper.c",),
    "daemon/trace.c": ("events/*.c",),
    "daemon/events.c": ("events/store*.c",),
    "helper/program.c": ("helper/program.c",),
    "helper/switches.c": ("mailbox/switch_*.c",),
}
CALL = re.compile(r"\blog_(?:err|warning|info|msg|output)\(\s*(?:LOG_LEVEL_\w+,\s*)?")
# A literal, or a macro between two of them.
PIECE = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|(PRI[a-zA-Z0-9]+|[A-Z_]+_VERSION))')
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|\'\\?.\'|("(?:[^"\\\n]|\\.)*")', re.S)
DEFINE = re.compile(r'^#define\s+([A-Z_]+)\s+("(?:[^"\\]|\\.)*")$', re.M)
CONVERSION = re.compile(r"%[-+ #0]*[0-9*]*(?:\.[0-9*]+)?(?:hh|h|ll|l|z|j)?[a-zA-Z]")


def format_at(text, at):
    pieces = []
    while piece := PIECE.match(text, at):
        macro = piece[2]
        pieces.append(piece[1] if macro is None else "u" if macro.startswith("PRI") else "%s")
        at = piece.end()
    return "".join(pieces).replace(r"\"", '"').replace("%%", "%")


def key_of(message):
    """The part of a sentence that is compared: either end may come from elsewhere."""
    return re.sub("…+", "…", CONVERSION.sub("…", message)).strip("…: ")


def sentences(srcdir, globs):
    """The keys of all texts of these files."""
    found = set()
    for glob in globs:
        for path in srcdir.glob(glob):
            text = COMMENT.sub(lambda match: match[1] or " ", path.read_text())
            text = re.sub(r"\b[A-Z_]+\b", lambda match: DEFINES.get(match[0], match[0]), text)
            at = 0
            while (at := text.find('"', at)) >= 0:
                found.add(key_of(format_at(text, at)))
                while piece := PIECE.match(text, at):
                    at = piece.end()
                at += text.startswith('"', at)
    return found - {""}


DEFINES = {}


def logged(srcdir):
    """Yields (file, message)."""
    for directory in PROGRAMS:
        for path in sorted((srcdir / directory).rglob("*.c")):
            text = path.read_text()
            for call in CALL.finditer(text):
                if path.match("common/log.c"):
                    continue # the function itself
                yield str(path.relative_to(srcdir)), re.sub("…+", "…", CONVERSION.sub("…", format_at(text, call.end())))


def main():
    srcdir = pathlib.Path(sys.argv[1])
    page = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else srcdir / "docs/operations.md"
    text = page.read_text().partition("\n## Messages\n")[2]
    documented = set(re.findall(r"^\| `([^`]*)` \|", text, re.M))
    found = set()
    status = 0
    for path in [path for directory in PROGRAMS for path in sorted((srcdir / directory).glob("*.[ch]"))]:
        DEFINES.update(DEFINE.findall(path.read_text()))
    rows = {key_of(row): row for row in documented}
    for file, message in logged(srcdir):
        key = message
        if not re.search("[a-z]", message):
            if file not in SENTENCES:
                print(f"FAIL: {file} logs a sentence of another part: {sys.argv[0]} must know which, in SENTENCES")
                status = 1
            elif described := {rows[k] for k in sentences(srcdir, SENTENCES[file]) & rows.keys()}:
                found |= described
            else:
                print(f"FAIL: {file}: no row in {page.name} is one of {' '.join(SENTENCES[file])}")
                status = 1
            continue
        found.add(key)
        if key not in documented:
            print(f"FAIL: {file}: no row in {page.name}: | `{key}` | what it means, what to do |")
            status = 1
    for key in sorted(documented - found):
        print(f"FAIL: {page.name}: no program logs this: {key}")
        status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
