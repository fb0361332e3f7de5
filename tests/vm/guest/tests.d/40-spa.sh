# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# cxl-spa with a handler that answers: each address by the firmware's rule, in both directions.
# shellcheck source=/dev/null
. /lib/vm/lib.sh
needs_program cxl-spa
[ "$VM_FAULT" = none ] || exit 0

devices=$RESULTS/devices.txt
cxl_devices >"$devices"
work=$RESULTS/spa
mkdir -p "$work"

# by_dpa QUERIES: "BDF DPA SPA LAST EXACT SOURCE" for lines "BDF DPA", with one cxl-spa for each device.
by_dpa() {
	local bdf
	for bdf in $(cut -d ' ' -f 1 "$1" | sort -u); do
		grep "^$bdf " "$1" | cut -d ' ' -f 2 | cxl-spa translate --json "$bdf" - |
			fields dpa spa spa_last exact source | sed "s/^/$bdf /"
	done
}

# by_spa QUERIES: "BDF DPA SPA EXACT SOURCE" for lines "BDF DPA SPA", by their SPA.
by_spa() {
	cut -d ' ' -f 3 "$1" | cxl-spa translate --json - | fields serial dpa spa exact source |
		awk 'NR == FNR { bdf[$1] = $2; next } { $1 = bdf[$1]; print }' "$devices" -
}

# right_answers QUERIES: those of the rule, in the order of by_dpa.
right_answers() {
	sort -s -k 1,1 "$1" | rule "$VM_RULE" spa "$devices"
}

# translates NAME QUERIES
translates() {
	right_answers "$2" >"$2.right"
	by_dpa "$2" >"$2.actual"
	awk '{ print $1, $2, $3, $3, "true", "prm" }' "$2.right" >"$2.expected"
	check "cxl-spa: $1 translate by the firmware's rule" same_lines "$2.expected" "$2.actual"
	by_spa "$2.right" >"$2.back"
	sed 's/$/ true prm/' "$2.right" >"$2.expected"
	check "cxl-spa: $1 translate back from their SPA" same_lines "$2.expected" "$2.back"
}

# contain_right RIGHT ACTUAL: each answer is an interval of one interleave block that contains the right
# SPA.
contain_right() {
	paste -d ' ' "$1" "$2" >"$2.both"
	while read -r device dpa spa _ _ first last exact source; do
		is_estimate_of "$spa" "$first" "$last" "$exact" "$source" && continue
		echo "$device $dpa is at $spa, not: $first $last $exact $source"
		return 1
	done <"$2.both"
	[ -s "$2.both" ]
}

on_processors 1
rule boundaries "$devices" >"$work/boundaries"
rule random 10000 3 "$devices" >"$work/random"
bdf=$(head -n 1 "$devices" | cut -d ' ' -f 2)

# Without the module, only the kernel's regions are known.
rmmod cxl_prm
right_answers "$work/boundaries" >"$work/boundaries.right"
by_dpa "$work/boundaries" >"$work/unloaded"
cxl-spa translate --json "$bdf" 0x3040 >"$work/unloaded.json"
contains "cxl-spa: the reason is that the module is not loaded" \
	"the kernel module cxl_prm is not loaded" "$work/unloaded.json"
cxl-spa explain >"$work/unloaded.explain"
contains "cxl-spa explain has the same reason" "the kernel module cxl_prm is not loaded" "$work/unloaded.explain"
if [ "$VM_SERIES" = 6.12 ]; then
	same "cxl-spa: without module and region there is no SPA" "null null false null" \
		"$(cut -d ' ' -f 3- "$work/unloaded" | sort -u)"
else
	check "cxl-spa: without the module, intervals that contain the right SPA" \
		contain_right "$work/boundaries.right" "$work/unloaded"
fi

# Faster than the default: the rate limit is not tested here.
check "cxl_prm loads with a rate" load_cxl_prm rate=1000000 burst=1000000
translates "boundaries" "$work/boundaries"
translates "10,000 random addresses" "$work/random"
cxl-spa translate --json "$bdf" 0x3040 >"$work/one.json"
base=$(head -n 1 "$devices" | cut -d ' ' -f 3)
same "cxl-spa: the window has a name" \
	"$(grep -l "$base" /sys/bus/cxl/devices/root0/decoder*/start | sed 's,.*/\(.*\)/start,\1,')" \
	"$(fields window <"$work/one.json")"

cxl-spa list --json >"$work/list.json"
sed -n '/"name": "region/,/"granularity"/p' "$work/list.json" |
	sed -n 's/.*"\(start\|size\|ways\|granularity\)": "\{0,1\}\([^",]*\).*/\2/p' |
	xargs -n 4 | sort >"$work/regions"
case $VM_SERIES in
6.12)
	geometry=firmware
	same "cxl-spa list: there is no region" "" "$(cat "$work/regions")"
	;;
*)
	geometry=region
	same "cxl-spa list: regions as the firmware interleaves" "0x210000000 536870912 2 256
0x310000000 536870912 2 256" "$(cat "$work/regions")"
	;;
esac

cxl-spa verify --json --samples 250 >"$work/verify.json"
status=$?
fields geometry ways granularity sampled answered in_block <"$work/verify.json" >"$work/verify"
same "cxl-spa verify: all samples are in their interleave blocks" \
	"4 $geometry 2 256 250 250 250" "$(sort "$work/verify" | uniq -c | xargs)"
