#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# list: the same objects as `cxl list` showed on each captured machine. (golden.sh checks the text.)
. "${0%/*}/functions"
need_python

for archive in "$hosts"/*.tar.zst; do
	unpack "$(basename "$archive" .tar.zst)"
	run 0 --host "$archive" --json list
	silent
	json "set(a) == {'kernel', 'problem', 'buses', 'memdevs_without_endpoint', 'other_dax_regions', 'functions_without_memdev', 'switches'}"
	json "a['problem'] is None and len(a['buses']) == 1"
	[ -e "$copy/cmd/cxl-list-vv.json" ] || continue
	python3 - "$scratch/out" "$copy/cmd/cxl-list-vv.json" <<-'PYTHON' || fail "$what: not what cxl list shows"
		import json, sys

		def objects(tree, name, found):
		    """All objects in the tree that have that key; each kind has its own in cxl list."""
		    if isinstance(tree, list):
		        for item in tree:
		            objects(item, name, found)
		    elif isinstance(tree, dict):
		        if name in tree:
		            found.append(tree)
		        for value in tree.values():
		            objects(value, name, found)
		    return found

		ours = json.load(open(sys.argv[1]))
		theirs = json.load(open(sys.argv[2]))
		windows = ours["buses"][0]["windows"]
		memdevs = [m for m in objects(ours, "firmware_version", []) if m["name"].startswith("mem")]

		def number(text):
		    return None if text is None else int(text, 16)

		assert {(m["name"], number(m["serial"]), m["bdf"], m["ram_size"]) for m in memdevs} == {
		    (m["memdev"], m["serial"], m["host"], m.get("ram_size", 0))
		    for m in objects(theirs, "memdev", []) if "serial" in m}
		regions = {(r["name"], number(r["start"]), r["size"], r["ways"],
		            tuple(t["memdev"] for t in r["targets"])) for w in windows for r in w["regions"]}
		assert regions == {
		    (r["region"], r["resource"], r["size"], r["interleave_ways"],
		     tuple(m["memdev"] for m in sorted(r["mappings"], key=lambda m: m["position"])))
		    for r in objects(theirs, "region", []) if "mappings" in r}
		assert {(w["name"], number(w["start"]), w["size"]) for w in windows} == {
		    (d["decoder"], d["resource"], d["size"])
		    for d in objects(theirs, "decoder", []) if d["decoder"].startswith("decoder0.") and "size" in d}
	PYTHON
done

# Scrub, which is read from the devices.
run 0 --host "$hosts/mock-7.3.tar.zst" list --scrub
says "mem0  patrol scrub on, 12 h  shortest cycle 1 h"
says "mem0  error check scrub of 2 FRUs  threshold 1024, mode rows, entries for each DRAM"
says "region0  patrol scrub on, 12 h  shortest cycle 1 h"
run 0 --host "$hosts/mock-7.3.tar.zst" --json list --scrub
json "[s['cycle_s'] for s in a['scrub'] if s['name'] in ('mem8', 'mem9', 'region0')] == [43200] * 3"
json "[s['members_differ'] for s in a['scrub'] if s['name'] == 'region0'] == [False]"
unpack mock-7.3
echo 86400 >"$(readlink -f "$copy/sys/bus/cxl/devices/mem8")/cxl_mem8/scrub0/current_cycle_duration"
echo 777 >"$(readlink -f "$copy/sys/bus/cxl/devices/mem9")/cxl_mem9/ecs_fru1/threshold"
run 0 --host "$copy" list --scrub
says "mem8  patrol scrub on, 24 h"
says "region0  patrol scrub not the same of all its devices  shortest cycle 1 h"
says "mem9  error check scrub of 2 FRUs  threshold not the same of all, mode rows"
warns "mem9 ecs_fru1: threshold is 777, which no device can have"
run 0 --host "$hosts/plain-7.3.tar.zst" list --scrub
says "no device shows scrub: Linux does since 6.16"
run 2 --host "$hosts/plain-7.3.tar.zst" list --scrub mem0
warns "--scrub is of the whole host, without the operand 'mem0'"

# A region with an extended linear cache.
unpack plain-7.3
run 0 --host "$copy" list
says_not "cache"
echo 0x10000000 >"$(readlink -f "$copy/sys/bus/cxl/devices/region0")/extended_linear_cache_size"
run 0 --host "$copy" list
says "1 GiB  4-way at 256 B  ram  including 256 MiB of extended linear cache  committed"
finish
