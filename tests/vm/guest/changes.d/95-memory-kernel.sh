# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Memory of a region in a zone of the kernel, with pages of the kernel in it: it cannot be released, as
# predicted. So this region is left, and no test follows.
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

# The whole region in a zone of the kernel, which starts threads for its node and has other pages there.
same "online in a zone of the kernel" "done $n/$n blocks" "$(memory online-kernel "$region")"
same "all blocks are in it" "$n Normal" "$(zones_of "$dax")"
mkdir /tmp/files
memory_user kernel "$node" 20000 /tmp/files >/tmp/kernel &
user=$!
check "a program has the kernel make objects" wait_for grep -q ready /tmp/kernel
cxl-spa explain "$region" >"$RESULTS/kernel-zone.txt"
same "it is not releasable" NotReleasable "$(predict "$region" | cut -d ' ' -f 1)"
check "the reason is pages that cannot be moved" \
	sh -c "cxl-spa --json explain $region | jq -r '.release.reasons[]' | grep 'unmovable pages'"
same "as predicted: refused" refused "$(memory offline "$region" | cut -d ' ' -f 1)"
cxl-spa region destroy "$region" >"$RESULTS/kernel-zone-destroy.txt" 2>&1
same "nor is it destroyed" 1 $?
contains "for the same reason" 'unmovable pages' "$RESULTS/kernel-zone-destroy.txt"
same "all blocks are online" "$n Normal" "$(zones_of "$dax")"
# The kernel is asked itself. Blocks before the one that fails are undone; when it is the first, there are none.
change_memory offline "$region" force >"$RESULTS/kernel-zone-forced.txt"
check "the kernel cannot do it either" grep -Eq '^(refused|undone) ' "$RESULTS/kernel-zone-forced.txt"
check "and names the block" grep -q 'memory[0-9]* cannot be taken offline' "$RESULTS/kernel-zone-forced.txt"
same "all blocks are online in their zone again" "$n Normal" "$(zones_of "$dax")"
change_memory devdax "$region" force >"$RESULTS/kernel-zone-devdax.txt"
check "nor devdax" grep -Eq '^(refused|undone) ' "$RESULTS/kernel-zone-devdax.txt"
same "the driver is kmem" kmem "$(driver_of "$dax")"

# Its pages are the kernel's, and none is taken out of use, soft or hard.
work=$RESULTS/kernel-pages
mkdir -p "$work"
for flag in $SLAB $PGTABLE; do
	pfn=$(frames_with "$flag" "$dax" 1)
	[ -n "$pfn" ] || continue
	kind=slab
	[ "$flag" = "$SLAB" ] || kind=page-table
	same "$kind: the page is shown" "null $kind" "$(page show "$pfn")"
	same "$kind: an error there" "may end the machine" "$(why consequence)"
	for mode in offline "offline --hard"; do
		same "$kind, $mode: refused" "refused $kind" "$(page "$mode" "$pfn")"
		contains "$kind, $mode: the reason" "is of the kind $kind" "$work/page"
	done
	same "$kind: bit 19 is clear" 0 "$(frame_has "$pfn" "$HWPOISON")"
done
check "there are pages of slab" test -n "$(frames_with "$SLAB" "$dax" 1)"
panic=/proc/sys/vm/panic_on_unrecoverable_memory_failure
if [ -e $panic ]; then
	echo 1 >$panic
	same "no page is taken out hard when the kernel could panic" refused \
		"$(page "offline --hard" "$(frames_with "$BUDDY" "$dax" 1)" | cut -d ' ' -f 1)"
	contains "which is the reason" "panic_on_unrecoverable_memory_failure is 1" "$work/page"
	echo 0 >$panic
fi
same "a free page is taken out hard" "done free" "$(page "offline --hard" "$(frames_with "$BUDDY" "$dax" 1)")"

# It has the output of the tests, which end with the last program that has it.
kill $user
wait $user
same "the program ends" 0 $?
