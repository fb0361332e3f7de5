# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Last, because the memory cannot be released: pages of the kernel are refused, soft and hard, whatever the kernel would do at an
# unrecoverable failure of memory; the machine goes on.
# shellcheck source=/dev/null
. /lib/vm/changes.sh
needs_program cxl-spa
needs_program jq
needs_program run_change

work=$RESULTS/pages-kernel
state=/run/no-kernel-state
panic=/proc/sys/vm/panic_on_unrecoverable_memory_failure
mkdir -p "$work" /run/kernel-files
region=$(create "$(window first)" ram 1 "$(memdev 0)")
dax_of "$region"
same "online, for the kernel, too" "done" "$(memory online-kernel "$region" | cut -d ' ' -f 1)"
mount -t tmpfs kernel-files /run/kernel-files
memory_user kernel "$(cat "/sys/bus/dax/devices/$dax/target_node")" 5000 /run/kernel-files >/tmp/kernel-files &
user=$!
check "the kernel has objects there" wait_for grep -q ready /tmp/kernel-files
object=$(frames_with "$SLAB" "$dax" 1)
check "in a page of the kernel" test -n "$object"
same "a page of the kernel" "null slab" "$(page show "$object")"
contains "an error there may end the machine" "may end the machine" "$work/page"
before=$(grep HardwareCorrupted /proc/meminfo)
for setting in 0 1; do
	[ ! -e $panic ] || echo $setting >$panic
	for how in offline "offline --hard"; do
		same "$how, with the setting $setting: refused" "refused slab" "$(page "$how" "$object")"
	done
	[ -e $panic ] || break
done
same "bit 19 is clear" 0 "$(frame_has "$object" "$HWPOISON")"
same "nothing was counted as bad" "$before" "$(grep HardwareCorrupted /proc/meminfo)"
[ ! -e $panic ] || echo 0 >$panic
kill $user
