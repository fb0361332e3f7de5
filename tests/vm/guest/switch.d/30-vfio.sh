# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Another driver, VFIO with an IOMMU, and what forbids the use of the mailbox, each in one sentence. All
# devices are in one IOMMU group, so VFIO needs that the memory devices have no driver.
# shellcheck source=/dev/null
. /lib/vm/switch.sh

function=/sys/bus/pci/devices/$mailbox

# has_reason NAME TEXT: what the sentence about the mailbox contains.
has_reason() {
	cxl-spa explain --switch-mailbox="$mailbox" "$mailbox" 2>&1 | tr -s ' \n' ' ' |
		sed -n 's/.*mailbox cannot be used: //p' >"$work/reason"
	contains "$1" "$2" "$work/reason"
}

# take_function DRIVER
take_function() {
	echo "$1" >"$function/driver_override"
	echo "$mailbox" >/sys/bus/pci/drivers_probe
	[ "$(basename "$(readlink "$function/driver")")" = "$1" ]
}

for module in /lib/modules/vfio/*.ko; do
	insmod "$module"
done
check "vfio-pci takes the function" take_function vfio-pci
has_reason "a function that vfio-pci would reset is not used" "reset"
echo >"$function/reset_method"
has_reason "a function in a group with other drivers is not used" "group"
for memdev in /sys/bus/cxl/devices/mem*; do
	basename "$(dirname "$(readlink -f "$memdev")")" >/sys/bus/pci/drivers/cxl_pci/unbind
done
cxl-spa list --json --switch-mailbox=auto >"$work/vfio.json" 2>"$work/errors"
same "the mailbox is read by VFIO" "5 0xabc1" \
	"$(jq -r '.switches[0].ports | "\(length) \(.[1].device.serial)"' "$work/vfio.json")"
check "without a reset" sh -c '! dmesg | grep "vfio-pci $1: reset"' sh "$mailbox"
echo "$mailbox" >/sys/bus/pci/drivers/vfio-pci/unbind
echo >"$function/driver_override"
