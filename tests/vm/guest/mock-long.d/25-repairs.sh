# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Repairs of places by the kernel's EDAC instances, made by change_run() itself: the bytes of the
# maintenance operation that reach the device, and refusals of the device.
# shellcheck source=/dev/null
. /lib/vm/mock.sh
needs_program run_change

memdev=$(memdev_of cxl_mem.9)
mock=$(mock_of "$memdev")
serial=$(cat "/sys/bus/cxl/devices/$memdev/serial")
edac=/sys/bus/edac/devices/cxl_$memdev
[ -e "$mock/maintenance" ] || { echo "skip: the mock devices have no maintenance"; exit 0; }

# The order of the kernel: sparing of cachelines, rows, banks and ranks, then ppr.
same "EDAC has five types of repair" "cacheline-sparing row-sparing bank-sparing rank-sparing ppr" \
	"$(cat "$edac"/mem_repair[0-4]/repair_type | tr '\n' ' ' | sed 's/ $//')"
same "cxl-spa lists them" "$(cat "$edac"/mem_repair[0-4]/repair_type | tr '\n' ' ')" \
	"$(cxl-spa --json list "$memdev" | jq -r '.repairs[].type' | tr '\n' ' ')"
same "all are possible on an idle device" "now now now now now" \
	"$(cxl-spa --json list "$memdev" | jq -r '[.repairs[].when] | join(" ")')"

# repair NAME OUTCOME TYPE: the place is the same for each type. $answer is all that is printed.
repair() {
	local name=$1 outcome=$2 type=$3
	answer=$(printf '%s\n' "kind repair" "object $memdev" "identity $serial" "repair $type" "dpa 0x1001" \
		"part nibble_mask 0x123456" "part channel 1" "part rank 2" "part bank_group 3" "part bank 4" \
		"part row 0x123" "part column 0x45" "part sub_channel 1" | run_change /run/keys)
	case $answer in
	*"outcome $outcome"*) ok "$name" ;;
	*) not_ok "$name" "expected '$outcome', found '$answer'" ;;
	esac
}

# because NAME TEXT: the answer has that text.
because() {
	case $answer in
	*"$2"*) ok "$1" ;;
	*) not_ok "$1" "expected '$2', found '$answer'" ;;
	esac
}

# Class, subclass, flags (2 sub-channel, 3 nibble mask are valid), then for sparing channel, rank, nibble mask,
# bank group, bank, row, column, sub-channel, and for ppr the DPA and the nibble mask.
reaches() {
	repair "$1 is done" "done" "$1"
	same "its values reached the device" "$2" "$(cut -d ' ' -f 2 "$mock/maintenance")"
}
reaches cacheline-sparing 02000c01025634120304230100450001
reaches row-sparing 02010801025634120304230100000000
reaches bank-sparing 02020801025634120304000000000000
reaches rank-sparing 02030801025634120000000000000000
reaches ppr 0100000110000000000000563412
same "the DPA of ppr has its flags" 0x1001 "$(cat "$edac/mem_repair4/dpa")"

echo "0x0600 4" >"$mock/mbox_fail"
repair "a repair that the device refuses is refused" refused ppr
because "with the reason" "was not repaired"
echo "0 0" >"$mock/mbox_fail"
repair "and is possible again" "done" ppr

same "without a service there is no worklist" 2 "$(cxl-spa repair >/dev/null 2>&1; echo $?)"
