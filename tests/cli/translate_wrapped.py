#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Records of each program as terminals and mails wrap, indent, quote, cut and mix them.

    translate_wrapped.py CXL_SPA HOST...

HOST is the directory of a captured host. A record that was wrapped has its answer or, where nothing
confirms that it is whole, none with the reason. A text that lost a line or digits, has two lines in
another order, or parts of two records, has the answer of one of its records or none: never
another address.
"""
import bisect
import collections
import itertools
import json
import random
import re
import subprocess
import sys
import textwrap

WIDTHS = range(38, 141, 9)
LONG = 0x4000
MUTILATED = 6000  # lines of a host
BETWEEN = "# tracer: nop\n\n"
MARGINS = ["", "  ", "\t", "> ", "> > ", "| ", "\u2502 "]
Record = collections.namedtuple("Record", "program text answer")


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


def without_blanks(line, width):
    """The trailing blanks of a wrapped line may be lost."""
    return [part.rstrip() for part in at_columns(line, width)]


WRAPS = (at_columns, at_blanks, as_words, textwrap.wrap, without_blanks)


# ---- what programs print ----


def libtraceevent(record):
    """Most records as trace-cmd and perf print them: the fields without the kernel's text."""
    def value(key, v):
        if key == "uuid" or isinstance(v, list):
            return "".join(chr(b) for b in v if 32 < b < 127)
        return 0 if key.endswith("_uuid") else v
    fields = " ".join(f"{k}={value(k, v)}" for k, v in record.items()
                      if k not in ("system", "event", "timestamp"))
    return f"           <...>-173   [000]    14.116817: {record['event']}: [FAILED TO PARSE] {fields}"


def ras_mc_ctl(record):
    """A record of rasdaemon's database as ras-mc-ctl --errors prints it."""
    text = (f"1 2026-11-21 21:43:16 +0000 error: memdev={record['memdev']}, host={record['host']}, "
            f"serial={record['serial']:#x}, ")
    if record["event"] == "cxl_poison":
        return text + (f"trace_type=List, region={record['region']}, hpa={record['hpa']:#x}, "
                       f"dpa={record['dpa']:#x}, dpa_length={record['dpa_length']:#x}, "
                       "source=Internal, flags=0, overflow timestamp=1970-01-01 00:00:00 +0000 ")
    return text + ("log=Fatal, hdr_uuid=00000000-0000-0000-0000-000000000000, hdr_flags=0x1 , "
                   "hdr_handle=0x1, hdr_related_handle=0x0, hdr_timestamp=2026-11-21 21:43:16 "
                   "+0000, hdr_length=128, hdr_maint_op_class=0, hdr_maint_op_sub_class=0, "
                   f"dpa={record['dpa']:#x}, dpa_flags: , descriptor_flags: 'UNCORRECTABLE EVENT' , "
                   "'THRESHOLD EVENT' , memory event type: TE State Violation, transaction_type: "
                   f"Host Read, channel=3, rank=17, device=0x5, hpa={record['hpa']:#x}, "
                   f"region={record['region_name']}, "
                   "region_uuid=00000000-0000-0000-0000-000000000000, cme_threshold_ev_flags: , "
                   "cme_count=0, ")


def lines_of(host, name, word):
    with open(f"{host}/events/{name}", encoding="utf-8", errors="replace") as f:
        return [line.rstrip("\n") for line in f if word in line]


def printed(spa, host):
    """Return: the lines with an address, by program."""
    monitor = lines_of(host, "cxl-monitor.log", '"dpa"')
    objects = [json.loads(line) for line in monitor]
    events = subprocess.run([spa, "--host", host, "--json", "events"], text=True,
                            capture_output=True, check=True).stdout.splitlines()
    return {
        "kernel": lines_of(host, "trace.txt", " dpa="),
        "rasdaemon": [x for x in lines_of(host, "rasdaemon.log", "dpa:") if "FAILED" not in x],
        "monitor": monitor,
        "libtraceevent": [libtraceevent(x) for x in objects],
        "ras-mc-ctl": [ras_mc_ctl(x) for x in objects],
        "events": [x for x in events if '"dpa":"' in x],
    }


# ---- answers ----


def answers(spa, host, text):
    ran = subprocess.run([spa, "--host", host, "--json", "translate", "--this-boot", "--trace", "-"],
                         input=text, text=True, capture_output=True, check=False)
    return json.loads(ran.stdout)


