# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# The memory of a region in all its states, and whether it can be released: what is predicted is what
# happens. The zone of the kernel is in 95-memory-kernel.sh.
# shellcheck source=/dev/null
. /lib/vm/changes.sh
needs_program cxl-spa
needs_program jq
needs_program run_change

size=$SHARE
check "a region is created" cxl create-region -m -t ram -d "$(window first)" -w 1 -s "$size" "$(memdev 0)"
region=$(regions)
dax_of "$region"
node=$(cat "/sys/bus/dax/devices/$dax/target_node")
n=$((size / $(block_size)))

same "kmem gets the dax device by itself" kmem "$(driver_of "$dax")"
same "nothing is online" "Releasable online=0 movable=0 pinned=0" "$(predict "$region")"
same "it can be taken offline, which changes nothing" "done $n/$n blocks" "$(memory offline "$region")"
same "devdax" "done" "$(memory devdax "$region" | cut -d ' ' -f 1)"
same "and that is its driver" device_dax "$(driver_of "$dax")"
same "it has no memory blocks" 0 "$(blocks_of "$dax" | wc -l)"

# ZONE_MOVABLE
same "online, movable" "done $n/$n blocks" "$(memory online-movable "$region")"
same "the driver is kmem" kmem "$(driver_of "$dax")"
same "all blocks are movable" "$n Movable" "$(zones_of "$dax")"
same "it is releasable" "Releasable online=$size movable=$size pinned=0" "$(predict "$region")"
same "online again changes nothing" "done $n/$n blocks" "$(memory online-movable "$region")"
same "in another zone it is refused" "refused" "$(memory online-kernel "$region" | cut -d ' ' -f 1)"
change_memory online-kernel "$region" >"$RESULTS/refused-zone.txt"
memory_user fill "$node" 16 >/tmp/fill &
filler=$!
check "a program has memory there" wait_for grep -q ready /tmp/fill
used=$(awk '$3 == "MemUsed:" { print int($4 / 1024) }' "/sys/devices/system/node/node$node/meminfo")
check "at least 16 MiB are in use" test "$used" -ge 16
same "and it is still releasable" Releasable "$(predict "$region" | cut -d ' ' -f 1)"
change_memory offline "$region" >"$RESULTS/offline-filled.txt"
same "as predicted: offline" "done $n/$n blocks" "$(head -n 1 "$RESULTS/offline-filled.txt")"
same "all blocks are offline" "$n offline" "$(zones_of "$dax")"
kill $filler
wait $filler
same "the program lost nothing" 0 $?

# A device that a process has open, and one that is mapped only.
same "back to devdax" "done" "$(memory devdax "$region" | cut -d ' ' -f 1)"
for use in open map; do
	memory_user $use "/dev/$dax" >/tmp/$use &
	user=$!
	check "$use: a process uses the device" wait_for grep -q ready /tmp/$use
	same "$use: it is not releasable, and the process is named" \
		"NotReleasable online=0 movable=0 pinned=0 holder=$user,memory_user" "$(predict "$region")"
	same "$use: as predicted: refused" refused "$(memory online-movable "$region" | cut -d ' ' -f 1)"
	change_memory online-movable "$region" >"$RESULTS/refused-$use.txt"
	same "$use: the driver is device_dax" device_dax "$(driver_of "$dax")"
	kill $user
	wait $user
	same "$use: without it, it is releasable" "Releasable online=0 movable=0 pinned=0" "$(predict "$region")"
done

# A kernel that brings memory online by itself.
echo online_kernel >/sys/devices/system/memory/auto_online_blocks
same "auto_online_blocks: another zone is refused" refused "$(memory online-movable "$region" | cut -d ' ' -f 1)"
same "auto_online_blocks: the driver is device_dax" device_dax "$(driver_of "$dax")"
echo online_movable >/sys/devices/system/memory/auto_online_blocks
same "auto_online_blocks: the same zone is not" "done $n/$n blocks" "$(memory online-movable "$region")"
same "auto_online_blocks: all blocks are movable" "$n Movable" "$(zones_of "$dax")"
same "auto_online_blocks: devdax" "done" "$(memory devdax "$region" | cut -d ' ' -f 1)"
echo offline >/sys/devices/system/memory/auto_online_blocks

same "online once more" "done $n/$n blocks" "$(memory online-movable "$region")"
check "the region is destroyed, with its memory taken offline" cxl-spa region destroy "$region"
same "no region is left" "" "$(regions)"
