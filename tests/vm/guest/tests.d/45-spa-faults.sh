# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# cxl-spa with firmware that does not answer, or answers wrong: what it says instead of an
# address, and why.
# shellcheck source=/dev/null
. /lib/vm/lib.sh
needs_program cxl-spa
# A wedge is 30-wedge.sh's. What goes wrong does not depend on the rule.
case $VM_FAULT/$VM_RULE in
hold/* | unprogrammed/* | */permuted) exit 0 ;;
esac

devices=$RESULTS/devices.txt
cxl_devices >"$devices"
work=$RESULTS/spa-faults
mkdir -p "$work"
bdf=$(head -n 1 "$devices" | cut -d ' ' -f 2)
check "cxl_prm is there" load_cxl_prm

# right DPA: where the rule has it.
right() {
	echo "$bdf $1" | rule "$VM_RULE" spa "$devices" | cut -d ' ' -f 3
}

# gives NAME ANSWER TEXT [SPA]: what cxl-spa answers to DPA 0x4040, or to an SPA, and TEXT, if any,
# in its reason. ANSWER is "exact", "estimate" (the interleave block of the right SPA), "nothing", or,
# for an SPA, "unknown".
gives() {
	local name=$1 answer=$2 text=$3 file spa first last exact source
	file=$work/$(echo "$name" | tr -c 'a-z0-9\n' -).json
	shift 3
	[ $# -gt 0 ] || set -- "$bdf" 0x4040
	cxl-spa translate --json "$@" >"$file" 2>&1
	spa=$(right 0x4040)
	# shellcheck disable=SC2046 # five words
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
	[ -z "$text" ] || says "cxl-spa, $name: the reason" "$text" "$file"
}

# explains NAME TEXT
explains() {
	cxl-spa explain >"$work/explain-$1.txt" 2>&1
	says "cxl-spa explain, $1" "$2" "$work/explain-$1.txt"
}

# holds FIRST LAST ADDRESS: no address is nothing wrong.
holds() {
	[ "$1" = null ] || { [ $(($1)) -le $(($3)) ] && [ $(($2)) -ge $(($3)) ]; }
}

# no_lie RIGHT ANSWERS: what is exact is right, an interval holds what is right, and who gets nothing
# exact gets the reason that firmware's answer was rejected.
no_lie() {
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
		holds "$dpa" "$dpa_last" "$right_dpa" && holds "$spa" "$spa_last" "$right_spa" || return
		case $reason in
		*"is rejected"* | *"is in no CXL window"* | *"is outside its interleave block"*) ;;
		*"all of its answers for "*" are rejected"*) ;;
		*) return 1 ;;
		esac
	done <"$2.both"
}

# honest ORDER: asks for two chunks of each device of a region, of which one lies where the order
# moves the other to. Firmware that says the same of two devices is found out when both are asked: by
# DPA, one is asked alone.
honest() {
	local serial device from=$work/honest-$1
	order "$1"
	head -n 2 "$devices" | while read -r serial device _; do
		printf "$device %s\n" 0x4040 0x4140 | rule "$VM_RULE" spa "$devices" >"$work/two"
		sed "s/^[^ ]*/$serial/" "$work/two" >>"$from.right"
		cut -d ' ' -f 2 "$work/two" | cxl-spa translate --json "$device" - >>"$from.by-dpa"
		cut -d ' ' -f 3 "$work/two" | cxl-spa translate --json - >>"$from.by-spa"
	done
	[ "$1" = shared ] ||
		check "cxl-spa, $1: no SPA that firmware made up" no_lie "$from.right" "$from.by-dpa"
	check "cxl-spa, $1: no DPA that firmware made up" no_lie "$from.right" "$from.by-spa"
}

case $VM_FAULT in
no-handler)
	text="firmware has no PRM handler that translates DPA to SPA"
	gives "no handler" nothing "$text"
	explains no-handler "$text"
	says "cxl-spa explain, no-handler: from the PRMT, too" \
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

# Where there is a region, its interleave block is known without firmware. Without one, firmware's
# answers for other addresses show it, unless those are wrong, too.
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
	honest $word
done

order slow
gives "slow" exact ""
explains slow "firmware's PRM handler is slow"
order hold
gives "held" "$block" "slow: firmware's PRM handler did not answer in time"
order none
gives "after all that" exact ""

# One call a second is not enough for forty questions: cxl-spa waits, but not for ever.
if [ "$VM_SERIES" = 7.x ]; then
	rmmod cxl_prm
	check "cxl_prm loads with a low rate" load_cxl_prm rate=1 burst=1
	before=$(cut -d . -f 1 /proc/uptime)
	seq 1 40 | while read -r n; do printf '0x%x\n' $((n * 4096)); done |
		cxl-spa translate --json "$bdf" - >"$work/limited.json"
	took=$(($(cut -d . -f 1 /proc/uptime) - before))
	check "cxl-spa, rate limited: it waits for 30 s in all ($took s)" \
		sh -c "[ $took -ge 28 ] && [ $took -le 40 ]"
	exact=$(fields exact source <"$work/limited.json" | grep -c "true prm")
	check "cxl-spa, rate limited: $exact of 40 are exact" sh -c "[ $exact -ge 25 ] && [ $exact -le 38 ]"
	same "cxl-spa, rate limited: the others are intervals" $((40 - exact)) \
		"$(fields exact source <"$work/limited.json" | grep -c "false estimate")"
	same "cxl-spa, rate limited: the reason" $((40 - exact)) \
		"$(grep -c '"reason": "rate limited' "$work/limited.json")"
fi
