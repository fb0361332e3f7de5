# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Pages that are not taken out, or only when it is allowed: a huge page, hard ones while the kernel would panic. When the mapping
# changes, and the devices change their names, the page that has a remembered address now goes out.
# shellcheck source=/dev/null
. /lib/vm/changes.sh
needs_redfish
needs_program cxl-redfish-page-helper
needs_program run_change

HUGE=17
work=$RESULTS/pages-kinds
panic=/proc/sys/vm/panic_on_unrecoverable_memory_failure
mkdir -p "$work" /run/kinds-state
state=/run/no-kinds-state
region=$(create "$(window second)" ram 2 "$(memdev 2)" "$(memdev 3)")
dax_of "$region"
same "online, movable" "done" "$(memory online-movable "$region" | cut -d ' ' -f 1)"

# ---- a huge page
pool=/sys/devices/system/node/node$(cat "/sys/bus/dax/devices/$dax/target_node")/hugepages/hugepages-2048kB
echo 4 >"$pool/nr_hugepages"
same "the kernel has huge pages there" 4 "$(cat "$pool/nr_hugepages")"
huge=$(frames_with $HUGE "$dax" 3 | tail -n 1)
same "a huge page" "null huge" "$(page show "$huge")"
same "it is refused" "refused huge" "$(page offline "$huge")"
contains "the option is named" "offline-huge-pages = yes" "$work/page"
same "bit 19 is clear" 0 "$(frame_has "$huge" "$HWPOISON")"
memdev=$(why memdev)
serial=$(why serial)
dpa=$(why dpa)
same "its device" 0xabc2 "$serial"

# service NAME OPTION...
service() {
	log=$work/log-$1
	shift
	start_redfishd /run/redfish "$log" --allow=pages --state /run/kinds-state "$@"
	wait_for grep -q "pages are taken out of use by" "$log"
}
offline_page() { # N DPA
	finish "$(ask POST "$(memory_of "$1")/Actions/Oem/CXLHostMemory.OfflinePage" -H 'Content-Type: application/json' \
		-d "{\"DevicePhysicalAddress\": \"$2\"}")"
}
service default
same "by the service: refused" 409 "$(offline_page 2 "$dpa")"
stop_redfishd /run/redfish
service huge --offline-huge-pages
same "where it is allowed: done" "200 done" "$(offline_page 2 "$dpa") $(answer .Outcome)"
same "bit 19 is set" 1 "$(frame_has "$huge" "$HWPOISON")"
same "of this page only" "$huge" "$(frames_with "$HWPOISON" "$dax" 4096 | xargs)"
same "one huge page is split up or gone" "1" "$(($(cat "$pool/nr_hugepages") < 4))"
stop_redfishd /run/redfish
echo 0 >"$pool/nr_hugepages"

# ---- hard, while an unrecoverable failure of memory would end the kernel
free=$(frames_with "$BUDDY" "$dax" 3 | tail -n 1)
if [ -e $panic ]; then
	echo 1 >$panic
	same "hard, with the setting: refused" "refused free" "$(page "offline --hard" "$free")"
	contains "the setting is named" "panic_on_unrecoverable_memory_failure is 1" "$work/page"
	same "bit 19 is clear" 0 "$(frame_has "$free" "$HWPOISON")"
	echo 0 >$panic
else
	echo "# this kernel has no $panic"
fi

# ---- another mapping, other names
service before
same "the page of an address" "200 done" "$(offline_page 2 0x40000) $(answer .Outcome)"
stop_redfishd /run/redfish
before=$(($(cat "/sys/bus/dax/devices/$dax/resource") / 4096 + 128))
same "is that of this mapping" 1 "$(frame_has $before "$HWPOISON")"
same "devdax" "done" "$(memory devdax "$region" | cut -d ' ' -f 1)"
check "the region is destroyed" cxl-spa region destroy "$region"
two=$(basename "$(readlink -f "/sys/bus/cxl/devices/$memdev/..")")
three=$(basename "$(readlink -f "/sys/bus/cxl/devices/$(memdev 3)/..")")
# The kernel gives the lowest number that is free, and the first numbers came in any order.
order="$three $two"
[ "${memdev#mem}" -lt "$(memdev 3 | tr -dc 0-9)" ] || order="$two $three"
for one in $order; do
	echo "$one" >/sys/bus/pci/drivers/cxl_pci/unbind
done
for one in $order; do
	echo "$one" >/sys/bus/pci/drivers/cxl_pci/bind
	wait_for sh -c "ls -d /sys/bus/pci/devices/$one/mem*"
	wait_for sh -c "ls -d /sys/bus/cxl/devices/endpoint*/ | grep -q . && [ -e /sys/bus/pci/devices/$one/mem*/driver ]"
done
check "0xabc2 has another name" test "$(memdev 2)" != "$memdev"
region=$(create "$(window second)" ram 1 "$(memdev 2)")
dax_of "$region"
same "online, movable, alone" "done" "$(memory online-movable "$region" | cut -d ' ' -f 1)"
now=$(($(cat "/sys/bus/dax/devices/$dax/resource") / 4096 + 64))
service after
is_out() {
	[ "$(frame_has $now "$HWPOISON")" = 1 ]
}
check "the page that has the address now goes out" wait_for is_out
same "the page of before is in use" 0 "$(frame_has $before "$HWPOISON")"
stop_redfishd /run/redfish
same "devdax" "done" "$(memory devdax "$region" | cut -d ' ' -f 1)"
check "the region is destroyed, too" cxl-spa region destroy "$region"