def essence(answer):
    keys = ("memdev", "dpa", "spa", "spa_last")
    return (*(answer.get(key) for key in keys), answer.get("dpa_last") or answer["dpa"])


def ask_all(spa, host, pastes):
    """Return: the answers to each paste."""
    text, starts = "", []
    parts, n = [], 1
    for paste in pastes:
        starts.append(n)
        parts += [paste, "\n", BETWEEN]
        n += paste.count("\n") + 1 + BETWEEN.count("\n")
    text = "".join(parts)
    of_paste = [[] for _ in pastes]
    for answer in answers(spa, host, text):
        of_paste[bisect.bisect_right(starts, answer["line"]) - 1].append(answer)
    return of_paste


def contains(answer, spa):
    return int(answer["spa"], 16) <= int(spa, 16) <= int(answer["spa_last"], 16)


def is_true(answer, records):
    """Whether an answer is one of the records', or none with the reason."""
    moments = [answer, *([answer["now"] | {"memdev": answer["memdev"], "dpa": answer["dpa"],
                                           "dpa_last": answer.get("dpa_last")}]
                         if answer.get("now") else [])]
    for moment in moments:
        if moment.get("spa") is None:
            continue
        # Without the length of the record the answer is that of its first address.
        # A device that is not on this host has no page, but the record's own address.
        if moment["exact"] and essence(moment) not in {
                e for r in records for e in (r.answer, (*r.answer[:3], r.answer[2], r.answer[1]))
                for e in (e, (None, *e[1:]))}:
            return False
        if not any(moment["dpa"] == r.answer[1] and contains(moment, r.answer[2])
                   for r in records):
            return False
    return answer["spa"] is not None or bool(answer["reason"])


# ---- mutations ----


def mutations(parts):
    """The lines of one record after an accident."""
    for i in range(len(parts)):
        yield parts[:i] + parts[i + 1:]
        if i + 1 == len(parts):
            continue
        yield parts[:i] + [parts[i + 1], parts[i]] + parts[i + 2:]
        for n in (1, 2, 3):
            yield parts[:i] + [parts[i][:-n]] + parts[i + 1:]
            yield parts[:i + 1] + [parts[i + 1][n:]] + parts[i + 2:]


def joins(head, tail):
    """The first lines of one record, and the last ones of another."""
    for i in range(1, len(head)):
        for k in range(1, len(tail)):
            yield head[:i] + tail[k:]


def device_and_address(a, b):
    """The device of one record, and the address of one of another program or type."""
    def is_field(word, name):
        return word.lstrip("{\"").startswith((name + "=", name + ":", name + "\""))
    sep = "," if "{" in a else " "
    head, tail = a.split(sep), b.split("," if "{" in b else " ")
    device = next(i for i, word in enumerate(head) if is_field(word, "memdev")) + 1
    address = next(i for i, word in enumerate(tail) if is_field(word, "dpa"))
    def names(words):
        return [word.split("=")[0] for word in words if "=" in word]
    for i in range(device, len(head)):
        if is_field(head[i], "dpa"):
            break
        for k in range(max(0, address - 40), address + 1):
            # Both programs begin with the same fields: that is a record.
            if names(head[:i]) != names(tail[:k]):
                yield sep.join(head[:i]) + sep + ("," if "{" in b else " ").join(tail[k:])


def digits_of_dpa(text):
    """Where the value of dpa is: another whole number there is another record."""
    begin = re.search(r'"?\bdpa"?\s*[=:]\s*"?', text).end()
    return begin, begin + len(re.match(r"[0-9a-fx]*", text[begin:])[0])


def edits(text, other, rng):
    """Return: the line after a random accident, with the range of characters that it changed."""
    at = rng.randrange(len(text))
    end = min(len(text), at + rng.choice([1, 1, 2, 3, 5, 8, 13, 30, 80]))
    begin = rng.randrange(len(other))
    kind = rng.randrange(9)
    if kind == 0:
        return text[at:], 0, at
    if kind == 1:
        return text[:end] + text[at:end] + text[end:], end, end
    if kind == 2:
        return text[:at] + text[at + 1:at + 2] + text[at:at + 1] + text[at + 2:], at, at + 2
    if kind == 3:
        return text[:at] + other[begin:], at, len(text)
    between = [rng.choice("0123456789abcdef ,=:\t\"{}\\\ufffd\x1b\r"), "", "...", "\n    ",
               other[begin:begin + 3 * (end - at)]][kind - 4]
    return text[:at] + between + text[end:], at, end


