# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Pages of a region's memory are taken out of use and brought back by cxl-spa: the flags of the kernel are the witness, and
# what is refused is in use as before.
# shellcheck source=/dev/null
. /lib/vm/changes.sh
needs_program cxl-spa
needs_program jq
needs_program run_change

work=$RESULTS/pages
mkdir -p "$work" /run/pages-state
region=$(create "$(window second)" ram 1 "$(memdev 2)")
dax_of "$region"
first=$(($(cat "/sys/bus/dax/devices/$dax/resource") / 4096))
node=$(cat "/sys/bus/dax/devices/$dax/target_node")
n=$((SHARE / $(block_size)))

# refused NAME TEXT PFN: with the reason.
refused() {
	same "$1: refused" refused "$(page offline "$3" | cut -d ' ' -f 1)"
	contains "$1: the reason" "$2" "$work/page"
	[ ! -e "$work/refused" ] || echo >>"$work/refused"
	cat "$work/page" >>"$work/refused"
}

# ---- memory that Linux does not use
same "a page of an offline block" "null offline" "$(page show "$first")"
refused "an offline block" "is offline" "$first"
same "devdax" "done" "$(memory devdax "$region" | cut -d ' ' -f 1)"
same "a page of device-dax" "null device-dax" "$(page show "$first")"
refused "device-dax" "device-dax memory" "$first"
same "online, movable" "done" "$(memory online-movable "$region" | cut -d ' ' -f 1)"

# ---- a file
mkdir -p /run/file
check "a file system has its memory there" mount -t tmpfs -o "mpol=bind:$node" pages /run/file
dd if=/dev/urandom of=/run/file/data bs=64k count=32 2>/dev/null
sync
before=$(md5sum /run/file/data)
pfn=$(frames_with "$LRU" "$dax" 9 | tail -n 1)
same "a page of the file" "null file" "$(page show "$pfn")"
same "its device, block, node and zone" "0xabc2 memory$((pfn * 4096 / $(block_size))) online $node Movable" \
	"$(jq -r '.[0] | "\(.serial) \(.block) \(.state) \(.numa_node) \(.zone)"' "$work/page")"
same "an error there ends tasks" "ends the tasks that use it" "$(why consequence)"
memdev=$(why memdev)
dpa=$(why dpa)
check "it is taken out by its address on the device" cxl-spa page offline --state /run/pages-state "$memdev" "$dpa"
same "bit 19 is set" 1 "$(frame_has "$pfn" "$HWPOISON")"
same "its neighbours are in use" "0 0" "$(frame_has $((pfn - 1)) "$HWPOISON") $(frame_has $((pfn + 1)) "$HWPOISON")"
same "the contents of the file are the same" "$before" "$(md5sum /run/file/data)"
same "again: it is out already" "already poisoned" "$(page offline "$pfn")"
# shellcheck disable=SC2046 # several
same "16 more of the file" 16 "$(page offline $(frames_with "$LRU" "$dax" 16) | grep -c '^done ')"
same "and the contents are still the same" "$before" "$(md5sum /run/file/data)"
same "17 pages have bit 19, and no other" 17 "$(frames_with "$HWPOISON" "$dax" 100 | wc -l)"

# ---- a free page, and one that is in no list
free=$(frames_with "$BUDDY" "$dax" 3 | tail -n 1)
same "a free page" "null free" "$(page show "$free")"
same "an error there does nothing" "nothing: the page is free" "$(why consequence)"
same "it is taken out" "done free" "$(page offline "$free")"
same "bit 19 is set, too" 1 "$(frame_has "$free" "$HWPOISON")"
refused "vm.enable_soft_offline" "vm.enable_soft_offline is 0" "$(
	echo 0 >/proc/sys/vm/enable_soft_offline
	frames_with "$BUDDY" "$dax" 1
)"
echo 1 >/proc/sys/vm/enable_soft_offline

# ---- brought back
page online "$free" >/dev/null
contains "without hwpoison-inject, the next step is named" "modprobe hwpoison-inject" "$work/page"
same "bit 19 is still set" 1 "$(frame_has "$free" "$HWPOISON")"
check "hwpoison-inject is loaded" insmod /lib/modules/pages/*hwpoison-inject.ko
same "the free page comes back" "done" "$(page online "$free" | cut -d ' ' -f 1)"
same "and that of the file" "done" "$(page online "$pfn" | cut -d ' ' -f 1)"
same "their bits are clear" "0 0" "$(frame_has "$free" "$HWPOISON") $(frame_has "$pfn" "$HWPOISON")"
same "again: it is in use already" "already" "$(page online "$pfn" | cut -d ' ' -f 1)"

# ---- the cgroup of a victim
mkdir -p /sys/fs/cgroup
[ -e /sys/fs/cgroup/cgroup.controllers ] || mount -t cgroup2 none /sys/fs/cgroup
echo +memory >/sys/fs/cgroup/cgroup.subtree_control
mkdir -p /sys/fs/cgroup/shop.slice
echo +memory >/sys/fs/cgroup/shop.slice/cgroup.subtree_control
mkdir /sys/fs/cgroup/shop.slice/victim.service
sh -c "echo \$\$ >/sys/fs/cgroup/shop.slice/victim.service/cgroup.procs; exec memory_user fill $node 2" >/tmp/victim &
victim=$!
check "a program of a cgroup has memory there" wait_for grep -q ready /tmp/victim
pfn=$(frames_with "$ANON" "$dax" 20 | tail -n 1)
same "a page of a program" "null anonymous" "$(page show "$pfn")"
same "its cgroup is named" /shop.slice/victim.service "$(why cgroup)"
same "and whom an error there ends" "ends the tasks of /shop.slice/victim.service that use it" "$(why consequence)"
same "it is taken out under the program" "done anonymous" "$(page offline "$pfn")"
kill $victim
wait $victim
same "which lost nothing" 0 $?
rmdir /sys/fs/cgroup/shop.slice/victim.service /sys/fs/cgroup/shop.slice

# ---- its price
umount /run/file
cxl-spa offline "$region" >"$work/offline" 2>&1
same "the memory goes offline" "$n offline" "$(zones_of "$dax")"
contains "it was said that blocks with such pages do not come back" \
	"17 pages out of use in 1 memory block: once offline, such a block does not come online again" "$work/offline"
cxl-spa online "$region" >"$work/online" 2>&1
same "online: and so it is" 1 $?
contains "the way out is named" "take the memory back to devdax" "$work/online"
same "which works: devdax" "done" "$(memory devdax "$region" | cut -d ' ' -f 1)"
same "and online" "done" "$(memory online-movable "$region" | cut -d ' ' -f 1)"
same "all pages are in use again" "" "$(frames_with "$HWPOISON" "$dax" 1)"
check "the region is destroyed" cxl-spa region destroy "$region"
same "no region is left" "" "$(regions)"
