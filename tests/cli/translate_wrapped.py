#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Real event lines as terminals and mails wrap, indent, quote and cut them.

    translate_wrapped.py CXL_SPA HOST...

HOST is the directory of a captured host. However a line is wrapped, its answer is that of the whole
line; wherever it is cut, it has that answer or none.
"""
import bisect
import json
import subprocess
import sys
import textwrap

LINES = 3
WIDTHS = range(38, 140)
BETWEEN = "# tracer: nop\n\n"
MARGINS = ["", "  ", "\t", "> ", "> > ", "| ", "\u2502 "]


def at_columns(line, width):
    return [line[i:i + width] for i in range(0, len(line), width)]


def at_blanks(line, width):
    parts = []
    while len(line) > width:
        blank = line.rfind(" ", 0, width)
        end = blank + 1 if blank >= 0 else width
        parts.append(line[:end])
        line = line[end:]
    return [*parts, line]


def as_words(line, width):
    return textwrap.wrap(line, width, break_on_hyphens=False, break_long_words=False)


def answers(spa, host, text):
    ran = subprocess.run([spa, "--host", host, "--json", "translate", "--trace", "-"],
                         input=text, text=True, capture_output=True, check=False)
    return json.loads(ran.stdout)


def essence(answer):
    return tuple(answer[key] for key in ("memdev", "dpa", "spa", "exact"))


def ask_all(spa, host, pastes):
    """Return: the answers of each paste."""
    text, starts = "", []
    for paste in pastes:
        starts.append(text.count("\n") + 1)
        text += paste + "\n" + BETWEEN
    of_paste = [[] for _ in pastes]
    for answer in answers(spa, host, text):
        of_paste[bisect.bisect_right(starts, answer["line"]) - 1].append(answer)
    return of_paste


def main():
    spa, failed, n = sys.argv[1], 0, 0
    for host in sys.argv[2:]:
        with open(host + "/events/trace.txt", encoding="utf-8", errors="replace") as f:
            lines = [line.rstrip("\n") for line in f if " dpa=" in line][:LINES]
        for line in lines:
            whole = [essence(a) for a in answers(spa, host, line + "\n")]
            wrapped = ["\n".join(margin + part for part in wrap(line, width))
                       for wrap in (at_columns, at_blanks, as_words, textwrap.wrap)
                       for margin in MARGINS for width in WIDTHS]
            # The trailing blanks of a wrapped line may be lost.
            wrapped += ["\n".join(p.rstrip() for p in at_columns(line, width)) for width in WIDTHS]
            for paste, found in zip(wrapped, ask_all(spa, host, wrapped)):
                n += 1
                if [essence(a) for a in found] != whole:
                    failed += 1
                    print(f"wrapped: {found} instead of {whole}:\n{paste}")
            cut = [line[:length] for length in range(30, len(line))]
            for paste, found in zip(cut, ask_all(spa, host, cut)):
                n += 1
                if any(a["exact"] and essence(a) not in whole for a in found):
                    failed += 1
                    print(f"cut: {found} instead of {whole}:\n{paste}")
    print(f"{n} pastes, {failed} wrong")
    return failed > 0 or n == 0


if __name__ == "__main__":
    sys.exit(main())
