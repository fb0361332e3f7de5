# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# A storm of corrected errors takes exactly the right pages out of use, by the page policy of the service: the addresses are those
# of firmware's rule, /proc/kpageflags is the witness. Only Linux 7.x makes memory of regions with Normalized addressing.
# shellcheck source=/dev/null
. /lib/vm/pages.sh
for program in cxl-redfishd cxl-redfish-page-helper cxl-redfish-trace curl jq; do
	needs_program $program
done
case $VM_FAULT in none | unprogrammed) ;; *) exit 0 ;; esac

work=$RESULTS/pages
log=$work/log
state=/run/pages-state
mkdir -p "$work" $state /run/clock-state
devices=$work/devices.txt
clock=/sys/kernel/tracing/instances/cxl-redfish/trace_clock
cxl_devices >"$devices"
region=$(grep -lsx 0x210000000 /sys/bus/cxl/devices/region*/resource | cut -d / -f 6)

# bdf N: the PCI address of the device 0xabcN.
bdf() {
	awk -v serial="0xabc$1" '$1 == serial { print $2 }' "$devices"
}
# right N DPA: the page frame by firmware's rule.
right() {
	echo $(($(echo "$(bdf "$1") $2" | rule "$VM_RULE" spa "$devices" | cut -d ' ' -f 3) / 4096))
}
service() {
	log=$work/log-$1${2:-}
	start_redfishd /run/redfish "$log" --allow=pages --state "$state" --page-policy "$1" --page-corrected 3/24 \
		--page-limit-block 64 --page-limit-hour 64
}
# begins MODE: the service, whose policy begins with what is injected from now on.
begins() {
	service "$1"
	check "$1: the policy begins" wait_for said "are decided about"
}

check "cxl-redfish-trace" cxl-redfish-trace
[ "$VM_FAULT" = unprogrammed ] || check "cxl_prm loads" load_cxl_prm
qmp_open
same "QEMU's monitor answers" 0 $?

# An instance that the kernel's command line made.
if ! grep -qF '[boot]' "$clock"; then
	state=/run/clock-state
	begins soft
	inject 0 0x4000 $UNCORRECTABLE
	check "with another trace clock, that errors are no reason is said" wait_for said "the clock of the trace instance is not boot"
	stop_redfishd /run/redfish
	echo boot >"$clock"
	state=/run/pages-state
fi

if [ -z "$region" ]; then
	begins soft
	inject 0 0x3040 $UNCORRECTABLE
	check "memory that Linux does not have: the policy says that it does nothing" wait_for said "is not taken out of use"
	stop_redfishd /run/redfish
	qmp_close
	exit 0
fi

dax_of "$region"
block=/sys/devices/system/memory/memory$((0x210000000 / $(block_size)))
same "a memory block is online" 0 "$(echo online_movable >"$block/state" && echo $?)"
same "no page is out" "" "$(bad_frames "$dax")"

# ---- observe
begins observe
inject 0 0x1000 $CORRECTED 3
check "observe: what it would do is said" wait_for said "would be taken out of use (page-policy = observe does nothing)"
inject 1 0x2340 $UNCORRECTABLE
check "observe: also of an uncorrectable error" wait_for said "would be taken out of use while nobody uses it"
same "observe: the page is that of firmware's rule" "$(printf '0x%x (device address 0x1000)' $(($(right 0 0x1000) * 4096)))" \
	"$(sed -n 's/.*page \(0x[0-9a-f]* (device address 0x1000)\) would be.*/\1/p' "$log")"
same "observe: no page is out" "" "$(bad_frames "$dax")"
stop_redfishd /run/redfish

# ---- soft: of each of these, the page is taken out
begins soft
inject 0 0x1000 $CORRECTED
: >"$work/expected"
out() { # N DPA
	right "$1" "$2" >>"$work/expected"
}
for n in 0 1; do
	for dpa in 0x10040 0x137c0 0x1ff80 0x3fff000; do
		# Two lines of one page, whose errors count together, and as many as are not enough in the pages beside.
		inject $n $dpa $CORRECTED 2
		inject $n $((dpa - dpa % 256)) $CORRECTED
		inject $n $((dpa - 2048)) $CORRECTED 2
		[ $dpa = 0x3fff000 ] || inject $n $((dpa + 2048)) $CORRECTED 2
		out $n $dpa
	done
done
inject 1 0x50000 $THRESHOLD
out 1 0x50000
# Errors that the device's scrub found (transaction 3) do not count, nor do those of an address that the device does not have.
inject 0 0x60000 $CORRECTED 5 3
inject 0 0x1fffffff00 $CORRECTED 3
# The last one: an entry is decided about when those before it were.
inject 0 0x70000 $UNCORRECTABLE
out 0 0x70000
last=$(tail -n 1 "$work/expected")
check "the page of the last error is out" wait_for is_bad "$last"
same "exactly the pages of the errors are out, no neighbour is" "$(sort -n "$work/expected" | uniq | xargs)" "$(bad_frames "$dax")"
ask GET "$SYSTEM/LogServices/HardwareIsolation/Entries" >/dev/null
same "each is in the log, once for each device" "$(wc -l <"$work/expected") Critical" \
	"$(answer '"\(.Members | length) \([.Members[].Severity] | unique | join(","))"')"

# ---- a restart of the service
stop_redfishd /run/redfish
service soft -again
same "after a restart the same pages are out" "$(sort -n "$work/expected" | uniq | xargs)" "$(bad_frames "$dax")"
stop_redfishd /run/redfish
qmp_close
