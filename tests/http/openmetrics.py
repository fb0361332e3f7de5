#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reads OpenMetrics 1.0.0 text strictly: openmetrics.py FILE [NAME{LABELS}=VALUE...]

Fails at the first thing that the standard does not allow, and unless each sample named has its
value. Only what cxl-redfishd uses of the standard is known: counter, gauge, info, stateset, histogram.
"""
import re
import sys

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[n"\\])*"'
SAMPLE = re.compile(rf"({NAME})(?:\{{({LABEL}(?:,{LABEL})*)?\}})? (-?[0-9]+(?:\.[0-9]+)?(?:e[-+][0-9]+)?)")
SUFFIX = {"counter": ("_total",), "info": ("_info",), "gauge": ("",), "stateset": ("",),
          "histogram": ("_bucket", "_count", "_sum")}


def check(condition, what, line):
    if not condition:
        sys.exit(f"{what}: {line}")


def labels_of(text):
    pairs = re.findall(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[n"\\])*)"', text or "")
    names = [name for name, _ in pairs]
    check(len(names) == len(set(names)), "a label is there twice", text)
    return tuple(sorted(pairs))


def check_value(kind, family, labels, value, line):
    if kind in ("info", "stateset"):
        check(value in ("0", "1"), "not 0 or 1", line)
    if kind in ("counter", "histogram"):
        check(not value.startswith("-"), "less than 0", line)
    if kind == "info":
        check(value == "1", "an info is 1", line)
    if kind == "stateset":
        check(family in dict(labels), "a state has its family as label", line)


def check_histograms(families, samples):
    """Buckets grow, the last has no bound and is the count."""
    for family in [name for name, kind in families.items() if kind == "histogram"]:
        buckets = {}
        for (name, labels), value in samples.items():
            if name == family + "_bucket":
                rest = tuple(pair for pair in labels if pair[0] != "le")
                buckets.setdefault(rest, []).append((float(dict(labels)["le"]), int(value)))
        for rest, of in buckets.items():
            check(of == sorted(of), "buckets are not in order", f"{family} {rest}")
            check([n for _, n in of] == sorted(n for _, n in of), "buckets do not grow", f"{family} {rest}")
            check(of[-1][0] == float("inf"), "no last bucket", f"{family} {rest}")
            check(str(of[-1][1]) == samples.get((family + "_count", rest)), "not the count", f"{family} {rest}")
            check((family + "_sum", rest) in samples, "no sum", f"{family} {rest}")


def parse(text):
    check(text.endswith("# EOF\n"), "does not end with # EOF", text[-40:])
    check("\r" not in text, "a carriage return", "")
    families, samples, family = {}, {}, None
    for line in text[:-len("# EOF\n")].splitlines():
        found = re.fullmatch(rf"# (TYPE|HELP) ({NAME}) (.+)", line)
        if found:
            word, name, rest = found.groups()
            if word == "TYPE":
                check(name not in families, "a family is there twice", line)
                check(rest in SUFFIX, "unknown type", line)
                check(not name.endswith(("_total", "_info", "_created")), "reserved suffix", line)
                families[name] = rest
                family = name
            else:
                check(name == family, "HELP of another family", line)
            continue
        found = SAMPLE.fullmatch(line)
        check(found, "malformed", line)
        name, labels, value = found.groups()
        check(family, "a sample without family", line)
        check(name in [family + suffix for suffix in SUFFIX[families[family]]], "not of this family", line)
        key = (name, labels_of(labels))
        check(key not in samples, "a sample is there twice", line)
        check_value(families[family], family, key[1], value, line)
        samples[key] = value
    check_histograms(families, samples)
    return samples


def main():
    with open(sys.argv[1], encoding="utf-8", newline="") as f:
        samples = parse(f.read())
    for wanted in sys.argv[2:]:
        sample, value = wanted.rsplit("=", 1)
        name, _, labels = sample.partition("{")
        found = samples.get((name, labels_of(labels.rstrip("}"))))
        check(found == value, f"{sample} is {found}", wanted)


main()
