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

unpack idle-7.3
rm -f "$copy/$devices"/decoder0.*/create_ram_region
run 0 --host "$copy" --json explain
json "a['refusal']['way_out']['kind'] == 'newer kernel' and 'has no create_ram_region' in a['refusal']['first_difference']"

# Decoders with device addresses, which Linux translates since 7.0; its log has the symptom.
unpack normalized-6.12
run 0 --host "$copy" --json explain decoder3.0
json "a['refusal']['first_difference'].endswith('firmware programmed the device addresses 0x0-0xfffffff') and a['refusal']['way_out']['kind'] == 'newer kernel'"
json "a['refusal']['kernel_says'].endswith('mem1:decoder3.0 no CXL window for range 0x0:0xfffffff')"

# A window of the table that Linux does not show.
unpack idle-7.3
rm -rf "$(readlink -f "$copy/$devices/decoder0.1")" "$copy/$devices/decoder0.1"
run 0 --host "$copy" --json explain
json "sum(l['agrees'] is None for l in a['refusal']['levels']) == 1"
json "any(l['found'] == 'no check of Linux that is known here fails' for l in a['refusal']['levels'])"
run 0 --host "$copy" explain
says "the ACPI table CEDT has" "what Linux expects, from the root down:" "is not known: Linux expects that all checks hold"

# CFMWS with numbers that Linux rejects: each is a level, and the others are read.
window=100 # the first CFMWS of the table
corrupt() { # OFFSET BYTE: in the CEDT, with its checksum
	python3 - "$copy/sys/firmware/acpi/tables/CEDT" "$1" "$2" <<'END'
import sys
path, at, value = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
table = bytearray(open(path, "rb").read())
table[at] = value
table[9] = (table[9] - sum(table)) % 256
open(path, "wb").write(table)
END
}
rejects() { # OFFSET BYTE TEXT
	unpack idle-7.3
	chmod u+w "$copy/sys/firmware/acpi/tables/CEDT"
	corrupt "$1" "$2"
	rm -rf "$(readlink -f "$copy/$devices/decoder0.0")" "$copy/$devices/decoder0.0"
	run 0 --host "$copy" --json explain
	json "len(a['refusal']['levels']) == 3 and [l['agrees'] for l in a['refusal']['levels']].count(False) == 1"
	json "'$3' in a['refusal']['first_difference'] and a['refusal']['way_out']['kind'] == 'firmware'"
	run 0 --host "$copy" explain
	says "the ACPI table CEDT has 3 windows, and Linux shows 2" "$3"
}
rejects $((window + 24)) 5 "firmware has interleave ways encoded as 5"
rejects $((window + 24)) 2 "firmware has length 44, and 52 for 4 targets"
rejects $((window + 28)) 7 "firmware has a granularity encoded as 7"
rejects $((window + 25)) 2 "firmware has interleave arithmetic 2"
rejects $((window + 8)) 1 "expects base and size in multiples of 256 MiB"
rejects $((window + 16)) 1 "expects base and size in multiples of 256 MiB"
rejects $((window + 36)) 119 "firmware has target 0, 0x77, which is none"
finish
