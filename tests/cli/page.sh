#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# page: what a captured host has of a page, operands, exit statuses, and that nothing of it is changed.
. "${0%/*}/functions"
need_python
host=$hosts/normalized-7.3.tar.zst

# A block that is offline has no user; that of memory in use is not in a capture.
run 0 --host "$host" page show mem0 0x0
says "mem0 DPA 0x0: SPA 0x310000100, page pfn:0x310000" "memory98 is offline" "nothing: the page is offline"
run 0 --host "$host" page show pfn:0x0
says "memory0 is online" "a capture has its memory block, and no flags of pages"

# The same page by its three addresses, and from standard input.
for operands in "mem0 0x0" 0x310000100 pfn:0x310000; do
	# shellcheck disable=SC2086
	run 0 --host "$host" page show $operands --json
	json "a[0]['pfn'] == '0x310000' and a[0]['block'] == 'memory98' and a[0]['state'] == 'offline'"
	json "a[0]['kind'] == 'offline' and a[0]['outcome'] is None and a[0]['moment'] is None"
done
printf '0x0\n\n0x40\n' | "$spa" --host "$host" page show --json mem0 - >"$scratch/out" 2>"$scratch/err" ||
	fail "standard input: $(cat "$scratch/err")"
json "[p['dpa'] for p in a] == ['0x0', '0x40']"

# The incident of a page: the worst one with an address in it.
run 0 --host "$host" page show 0x210020000
says "incident 2: cxl-spa triage 2"
run 0 --host "$host" page show --json 0x210020fff 0x210001000 0x210033000
json "[p['incident'] for p in a] == [2, 10, None]"

# Without an exact address there is no page.
run 1 --host "$host" page show mem0 0x0 0xffffffffff
says "is beyond the capacity of the device"

# A capture is read only.
for action in "offline" "offline --hard" "online"; do
	# shellcheck disable=SC2086
	run 1 --host "$host" page $action --json mem0 0x0
	json "a[0]['outcome'] == 'refused' and a[0]['reason'] == 'a captured host cannot be changed'"
done

# Wrong usage: nothing is done.
usage() { # TEXT ARGUMENT...
	text=$1
	shift
	run 2 --host "$host" page "$@"
	refused "$text"
}
usage "none of show, offline, online, list, export and import" what 0x0
usage "an ADDRESS is missing" show mem0
usage "is a range: a page is named by one address" show 0x0-0x1
usage "leave out the device" show mem0 pfn:0x0
usage "is not a page frame" show pfn:12
usage "is not a page frame" show pfn:0x10000000000
usage "is not an address" offline 0x0 12
usage "--hard is of page offline alone" show --hard 0x0
usage "--hard is of page offline alone" online --hard 0x0
usage "no such memory device" show mem9 0x0

# A list with a wrong entry is refused before the service's database is opened; a right one needs it.
import() { # TEXT ENTRY
	echo "{\"remembered\":[$2]}" >"$scratch/list.json"
	run 2 page import "$scratch/list.json" --state "$scratch/missing"
	refused "$1"
}
entry='"device":"cxl-000000000000abc0","dpa":"0x1000","length":64'
import 'entry 1: serial must be "0xabc0" or null' "{$entry,\"serial\":\"0x9999\"}"
import 'entry 2: mode must be "soft" or "hard"' "{$entry},{$entry,\"mode\":\"bar\"}"
import 'entry 1: cause must be "manual" or "automatic"' "{$entry,\"cause\":\"foo\"}"
import 'entry 1: incident must be a whole number' "{$entry,\"incident\":\"7\"}"
import 'entry 1: dpa must be a text of a hexadecimal number, a multiple of 64' '{"device":"cxl-000000000000abc0","dpa":"0x1001"}'
import 'state.db: No such file or directory' "{$entry,\"serial\":\"0xabc0\",\"incident\":null,\"mode\":\"soft\"}"
finish
