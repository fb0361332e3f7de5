# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# verify --inject on regions with plain addressing: QEMU's devices write zeros to the DPA, and the memory is looked
# at through the dax device. A device that clears another DPA is found; a region that is used is refused.
# shellcheck source=/dev/null
. /lib/vm/changes.sh
needs_program cxl-spa
needs_program jq
needs_program memory_user
needs_program fail_write.so

work=$RESULTS/verify
mkdir -p "$work"

# prove NAME STATUS FILE [OPTION...]: of $region, into FILE.json and FILE.err.
prove() {
	local name=$1 wanted=$2 file=$work/$3 status=0
	shift 3
	cxl-spa verify --inject "$region" --json "$@" >"$file.json" 2>"$file.err" || status=$?
	same "$name: its exit status" "$wanted" "$status"
}

# of FILE FILTER
of() {
	jq -r "$2" "$work/$1.json"
}

# A region that is used, in each way.
# shellcheck disable=SC2046 # names have no blanks
region=$(create "$(window_of 2)" ram 2 $(members 2))
dax_of "$region"
prove "without --force" 2 unforced
contains "it says what would be lost" "destroys the content of $region (1 GiB)" "$work/unforced.err"
prove "system RAM" 1 ram --force
contains "system RAM is named" "$dax is system RAM" "$work/ram.err"
same "the report says so" "false true" "$(of ram '"\(.as_expected) \(.refused | contains("system RAM"))"')"
check "it is taken away" cxl-spa offline --devdax "$region"
for use in open map; do
	memory_user $use "/dev/$dax" >/tmp/$use &
	user=$!
	check "$use: a process uses the device" wait_for grep -q ready /tmp/$use
	prove "$use" 1 $use --force
	contains "$use: the process is named" "process $user (memory_user) has $dax open or mapped" "$work/$use.err"
	kill $user
	wait $user
done

# right WAYS: what a region with these ways has to be like.
right() {
	same "$1-way: as expected, by the machine" "true machine machine /dev/$dax" \
		"$(of "right$1" '"\(.as_expected) \(.memory) \(.devices) \(.dax)"')"
	same "$1-way: each line is right" "true 0 0 0" \
		"$(of "right$1" '.markers | "\(.right == .tried and .tried > 100) \(.wrong) \(.failed) \(.disturbed)"')"
	same "$1-way: by arithmetic alone" decoder "$(of "right$1" '[.translations.sources[].source] | join(",")')"
	same "$1-way: round trips" "32 32" \
		"$(of "right$1" '.round_trip_only.trips | "\(length) \(map(select(.right)) | length)"')"
	same "$1-way: Linux agrees where it has an hpa" 0 \
		"$(of "right$1" '[.round_trip_only.trips[] | select(.record_hpa and .record_hpa != .spa)] | length')"
	same "$1-way: the kernel is named" "$(uname -r)" "$(of "right$1" .host.kernel)"
	check "$1-way: the trace instance is gone" test ! -e /sys/kernel/tracing/instances/cxl-spa-verify
}

prove "2-way" 0 right2 --force --samples 16 --seed 0x5eed
right 2
cxl-spa verify --inject "$region" --force --samples 1 >"$work/right2.txt"
contains "as text" "result: all as expected" "$work/right2.txt"
contains "as text, the weaker check" "round trip only: 32 of 32 right" "$work/right2.txt"

# A device whose rule is another one: the bit of the address, not of the DPA.
for flip in 0x40:6 0x100:9 0x10000:17; do
	(
		export FLIP_CLEAR=${flip%:*} LD_PRELOAD=/usr/bin/fail_write.so
		prove "another DPA, $FLIP_CLEAR" 1 "flip$FLIP_CLEAR" --force --samples 1
	)
	same "another DPA, ${flip%:*}: bit ${flip#*:} is named, in all lines" "${flip#*:} true" \
		"$(of "flip${flip%:*}" '.markers | "\(.bits | map(.first_differing_bit) | join(",")) \(.bits[0].lines == .tried)"')"
done
check "the region is destroyed" destroy "$region"

# shellcheck disable=SC2046
region=$(create "$(window_of 4)" ram 4 $(members 4))
dax_of "$region"
check "the region of four devices is taken away" cxl-spa offline --devdax "$region"
prove "4-way" 0 right4 --force --samples 16
right 4
check "its memory can be used again" cxl-spa online "$region"
prove "online" 1 online --force
contains "online memory is refused" "is system RAM" "$work/online.err"
check "offline again" cxl-spa offline --devdax "$region"
check "it is destroyed" destroy "$region"

# Persistent memory.
# shellcheck disable=SC2046
region=$(create "$(window_of 2)" pmem 2 $(members 2))
prove "persistent" 1 pmem --force
contains "persistent memory is refused" "is not volatile" "$work/pmem.err"
check "and destroyed" destroy "$region"
nothing "nothing is left"
