# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# 50 regions through cxl-redfishd, one after the other, of all kinds, while other clients read; the time that
# these wait, with the changes and without. Then 50 that are also used.
# shellcheck source=/dev/null
. /lib/vm/changes.sh
needs_redfish

work=$RESULTS/redfish-rounds
mkdir -p "$work"
start_redfishd /run/redfish "$work/log" --allow=regions,memory

# reader NAME URI: reads until $work/reading is away, 20 requests of a connection each time; $work/NAME gets the
# status and the time of each in s.
reader() {
	local name=$1 uri=$2
	: >"$work/$name"
	while [ -e "$work/reading" ]; do
		curl -s --max-time 60 --unix-socket /run/redfish -o /dev/null \
			-w '%{http_code} %{time_total}\n' "http://localhost$uri?n=[1-20]" >>"$work/$name"
	done
}

# readers PHASE COMMAND...: runs the command while two clients read.
readers() {
	local phase=$1 chunks memory
	shift
	: >"$work/reading"
	reader "$phase-chunks" "$(chunks "$(window first)")" &
	chunks=$!
	reader "$phase-memory" "$(memory_of 0)" &
	memory=$!
	"$@"
	rm "$work/reading"
	wait $chunks
	wait $memory
}

# percentile_99 PHASE: in microseconds.
percentile_99() {
	local n
	n=$(cat "$work/$1"-* | wc -l)
	cat "$work/$1"-* | awk '{ printf "%d\n", $2 * 1000000 }' | sort -n | sed -n "$((n - n / 100))p"
}

# set_round N: what region is made in round N.
set_round() {
	case $(($1 % 6)) in
	0) type=Volatile ways=1 ;;
	1) type=PMEM ways=2 ;;
	2) type=Volatile ways=4 ;;
	3) type=PMEM ways=1 ;;
	4) type=Volatile ways=2 ;;
	5) type=PMEM ways=4 ;;
	esac
	window=$(window_of "$ways")
	# shellcheck disable=SC2046 # names have no blanks
	region=$(body_of "$type" $((ways * 512)) $(positions "$ways"))
}

# without_changes N: the programs that N rounds run, which ask twice for each change, but only read: the start of a
# client takes the processor from the readers for longer than a change does.
without_changes() {
	local round=0
	while [ $round -lt $((2 * $1)) ]; do
		set_round $((round / 2))
		ask GET "$(chunks "$window")" >/dev/null
		header ETag >/dev/null
		finish "$(ask GET "$(chunks "$window")" -H 'Accept: application/json')" >/dev/null
		sleep 0.3
		round=$((round + 1))
	done
}

# expect STATUS STATUS WHAT: the one that came, and the one that is wanted.
expect() {
	[ "$1" = "$2" ] || failed="$failed; round $round, $type, $ways: $3: $1 $(head -c 300 "$work/body")"
}

# rounds N [used]: regions that are made and taken down; volatile ones that are used are online in between.
rounds() {
	local round=0 uri status state
	while [ $round -lt "$1" ]; do
		set_round $round
		status=$(change POST "$(chunks "$window")" "$region")
		uri=$(header Location)
		expect "$status" 201 POST
		if [ "${2:-}" = used ] && [ "$type" = Volatile ] && [ "$status" = 201 ]; then
			for state in Online Offline; do
				expect "$(change PATCH "$uri" "{\"RequestedOperationalState\": \"$state\"}")" 200 $state
			done
		fi
		expect "$(change DELETE "$(chunk "$window" "$(regions)")")" 204 DELETE
		round=$((round + 1))
	done
}

failed=
readers without without_changes 25
readers with rounds 50
same "50 regions were created and destroyed" "" "$failed"
nothing "nothing of them is left"
failed=
readers used rounds 50 used
same "50 regions were created, used and destroyed" "" "$failed"
nothing "nothing of these is left"
for phase in without with used; do
	check "they read $(cat "$work/$phase"-* | wc -l) times: $phase" \
		test "$(cat "$work/$phase"-* | wc -l)" -gt 200
	same "always with success: $phase" 0 "$(cat "$work/$phase"-* | grep -cv '^200 ')"
done
without=$(percentile_99 without)
with=$(percentile_99 with)
figure "p99 of readers without changes, in us" "$without"
figure "p99 of readers while regions are made and taken down, in us" "$with"
figure "p99 of readers while their memory is also brought online, in us" "$(percentile_99 used)"
check "readers wait at most twice as long while regions are made: $with us, $without us without" \
	test "$with" -le $((2 * without))
same "the kernel has no complaint" "" "$(dmesg | grep -E 'BUG: (kernel|unable|KASAN)|WARNING: CPU|refcount_t|Oops' | head -n 1)"
stop_redfishd /run/redfish
