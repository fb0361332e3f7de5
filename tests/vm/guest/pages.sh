# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Functions for the tests of the page policy, in addition to changes.sh: errors are injected into QEMU's devices, go through
# the kernel's trace events to the service, and the flags of the kernel are the witness of what it did.
# shellcheck source=/dev/null
. /lib/vm/changes.sh

# shellcheck disable=SC2034 # for the tests
CORRECTED=0 UNCORRECTABLE=1 THRESHOLD=2

# inject N DPA DESCRIPTOR [TIMES [TRANSACTION]]: DRAM records of the device 0xabcN; the transaction is a read by the host. QEMU has
# a log for each severity, and the kernel reads the one of corrected errors after the others.
inject() {
	local times=${4:-1} log=informational
	[ "$3" = "$CORRECTED" ] || log=failure
	while [ "$times" -gt 0 ]; do
		qmp cxl-inject-dram-event "\"path\": \"/machine/peripheral/dev$1\", \"log\": \"$log\", \"flags\": 1,
			\"dpa\": $(($2)), \"descriptor\": $3, \"type\": 0, \"transaction-type\": ${5:-1}, \"channel\": 1,
			\"rank\": 2, \"bank-group\": 3, \"bank\": 1, \"row\": $((($2) >> 16)), \"column\": $((($2) >> 6 & 1023))" || return 1
		times=$((times - 1))
	done
}

# two_way BASE POSITION DPA: the page frame in a region of two devices, 256 bytes each, whose first byte is DPA 0 of both.
two_way() {
	echo $((($1 + ($3) / 256 * 512 + $2 * 256 + ($3) % 256) / 4096))
}

# bad_frames DAX: the frames of its memory with bit 19, in one line.
bad_frames() {
	frames_with "$HWPOISON" "$1" 4096 | xargs
}

# is_bad PFN
is_bad() {
	[ "$(frame_has "$1" "$HWPOISON")" = 1 ]
}

# said TEXT: whether the service has written it; $log is its output.
said() {
	grep -qF -- "$1" "$log"
}
