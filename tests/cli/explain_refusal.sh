#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# explain: what Linux expects of decoders and windows, level by level, and the way out.
. "${0%/*}/functions"
need_python

devices=sys/bus/cxl/devices
name=spa-0000000110000000

run 0 --host "$hosts/plain-7.3.tar.zst" --json explain region0
json "'refusal' not in a"
forget_region0
run 0 --host "$copy" --json explain "$name"
json "a['refusal']['first_difference'] is None and all(l['agrees'] for l in a['refusal']['levels'])"
json "a['refusal']['way_out'] == {'kind': 'none', 'text': None}"
json "[l['object'] for l in a['refusal']['levels']][0] == 'decoder0.0' and len(a['refusal']['levels']) == 7"

# Firmware programmed another granularity.
echo 256 >"$copy/$devices/decoder1.0/interleave_granularity"
difference="decoder1.0: Linux expects 2-way at 512 B here, firmware programmed 256 B"
run 0 --host "$copy" explain decoder1.0
says "what Linux expects, from the root down:" "decoder0.0 agrees" "$difference" "way out: firmware"
run 0 --host "$copy" explain "$name"
says "$difference"

# The kernel's own line, where it has one; without its log that is said.
says "the kernel's log does not name it"
echo "[    3.100000] cxl $name: pci0000:de:port1 decoder1.0 cxl_port_setup_targets expected iw: 2 ig: 512" >>"$copy/dmesg.txt"
run 0 --host "$copy" explain "$name"
says "the kernel's log says: cxl $name: pci0000:de:port1 decoder1.0 cxl_port_setup_targets expected iw: 2"
rm "$copy/dmesg.txt"
run 0 --host "$copy" --json explain "$name"
json "a['refusal']['kernel_says'] is None and a['refusal']['kernel_log_absent']"
run 0 --host "$copy" explain "$name"
says "the kernel's log is not known: "

# A kernel that makes no regions of firmware's decoders.
forget_region0
rm -f "$copy/$devices"/decoder0.*/create_ram_region
run 0 --host "$copy" --json explain decoder3.0
json "a['refusal']['way_out']['kind'] == 'newer kernel' and 'CONFIG_CXL_REGION' in a['refusal']['first_difference']"

# A window of the table that Linux does not show.
unpack idle-7.3
rm -rf "$(readlink -f "$copy/$devices/decoder0.1")" "$copy/$devices/decoder0.1"
run 0 --host "$copy" --json explain
json "sum(l['agrees'] is None for l in a['refusal']['levels']) == 1"
json "any(l['found'] == 'no check of Linux that is known here fails' for l in a['refusal']['levels'])"
run 0 --host "$copy" explain
says "the ACPI table CEDT has" "what Linux expects, from the root down:" "is not known: Linux expects that all checks hold"
finish
