# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# cxl-spa with firmware that does not answer, or gives wrong answers: what is given instead of an
# address, and the reason.
# shellcheck source=/dev/null
. /lib/vm/lib.sh
needs_program cxl-spa
# For a wedge see 30-wedge.sh. The faults do not depend on the rule.
case $VM_FAULT/$VM_RULE in
hold/* | unprogrammed/* | */permuted) exit 0 ;;
esac

devices=$RESULTS/devices.txt
cxl_devices >"$devices"
work=$RESULTS/spa-faults
mkdir -p "$work"
bdf=$(head -n 1 "$devices" | cut -d ' ' -f 2)
check "cxl_prm is loaded" load_cxl_prm

# right DPA: its SPA by the rule.
right() {
	echo "$bdf $1" | rule "$VM_RULE" spa "$devices" | cut -d ' ' -f 3
}

# gives NAME ANSWER TEXT [SPA]: checks cxl-spa's answer to DPA 0x4040, or to an SPA, and TEXT, if any,
# in its reason. ANSWER is "exact", "estimate" (the interleave block of the right SPA), "nothing", or,
# for an SPA, "unknown".
gives() {
	local name=$1 answer=$2 text=$3 file spa first last exact source
	file=$work/$(echo "$name" | tr -c 'a-z0-9\n' -).json
	shift 3
	[ $# -gt 0 ] || set -- "$bdf" 0x4040
	cxl-spa translate --json "$@" >"$file" 2>&1
	spa=$(right 0x4040)
	# shellcheck disable=SC2046 # five fields
	set -- $(fields spa spa_last exact source memdev <"$file")
	first=$1 last=$2 exact=$3 source=$4
	case $answer in
	estimate)
		check "cxl-spa, $name: the block of the right SPA" \
			is_estimate_of "$spa" "$first" "$last" "$exact" "$source"
		;;
	nothing) same "cxl-spa, $name: no SPA" "null null false null" "$first $last $exact $source" ;;
	unknown) same "cxl-spa, $name: no memory device" "false null" "$exact $5" ;;
	exact) same "cxl-spa, $name: the right SPA" "$spa $spa true prm" "$first $last $exact $source" ;;
	esac
	[ -z "$text" ] || contains "cxl-spa, $name: the reason" "$text" "$file"
}

# explains NAME TEXT
explains() {
	cxl-spa explain >"$work/explain-$1.txt" 2>&1
	contains "cxl-spa explain, $1" "$2" "$work/explain-$1.txt"
}

# in_interval FIRST LAST ADDRESS: also true when there is no interval.
in_interval() {
	[ "$1" = null ] || { [ $(($1)) -le $(($3)) ] && [ $(($2)) -ge $(($3)) ]; }
}

# no_wrong_answer RIGHT ANSWERS: exact answers are right, intervals contain the right address, and
# answers that are not exact have the reason that firmware's answer was rejected.
no_wrong_answer() {
	local exact
	fields exact serial dpa dpa_last spa spa_last reason <"$2" | paste -d ' ' "$1" - >"$2.both"
	[ -s "$2.both" ] && [ "$(wc -l <"$1")" = "$(wc -l <"$2.both")" ] || return
	while read -r right_serial right_dpa right_spa exact serial dpa dpa_last spa spa_last reason; do
		echo "$right_serial $right_dpa $right_spa: $exact $serial $dpa $spa $spa_last $reason"
		if [ "$exact" = true ]; then
			[ "$serial $dpa $spa" = "$right_serial $right_dpa $right_spa" ] || return
			continue
		fi
		[ "$dpa_last" != - ] || dpa_last=$dpa
		in_interval "$dpa" "$dpa_last" "$right_dpa" && in_interval "$spa" "$spa_last" "$right_spa" || return
		case $reason in
		*"is rejected"* | *"is in no CXL window"* | *"is outside its interleave block"*) ;;
		*"all of its answers for "*" are rejected"*) ;;
		*) return 1 ;;
		esac
	done <"$2.both"
}