same "cxl-spa verify: firmware gives the same answers a second time" "4 250 0" \
	"$(fields repeated changed <"$work/verify.json" | sort | uniq -c | xargs)"
agree=$(fields agree <"$work/verify.json" | xargs)
case $VM_RULE in
plain)
	same "cxl-spa verify: ways and granularity describe firmware's mapping" \
		"0: 250 250 250 250" "$status: $agree"
	;;
permuted)
	same "cxl-spa verify ends with 1" 1 $status
	for n in $agree; do
		check "cxl-spa verify: ways and granularity do not describe it, $n of 250 agree" \
			sh -c "[ $n -gt 75 ] && [ $n -lt 175 ]"
	done
	;;
esac

# Firmware's answers against the rule that it should have, by a model of the devices: QEMU does not route this
# memory. The other rule is found, with the bit that is wrong.
# model MASKS SERIALS BASE: the rules of two devices.
model() {
	local masks=$1 base=$3 position=0 separator='['
	for serial in $2; do
		printf '%s{"serial": "%s", "base": "%s", "ways": 2, "granularity": 256, "position": %s%s}' "$separator" \
			"$serial" "$base" $position "$masks"
		position=1 separator=,
	done
	echo ']'
}
if [ "$VM_SERIES" != 6.12 ]; then
	region=$(basename "$(dirname "$(grep -lx 0x210000000 /sys/bus/cxl/devices/region*/resource)")")
	masks=', "position_masks": ["0xfffffffffffffffe"]'
	model "" "0xabc0 0xabc1" 0x210000000 >"$work/plain.json"
	model "$masks" "0xabc0 0xabc1" 0x210000000 >"$work/permuted.json"
	for rule in plain permuted; do
		expected=0
		[ "$rule" = "$VM_RULE" ] || expected=1
		status=0
		cxl-spa verify --inject "$region" --model "$work/$rule.json" --samples 200 --json >"$work/inject-$rule.json" \
			2>"$work/inject-$rule.err" || status=$?
		same "cxl-spa verify --inject: a model with the rule $rule" $expected $status
		same "cxl-spa verify --inject: the answers are firmware's, the devices a model" "prm model model" \
			"$(jq -r '([.translations.sources[].source] | join(",")) + " " + .memory + " " + .devices' "$work/inject-$rule.json")"
		same "cxl-spa verify --inject: all have an exact answer" true \
			"$(jq '.translations.exact == .translations.samples' "$work/inject-$rule.json")"
		if [ $expected = 0 ]; then
			same "cxl-spa verify --inject: all lines are right" true \
				"$(jq '.markers | .right == .tried and .tried > 500' "$work/inject-$rule.json")"
		else
			same "cxl-spa verify --inject: bit 8 of the wrong ones is named" "8 true" \
				"$(jq -r '.markers | "\(.bits | map(.first_differing_bit) | join(",")) \(.bits[0].lines == .wrong and .wrong > 100)"' \
					"$work/inject-$rule.json")"
		fi
	done
fi

cxl-spa explain >"$work/ready.explain"
contains "cxl-spa explain: the handler answers" \
	"firmware's PRM handler answers through /dev/cxl_prm" "$work/ready.explain"
same "cxl-spa explain: firmware translates all DPAs" "DPAs are translated by: prm" \
	"$(sed -n 's/^ *\(DPAs are translated by\|problem: DPAs\|problem: no SPA\)/\1/p' \
		"$work/ready.explain" | sort -u)"

# A capture must give the answers of firmware.
archive=/tmp/capture.tar.zst
if cxl-spa capture "$archive" >"$work/capture.txt" 2>&1; then
	ok "cxl-spa capture"
	zstd -q -d -c "$archive" | tar -xO prm/pairs.txt >"$work/pairs.txt" 2>"$work/tar.txt"
	sed -n 's/^\([0-9a-f:.]*\) dpa 0 /\1 dpa 0x0 /
		s/^\([0-9a-f:.]*\) dpa \(.*\) -> spa \(.*\)$/\1 \2 \3/p' "$work/pairs.txt" >"$work/pairs"
	cut -d ' ' -f 1,2 "$work/pairs" | rule "$VM_RULE" spa "$devices" >"$work/pairs.right"
	check "cxl-spa capture: $(wc -l <"$work/pairs") recorded pairs agree with the rule" \
		same_lines "$work/pairs.right" "$work/pairs"
	same "cxl-spa capture: pairs of four devices" 4 "$(cut -d ' ' -f 1 "$work/pairs" | sort -u | wc -l)"
	grep -E ' 0x(0|[1248]0*)$' "$work/boundaries" >"$work/powers"
	right_answers "$work/powers" | sed 's/$/ true recorded/' >"$work/powers.right"
	for one in $(cut -d ' ' -f 2 "$devices" | sort); do
		grep "^$one " "$work/powers" | cut -d ' ' -f 2 |
			cxl-spa --host "$archive" translate --json "$one" - |
			fields dpa spa exact source | sed "s/^/$one /"
	done >"$work/powers.recorded" 2>"$work/recorded.txt"
	check "cxl-spa --host: the capture answers as firmware did" \
		same_lines "$work/powers.right" "$work/powers.recorded"
else
	not_ok "cxl-spa capture" "$(tail -n 3 "$work/capture.txt")"
fi
on_processors 3
