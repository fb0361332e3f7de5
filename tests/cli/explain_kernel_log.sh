#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# explain: devices and regions that Linux refused, of which its log is the only witness.
. "${0%/*}/functions"
need_python

devices=sys/bus/cxl/devices
bdf=0000:0d:00.0

# forget_memdev NAME: cxl_pci made no memory device of its PCI function.
forget_memdev() {
	target=$(readlink -f "$copy/$devices/$1")
	rm -f "$copy/$devices/$1" "${target%/*}/driver"
	rm -rf "$target"
}
log() {
	printf '%s\n' "$@" >>"$copy/dmesg.txt"
}
# kernel_says LINE WAY: the refusal of the object that was explained.
kernel_says() {
	json "a['refusal']['kernel_says'] == '$1' and a['refusal']['way_out']['kind'] == '$2' and a['refusal']['way_out']['text']"
	json "a['refusal']['first_difference'] and a['refusal']['levels'][0]['agrees'] is False"
}

# A device without mailbox, as of an FPGA.
unpack idle-7.3
name=$(basename "$(find -L "$copy/sys/bus/pci/devices/$bdf" -maxdepth 1 -name 'mem[0-9]*' 2>/dev/null)")
forget_memdev "$name"
run 0 --host "$copy" explain "$bdf"
says "without its driver cxl_pci" "next: "
line="cxl_pci $bdf: registers not found: mbox "
log "[    4.100000] $line" "[    4.200000] cxl_pci $bdf: probe with driver cxl_pci failed with error -6"
run 0 --host "$copy" --json explain "$bdf"
kernel_says "$line" firmware
json "a['refusal']['levels'][0]['found'] == 'registers not found: mbox'"
run 0 --host "$copy" explain "$bdf"
says "$bdf: Linux expects registers for status, mailbox and memory device" "its log says: registers not found: mbox" \
	"next: load an image with these registers" "way out: firmware: "
says_not "echo $bdf >/sys/bus/pci/drivers/cxl_pci/bind"
run 0 --host "$copy" --json explain
kernel_says "$line" firmware
json "any(f['code'] == 'KERNEL_REFUSED' and f['object'] == '$bdf' and f['next'] for f in a['findings'])"

# The same when the bus does not show the function, and for each of its relatives; a line that only quotes one is none.
for line in "Mailbox is too small (128b)" "timeout awaiting mailbox ready, device state fatal" "timeout awaiting mailbox idle, device state" \
	"mailbox timeout (opcode: 0x400), device state" "FW still in control of Event Logs despite _OSC settings" \
	"Failed to get interrupt for event Info log" "probe with driver cxl_pci failed with error -5"; do
	unpack idle-7.3
	log "[    4.100000] cxl_pci 0000:35:00.0: $line" "[    4.200000] cxl_pci 0000:36:00.0: the text $line"
	run 0 --host "$copy" --json explain
	json "a['refusal']['kernel_says'] == 'cxl_pci 0000:35:00.0: $line' and a['refusal']['way_out']['text']"
	json "[f['object'] for f in a['findings'] if f['code'] == 'KERNEL_REFUSED'] == ['0000:35:00.0']"
done
# A function that has its memory device was refused earlier only.
unpack idle-7.3
log "[    4.100000] cxl_pci $bdf: registers not found: mbox "
run 0 --host "$copy" --json explain
json "'refusal' not in a and not any(f['code'] == 'KERNEL_REFUSED' for f in a['findings'])"

# A region that Linux does not commit, or whose driver it does not bind, in a virtual machine.
line="cxl_region region0: Failed to synchronize CPU cache state"
for state in 0 1; do
	unpack plain-7.3
	log "[    9.100000] $line"
	run 0 --host "$copy" --json explain region0
	json "'refusal' not in a"
	echo "$state" >"$copy/$devices/region0/commit"
	rm -f "$copy/$devices/region0/driver"
	run 0 --host "$copy" --json explain region0
	kernel_says "$line" none
	run 0 --host "$copy" explain region0
	says "region0: Linux expects to flush the caches of the CPUs" "its log says: Failed to synchronize CPU cache state" \
		"next: map the memory on the physical machine"
	says_not "echo 1 >/sys/bus/cxl/devices/region0/commit" "cxl enable-region"
done

# The log is untrusted: its text ends at a bound, and no control character gets through.
long=$(python3 -c 'print("A" * 300)')
unpack plain-7.3
echo 0 >"$copy/$devices/region0/commit"
{
	printf '[    9.100000] cxl_region region0: \033[2J\007\233\302\205 of \r and \000 behind it\n'
	printf '[    9.200000] cxl_pci 0000:35:00.0: registers not found: \033]0;title\007%s\n' "$long"
	printf '[    9.300000] usb 1-1: Product: cxl_region region0: Failed to synchronize CPU cache state (spoofed)\n'
	printf '\033[1A[    9.350000] cxl_region region0: Failed to synchronize CPU cache state (hidden)\n'
	python3 -c 'print("[    9.400000] cxl_region region0: Failed to synchronize CPU cache state " + "B" * 10_000_000)'
} >>"$copy/dmesg.txt"
for command in explain "--json explain" "explain region0" "--json explain region0" "explain decoder0.0" "--json list"; do
	# shellcheck disable=SC2086 # the words are separate arguments
	"$spa" --host "$copy" $command >"$scratch/out" 2>"$scratch/err" || fail "$command: $(cat "$scratch/err")"
	for file in out err; do
		! LC_ALL=C tr -d '\n' <"$scratch/$file" | LC_ALL=C grep -q '[^ -~]' ||
			fail "$command: bytes that are not printable on std$file"
	done
	[ "$(wc -c <"$scratch/out")" -lt 100000 ] || fail "$command: $(wc -c <"$scratch/out") bytes"
	! grep -q -e spoofed -e hidden "$scratch/out" || fail "$command: a line that does not begin with a driver is believed"
done
run 0 --host "$copy" --json explain region0
json "a['refusal']['kernel_says'].startswith('$line BBB') and len(a['refusal']['kernel_says']) < 320 and a['refusal']['way_out']['kind'] == 'none'"
run 0 --host "$copy" --json explain
json "any(f['code'] == 'KERNEL_REFUSED' and 'registers not found: ?]0;title?AAA' in f['text'] for f in a['findings'])"
# A log that is larger than any is not known, and says so.
truncate -s 17M "$copy/dmesg.txt"
run 0 --host "$copy" --json explain decoder0.0
run 0 --host "$copy" explain region0
says "region0"
finish