def mutilations(records, rng):
    """Lines with random accidents anywhere but in the digits of the address alone."""
    for _ in range(MUTILATED):
        a, b = rng.choice(records), rng.choice(records)
        text, begin, end = edits(a.text, b.text, rng)
        first, last = digits_of_dpa(a.text)
        if end < first or begin > last or begin < first and end > last:
            yield text


class Check:
    def __init__(self, spa, host):
        self.spa, self.host = spa, host
        self.pastes, self.failed, self.n = [], 0, 0
        self.whole, self.refused = 0, 0

    def add(self, parts, records, whole=False, margin=""):
        self.pastes.append(("\n".join(margin + p for p in parts), records, whole))
        if len(self.pastes) == LONG:
            self.run()

    def run(self):
        found = ask_all(self.spa, self.host, [p[0] for p in self.pastes])
        for (paste, records, whole), seen in zip(self.pastes, found):
            self.n += 1
            wrong = [a for a in seen if not is_true(a, records)]
            if whole and records[0].program != "events":  # its objects are too long
                self.whole += 1
                self.refused += [essence(a)[:3] for a in seen] != [records[0].answer[:3]]
            if wrong:
                self.failed += 1
                print(f"{self.host}: {[essence(a) for a in wrong]} instead of "
                      f"{[r.answer for r in records]}:\n{paste}")
        self.pastes = []


def pick(lines):
    """A few records of different devices and types."""
    kinds = collections.OrderedDict()
    for line in lines:
        kind = (("poison" in line), "mem2" in line or "mem0" in line)
        kinds.setdefault(kind, []).append(line)
    return [line for lines in kinds.values() for line in lines[:2]]


def read_records(spa, host):
    records = []
    for program, lines in printed(spa, host).items():
        for line in pick(lines):
            (answer,) = answers(spa, host, line + "\n")
            assert answer["spa"] or answer.get("now"), f"{host}: {program}: {answer}\n{line}"
            records.append(Record(program, line, essence(answer)))
    return records


def pairs(records):
    """Two records of one program, and of each program one with one of another device of each other."""
    for a, b in itertools.permutations(records, 2):
        if a.program == b.program:
            yield a, b
    first = {r.program: r for r in reversed(records)}.values()
    for a, b in itertools.permutations(first, 2):
        yield a, next(r for r in records
                      if r.program == b.program and r.answer[0] != a.answer[0])


def check_host(spa, host):
    check = Check(spa, host)
    records = read_records(spa, host)
    for r in records:
        for width in WIDTHS:
            for wrap in WRAPS:
                parts = wrap(r.text, width)
                check.add(parts, [r], True, MARGINS[width % len(MARGINS)])
            for wrap in (at_columns, as_words)[width // 9 % 2:]:
                for parts in mutations(wrap(r.text, width)):
                    check.add(parts, [r])
        for length in range(30, len(r.text)):
            check.add([r.text[:length]], [r])
    for width, wrap in ((80, at_columns), (90, as_words), (132, at_columns), (300, at_columns)):
        for a, b in pairs(records):
            for parts in joins(wrap(a.text, width), wrap(b.text, width)):
                check.add(parts, [a, b])
    for a, b in pairs(records):
        if a.program != b.program or ("poison" in a.text) != ("poison" in b.text):
            for text in device_and_address(a.text, b.text):
                check.add([text], [a, b])
    for text in mutilations(records, random.Random(28)):
        check.add([text], records)
    check.run()
    return check


def main():
    failed = 0
    for host in sys.argv[2:]:
        check = check_host(sys.argv[1], host)
        print(f"{host}: {check.n} pastes, {check.failed} wrong; of {check.whole} that were only "
              f"wrapped {check.refused} have no answer")
        has_hpa = "normalized" not in host
        failed += check.failed > 0 or check.n == 0
        failed += has_hpa and check.refused * 4 > check.whole
    return failed > 0 or len(sys.argv) < 3


if __name__ == "__main__":
    sys.exit(main())
