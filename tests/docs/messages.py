# SPDX-License-Identifier: LGPL-2.1-or-later
"""The messages that the service and its helpers log, and the tables of docs/operations.md: the same.

messages.py SRCDIR [PAGE]: what a message says of the moment is … in both. Of one that is said by another part as a whole
("%s"), the page names the file that logs it.
"""
import pathlib
import re
import sys

PROGRAMS = ("common", "daemon", "events", "helper", "http", "mailbox", "model", "opener", "prm", "push", "redfish",
            "change", "sysfs")
CALL = re.compile(r"\blog_(?:err|warning|info|msg)\(\s*(?:LOG_LEVEL_\w+,\s*)?")
# A literal, or a macro between two of them.
PIECE = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|(PRI[a-zA-Z0-9]+|[A-Z_]+_VERSION))')
CONVERSION = re.compile(r"%[-+ #0]*[0-9*]*(?:\.[0-9*]+)?(?:hh|h|ll|l|z|j)?[a-zA-Z]")


def format_at(text, at):
    pieces = []
    while piece := PIECE.match(text, at):
        macro = piece[2]
        pieces.append(piece[1] if macro is None else "u" if macro.startswith("PRI") else "%s")
        at = piece.end()
    return "".join(pieces).replace(r"\"", '"').replace("%%", "%")


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
    for file, message in logged(srcdir):
        directory, name = file.rsplit("/", 1)
        key = message if re.search("[a-z]", message) else f"… ({name} of {directory})"
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
