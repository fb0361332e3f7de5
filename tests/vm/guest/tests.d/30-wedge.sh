# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# A handler that never returns: the kernel (7.x) gives up after two minutes.
# shellcheck source=/dev/null
. /lib/vm/lib.sh
[ "$VM_FAULT" = hold ] || exit 0

bdf=$(cxl_devices | head -n 1 | cut -d ' ' -f 2)
ask() {
	echo "$bdf 0x100" | prm_ioctl translate | cut -d ' ' -f 3-
}

check "cxl_prm loads" load_cxl_prm
# The kernel's limit is a timer on the CPU where cxl_prm waits. Firmware runs with bottom halves
# off, so on that same CPU it would never expire: each gets a CPU of its own.
echo 1 >/sys/devices/virtual/workqueue/cxl_prm/cpumask
echo 2 >/sys/devices/virtual/workqueue/efi_runtime/cpumask
order hold
same "the wedged call is told as such" "error ETIMEDOUT" "$(ask)"
same "info says wedged" 9 "$(prm_ioctl info | sed -n 's/^reason //p')"
calls=$(handler_calls)
same "nothing is asked after a wedge" "error ESHUTDOWN" "$(ask)"
# The handler returns after all, and writes into buffers nobody must have given away.
order none
sleep 2
same "nothing is asked when the call came back late" "error ESHUTDOWN" "$(ask)"
same "no call was made" "$calls" "$(handler_calls)"
check "cxl_prm unloads" rmmod cxl_prm
check "cxl_prm loads again" load_cxl_prm
same "info says that EFI runtime services are off" 7 "$(prm_ioctl info | sed -n 's/^reason //p')"
