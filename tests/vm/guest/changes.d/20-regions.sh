# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Regions as cxl makes them: the same devices, one after the other by both programs, look alike to cxl list
# and in sysfs, and each program destroys what the other one made.
# shellcheck source=/dev/null
. /lib/vm/changes.sh
needs_program cxl-spa
needs_program jq

work=$RESULTS/regions
mkdir -p "$work"

# look FILE: the host with this region, in the words of cxl list and of sysfs. UUIDs are made by chance, and a
# region may get another number.
look() {
	cxl list -vv 2>/dev/null | sed -E 's/region[0-9]+/region/g; /"uuid":/d' |
		jq -S 'walk(if type == "array" then sort_by(tojson) else . end)' >"$1"
	(
		cd /sys/bus/cxl/devices || exit
		grep -s . decoder[1-9]*/* region*/* | grep -vE '/(uuid|uevent):' | sed -E 's/region[0-9]+/region/g'
	) >>"$1"
}

# is_up REGION MODE WAYS MEMDEV...: what sysfs has of a region that was made as wanted.
is_up() {
	local directory=/sys/bus/cxl/devices/$1 position=0 decoder endpoint mode=$2 ways=$3
	shift 3
	same "$mode, $ways: it is committed and enabled" "1 cxl_region" \
		"$(cat "$directory/commit") $(basename "$(readlink "$directory/driver")")"
	same "$mode, $ways: its values" "$mode $ways 256 $(printf '0x%x' $((ways * SHARE)))" \
		"$(cat "$directory/mode" "$directory/interleave_ways" "$directory/interleave_granularity" "$directory/size" | xargs)"
	for memdev in "$@"; do
		decoder=$(cat "$directory/target$position")
		endpoint=$(basename "$(dirname "$(readlink -f "/sys/bus/cxl/devices/$decoder")")")
		same "$mode, $ways: the device at position $position" "$memdev" \
			"$(basename "$(readlink -f "/sys/bus/cxl/devices/$endpoint/uport")")"
		position=$((position + 1))
	done
}

# both MODE WAYS
both() {
	local mode=$1 ways=$2 region window
	window=$(window_of "$ways")
	# shellcheck disable=SC2046 # names have no blanks
	region=$(create "$window" "$mode" "$ways" $(members "$ways"))
	# shellcheck disable=SC2046
	is_up "$region" "$mode" "$ways" $(members "$ways")
	[ "$mode" = ram ] || check "$mode, $ways: it has a UUID" test "$(wc -c <"/sys/bus/cxl/devices/$region/uuid")" -eq 37
	look "$work/ours"
	check "$mode, $ways: cxl destroys ours" cxl_destroy "$region"
	nothing "$mode, $ways: nothing of it is left"
	# shellcheck disable=SC2046
	region=$(cxl_create "$window" "$mode" "$ways" $(members "$ways"))
	look "$work/cxl"
	check "$mode, $ways: it looks like one of cxl" same_lines "$work/cxl" "$work/ours"
	check "$mode, $ways: we destroy that of cxl" destroy "$region"
	nothing "$mode, $ways: and nothing of that is left"
}

for mode in ram pmem; do
	for ways in 1 2 4; do
		both $mode $ways
	done
done

# refused NAME TEXT COMMAND...: exit status 1 with this text.
refused() {
	local name=$1 text=$2
	shift 2
	"$@" >"$work/refused" 2>&1
	same "$name is refused" 1 $?
	contains "$name: the reason" "$text" "$work/refused"
}

# Devices that are not given are chosen.
region=$(cxl-spa region create "$(window both)" --mode ram | sed -n '1s/[ :].*//p')
same "as many devices as there are" 4 "$(cat "/sys/bus/cxl/devices/$region/interleave_ways")"
refused "a second region of the same memory" "free" create "$(window both)" ram 4
other=$(create "$(window both)" pmem 4)
same "one of the other kind is made beside it" 4 "$(cat "/sys/bus/cxl/devices/$other/interleave_ways")"
refused "destroying the one that has to be destroyed last" "destroy that first" destroy "$region"
check "they are destroyed in the other order" destroy "$other"
check "and the last one" destroy "$region"
nothing "both are destroyed"

# shellcheck disable=SC2046 # names have no blanks
refused "an order that cannot be routed" "position" create "$(window both)" ram 4 $(memdevs 0 1 2 3)
# shellcheck disable=SC2046
refused "a device twice" "$(memdev 0)" create "$(window first)" ram 2 $(memdevs 0 0)
# shellcheck disable=SC2046
refused "a device of another bridge" "$(memdev 3)" create "$(window first)" ram 2 $(memdevs 0 3)
refused "a size that is not a multiple" "256 MiB" cxl-spa region create "$(window first)" --mode ram --size 100M
refused "a size that the devices do not have" "free" cxl-spa region create "$(window first)" --mode ram --size 4G
nothing "nothing was changed by these"

# Addresses in use: another /proc/iomem shows System RAM around a window, or nothing.
in_use=$(cat "/sys/bus/cxl/devices/$(window first)/start")
awk -v first="${in_use#0x}" 'index($1, first "-") == 1 && /CXL Window/ { print $1 " : System RAM"; print "  " $0; next } { print }' \
	/proc/iomem >"$work/around"
check "a window that System RAM is around" grep -q "^${in_use#0x}-.* : System RAM" "$work/around"
sed 's/^\( *\)[0-9a-f]*-[0-9a-f]*/\100000000-00000000/' /proc/iomem >"$work/zeros"
mount --bind "$work/around" /proc/iomem
# shellcheck disable=SC2046 # names have no blanks
refused "a region where Linux has memory" "in use as System RAM" create "$(window first)" ram 2 $(memdevs 0 1)
refused "a plan for it" "in use as System RAM" cxl-spa region plan "$(window first)"
umount /proc/iomem
mount --bind "$work/zeros" /proc/iomem
# shellcheck disable=SC2046
refused "a region whose addresses may be in use" "in use is not known" create "$(window first)" ram 2 $(memdevs 0 1)
check "its plan" sh -c "cxl-spa region plan $(window first) >$work/plan"
contains "the plan says so" "in use is not known" "$work/plan"
umount /proc/iomem
nothing "nothing was changed where addresses are in use"
check "an ordinary user plans" sh -c \
	"/usr/bin/setpriv --reuid=65534 --regid=65534 --clear-groups cxl-spa region plan $(window first) >$work/plan"
contains "without knowing the users" "in use is not known" "$work/plan"
# shellcheck disable=SC2046
region=$(create "$(window first)" ram 2 $(memdevs 0 1))
check "root makes that region" destroy "$region"
nothing "and it is destroyed"
