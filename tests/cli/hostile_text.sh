#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Control characters in untrusted text never reach the terminal.
. "${0%/*}/functions"
need_python

unpack normalized-7.3
evil=$(printf '\033[31mred\007\177\233"\\<x>')
for mem in "$copy"/sys/bus/cxl/devices/mem?; do
	printf '%s\n' "$evil" >"$mem/firmware_version"
done
sed -i "s/System RAM (kmem)/$(printf 'evil\033[2Jname')/" "$copy/proc/iomem"
printf '%s\n' "$evil" >"$copy/sys/firmware/acpi/tables/PRMT"
printf '[{"bdf": "\\u001b[31m", "base": 1}]\n' >"$copy/prm/rule.json"

for command in list "--json list" explain "--json explain" graph "translate mem0 0x1000"; do
	# shellcheck disable=SC2086 # the words are separate arguments
	"$spa" --host "$copy" $command >"$scratch/out" 2>"$scratch/err"
	status=$?
	[ "$status" -lt 2 ] || fail "$command: status $status: $(cat "$scratch/err")"
	if LC_ALL=C tr -d '\n' <"$scratch/out" | LC_ALL=C grep -q '[^ -~]'; then
		fail "$command: bytes that are not printable on standard output"
	fi
	if LC_ALL=C tr -d '\n' <"$scratch/err" | LC_ALL=C grep -q '[^ -~]'; then
		fail "$command: bytes that are not printable on standard error"
	fi
done
run 0 --host "$copy" --json list
json "a['buses']"

# The same for an operand.
for bytes in '\033[31m' '\23331m' '\302\23331m'; do
	# shellcheck disable=SC2059 # the escapes are the test
	run 2 --host "$copy" translate "$(printf "${bytes}0x1")"
	! printf '%s' "$err" | LC_ALL=C tr -d '\n' | LC_ALL=C grep -q '[^ -~]' ||
		fail "$what: control characters on standard error"
done

# No colours outside a terminal.
run 0 --host "$hosts/plain-7.3.tar.zst" list
case $out in
*"$(printf '\033')"*) fail "$what: colours in a file" ;;
esac
finish
