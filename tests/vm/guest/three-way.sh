# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Functions for the machine with windows over three host bridges, see README.md: for init, and for
# three-way.d/*.sh in addition to lib.sh. $VM_KIND is "created" or "committed", $VM_WAYS 6 or 12.

# Start of the region in each window; the second is a multiple of 768 MiB. Each device gives 256 MiB to
# each region.
REGIONS="0x110000000 0x1e0000000"
REGION_SIZE=$((VM_WAYS * (256 << 20)))

# Device N of bridge B has the serial number 0xabc0 + 4 * B + N.
serials() {
	local bridge n
	for n in 0 1 2 3; do
		[ $n -lt $((VM_WAYS / 3)) ] || continue
		# Neighbours in the interleave order are behind different bridges.
		for bridge in 0 1 2; do
			printf '0x%x\n' $((0xabc0 + 4 * bridge + n))
		done
	done
}

# memdev SERIAL: its name in this boot.
memdev() {
	basename "$(dirname "$(grep -lx "$1" /sys/bus/cxl/devices/mem*/serial)")"
}

# table_u8 OFFSET, table_u32 OFFSET: a number of the CEDT.
table_u8() {
	hexdump -v -s "$1" -n 1 -e '/1 "%u"' /sys/firmware/acpi/tables/CEDT
}
table_u32() {
	hexdump -v -s "$1" -n 4 -e '/4 "%u"' /sys/firmware/acpi/tables/CEDT
}

# bridge_registers: the component registers of each host bridge, from the CEDT's CHBS structures.
bridge_registers() {
	local at=36 end
	end=$(table_u32 4)
	while [ "$at" -lt "$end" ]; do
		[ "$(table_u8 "$at")" -ne 0 ] || echo $(($(table_u32 $((at + 16))) | $(table_u32 $((at + 20))) << 32))
		at=$((at + $(table_u8 $((at + 2)))))
	done
}

# hdm_of COMPONENT_REGISTERS: where the HDM decoder capability is.
hdm_of() {
	local registers=$(($1 + 0x1000)) count entry i=1
	count=$(($(devmem $registers 32) >> 24))
	while [ $i -le $count ]; do
		entry=$(devmem $((registers + 4 * i)) 32)
		if [ $((entry & 0xffff)) -eq 5 ]; then
			echo $((registers + (entry >> 20)))
			return
		fi
		i=$((i + 1))
	done
	echo "init: no HDM decoders at $1" >&2
}

# commit_decoder HDM INDEX START CODE TARGETS: CODE is the register's encoding of the ways; the
# granularity is 256 bytes. TARGETS is 0 for an endpoint (it skips no DPA).
commit_decoder() {
	local at=$(($1 + 0x10 + 0x20 * $2)) control=$(($4 << 4 | 1 << 12))
	devmem $at 32 $(($3 & 0xffffffff))
	devmem $((at + 0x04)) 32 $(($3 >> 32))
	devmem $((at + 0x08)) 32 $((REGION_SIZE & 0xffffffff))
	devmem $((at + 0x0c)) 32 $((REGION_SIZE >> 32))
	devmem $((at + 0x14)) 32 $(($5))
	devmem $((at + 0x18)) 32 0
	devmem $((at + 0x10)) 32 $((control | 1 << 9))
	[ $(($(devmem $((at + 0x10)) 32) & 1 << 10)) -ne 0 ] || echo "init: decoder $2 at $1 is not committed" >&2
	devmem $(($1 + 4)) 32 2
}

# commit_regions REGISTERS CODE TARGETS: decoder 0 is for the first region, decoder 1 for the second.
commit_regions() {
	local hdm index=0 start
	hdm=$(hdm_of "$1")
	for start in $REGIONS; do
		commit_decoder "$hdm" $index "$start" "$2" "$3"
		index=$((index + 1))
	done
}

# commit_as_firmware: what a firmware does that interleaves over all devices; before the CXL modules.
commit_as_firmware() {
	local device registers bridge_code=1 endpoint_code=9 targets=0x0100
	[ "$VM_WAYS" = 6 ] || bridge_code=2 endpoint_code=10 targets=0x03020100
	for device in /sys/bus/pci/devices/*; do
		[ "$(cat "$device/class")" = 0x050210 ] || continue
		echo 1 >"$device/enable"
		# Component registers are in the first BAR.
		commit_regions "$(head -n 1 "$device/resource" | cut -d ' ' -f 1)" $endpoint_code 0
	done
	for registers in $(bridge_registers); do
		commit_regions "$registers" $bridge_code $targets
	done
}
