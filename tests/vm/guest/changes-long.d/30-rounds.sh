# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# 50 regions one after the other, of all kinds, while other programs read.
# shellcheck source=/dev/null
. /lib/vm/changes.sh
needs_program cxl-spa

work=$RESULTS/rounds
mkdir -p "$work"
: >"$work/reading"

# reader NAME COMMAND...: reads while $work/reading exists, and writes how often that succeeded and failed.
reader() {
	local name=$1 good=0 bad=0
	shift
	while [ -e "$work/reading" ]; do
		if "$@" >"$work/$name.last" 2>"$work/$name.error"; then
			good=$((good + 1))
		else
			bad=$((bad + 1))
			cp "$work/$name.error" "$work/$name.bad"
		fi
	done
	echo "$good $bad" >"$work/$name"
}

reader spa cxl-spa list --json &
spa=$!
reader cxl cxl list -RDT &
cxl=$!

round=0
failed=
while [ $round -lt 50 ]; do
	case $((round % 6)) in
	0) mode=ram ways=1 ;;
	1) mode=pmem ways=2 ;;
	2) mode=ram ways=4 ;;
	3) mode=pmem ways=1 ;;
	4) mode=ram ways=2 ;;
	5) mode=pmem ways=4 ;;
	esac
	: >"$work/destroyed"
	# shellcheck disable=SC2046 # names have no blanks
	if ! region=$(create "$(window_of "$ways")" "$mode" "$ways" $(members "$ways")) ||
		! destroy "$region" >"$work/destroyed" 2>&1; then
		failed="$failed; round $round, $mode, $ways: $region $(cat "$work/destroyed")"
	fi
	round=$((round + 1))
done
same "50 regions were created and destroyed" "" "$failed"
nothing "nothing of them is left"

rm "$work/reading"
wait $spa
wait $cxl
for name in spa cxl; do
	read -r good bad <"$work/$name"
	check "$name read $good times" test "$good" -gt 5
	same "and always could" 0 "$bad"
done
same "the kernel has no complaint" "" "$(dmesg | grep -E 'BUG|WARNING|Call Trace|refcount' | head -n 1)"