# no_wrong_answers ORDER: translates two chunks of each device of a region; the order moves the first
# one to the SPA of the second. That firmware gives one SPA for two devices is detected when both are
# queried, and not by DPA, where one is queried alone.
no_wrong_answers() {
	local serial device from=$work/wrong-$1
	order "$1"
	head -n 2 "$devices" | while read -r serial device _; do
		printf "$device %s\n" 0x4040 0x4140 | rule "$VM_RULE" spa "$devices" >"$work/two"
		sed "s/^[^ ]*/$serial/" "$work/two" >>"$from.right"
		cut -d ' ' -f 2 "$work/two" | cxl-spa translate --json "$device" - >>"$from.by-dpa"
		cut -d ' ' -f 3 "$work/two" | cxl-spa translate --json - >>"$from.by-spa"
	done
	[ "$1" = shared ] ||
		check "cxl-spa, $1: no wrong SPA" no_wrong_answer "$from.right" "$from.by-dpa"
	check "cxl-spa, $1: no wrong DPA" no_wrong_answer "$from.right" "$from.by-spa"
}

case $VM_FAULT in
no-handler)
	text="firmware has no PRM handler that translates DPA to SPA"
	gives "no handler" nothing "$text"
	explains no-handler "$text"
	contains "cxl-spa explain, no-handler: also from the PRMT" \
		"the ACPI table PRMT names no handler EE41B397-25D4-452C-AD54-48C6E3480B94" \
		"$work/explain-no-handler.txt"
	exit 0
	;;
no-execute)
	text="EFI runtime services are switched off until the next boot"
	gives "EFI off" nothing "$text"
	explains EFI-off "$text"
	exit 0
	;;
esac

# With a region, its interleave block is known without firmware. Without one, it is derived from
# firmware's answers for other addresses, unless those are wrong, too.
case $VM_SERIES in
6.12) block=nothing set="are not the ends of an interleave set" ;;
*) block=estimate set="is outside its interleave block" ;;
esac

order error-page
gives "error page" estimate "the PRM handler failed for this address (EFI_DEVICE_ERROR)"
gives "error page, by SPA" unknown "the PRM handler failed for this address (EFI_DEVICE_ERROR)" \
	"$(right 0x4040)"
order low-bits
gives "other low bits" "$block" "the low 8 bits of DPA and SPA differ"
explains low-bits "the low 8 bits of DPA and SPA differ"
order outside
gives "outside" "$block" "is in no CXL window"
gives "outside, by SPA" unknown "is in no CXL window" "$(right 0x4040)"
explains outside "is in no CXL window"
order other-block
gives "other block" "$block" "$set"
explains other-block "$set"
order shared
gives "shared, by SPA" unknown "is rejected: firmware gave the same SPA for DPA" "$(right 0x4040)"
explains shared "firmware gave the same SPA for DPA"
for word in low-bits outside other-block shared; do
	no_wrong_answers $word
done

order slow
gives "slow" exact ""
explains slow "firmware's PRM handler is slow"
order hold
gives "held" "$block" "slow: firmware's PRM handler did not answer in time"
order none
gives "after all faults" exact ""

# One call per second is not enough for 40 queries: cxl-spa waits, but with a limit.
if [ "$VM_SERIES" = 7.x ]; then
	rmmod cxl_prm
	check "cxl_prm loads with a low rate" load_cxl_prm rate=1 burst=1
	before=$(cut -d . -f 1 /proc/uptime)
	seq 1 40 | while read -r n; do printf '0x%x\n' $((n * 4096)); done |
		cxl-spa translate --json "$bdf" - >"$work/limited.json"
	took=$(($(cut -d . -f 1 /proc/uptime) - before))
	check "cxl-spa, rate limited: it waits for 30 s in all ($took s)" [ $took -ge 28 ]
	exact=$(fields exact source <"$work/limited.json" | grep -c "true prm")
	# The burst, and one a second.
	check "cxl-spa, rate limited: $exact of 40 are exact" sh -c "[ $exact -ge 1 ] && [ $exact -le $((took + 2)) ]"
	same "cxl-spa, rate limited: the others are intervals" $((40 - exact)) \
		"$(fields exact source <"$work/limited.json" | grep -c "false estimate")"
	same "cxl-spa, rate limited: the reason" $((40 - exact)) \
		"$(grep -c '"reason": "rate limited' "$work/limited.json")"
fi
