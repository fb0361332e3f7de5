#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# A host without CXL is no error; the output names what to check.
. "${0%/*}/functions"
need_python

empty=$scratch/empty
mkdir -p "$empty/sys/bus" "$empty/sys/devices" "$empty/proc" "$empty/dev"

run 0 --host "$empty" list
silent
says "no CXL on this host" "/sys/bus/cxl"
run 0 --host "$empty" --json list
json "a['buses'] == [] and a['problem']"
run 0 --host "$empty" explain
says "no CXL on this host"
run 0 --host "$empty" --json explain
json "a['subject'] == 'host' and a['findings'][0]['severity'] == 'problem'"
run 0 --host "$empty" graph
says "digraph"
case $err in
"cxl-spa: graph: there is nothing to draw, no CXL on this host: "*/sys/bus/cxl*) ;;
*) fail "$what: no reason on standard error: $err" ;;
esac
run 1 --host "$empty" --json translate 0x1000
json "a[0]['spa'] == '0x1000' and a[0]['exact'] is False and 'no CXL' in a[0]['reason']"
run 1 --host "$empty" translate 0x1000
says "no memory device" "this host has no CXL memory"
run 2 --host "$empty" --json translate mem0 0x1000
refused "mem0"
run 2 --host "$empty" explain region0
refused "region0"

# The bus exists, but has no devices.
mkdir -p "$empty/sys/bus/cxl/devices"
run 0 --host "$empty" list
says "no CXL on this host" "CEDT"
finish
