# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# A handler that never returns: the kernel (7.x) gives up after two minutes.
# shellcheck source=/dev/null
. /lib/vm/lib.sh
[ "$VM_FAULT" = hold ] || exit 0

bdf=$(cxl_devices | head -n 1 | cut -d ' ' -f 2)
query() {
	echo "$bdf 0x100" | prm_ioctl translate | cut -d ' ' -f 3-
}

# spa NAME TEXT: cxl-spa answers the interleave block, with the reason. The rule is plain.
spa() {
	command -v cxl-spa >/dev/null || return
	cxl-spa translate --json "$bdf" 0x3040 >"$RESULTS/spa.json"
	# shellcheck disable=SC2046 # split into arguments
	check "cxl-spa, $1: the block of the right SPA" \
		is_estimate_of 0x210006040 $(fields spa spa_last exact source <"$RESULTS/spa.json")
	contains "cxl-spa, $1: the reason" "$2" "$RESULTS/spa.json"
}

explained() {
	command -v cxl-spa >/dev/null || return
	cxl-spa explain >"$RESULTS/explain.txt"
	contains "cxl-spa explain, $1" "$2" "$RESULTS/explain.txt"
}

check "cxl_prm loads" load_cxl_prm
# The kernel's time limit is a timer on the CPU where cxl_prm waits. Firmware runs with bottom halves
# disabled, so on the same CPU the timer would never expire: each gets a CPU of its own.
echo 1 >/sys/devices/virtual/workqueue/cxl_prm/cpumask
echo 2 >/sys/devices/virtual/workqueue/efi_runtime/cpumask
order hold
query >"$RESULTS/wedged" &
wedged=$!
sleep 2
spa "during a call that does not return" "slow: firmware's PRM handler did not answer in time"
wait $wedged
same "the wedged call returns ETIMEDOUT" "error ETIMEDOUT" "$(cat "$RESULTS/wedged")"
same "info reports wedged" 9 "$(prm_ioctl info | sed -n 's/^reason //p')"
calls=$(handler_calls)
same "no call is made after a wedge" "error ESHUTDOWN" "$(query)"
spa "after a wedge" "wedged: a call of firmware's PRM handler did not return"
explained "after a wedge" "wedged: a call of firmware's PRM handler did not return"
# The handler returns after all, and writes to buffers that must not have been freed.
order none
sleep 2
same "no call is made when the call returned late" "error ESHUTDOWN" "$(query)"
same "the handler was not called" "$calls" "$(handler_calls)"
check "cxl_prm unloads" rmmod cxl_prm
check "cxl_prm loads again" load_cxl_prm
same "info reports that EFI runtime services are off" 7 "$(prm_ioctl info | sed -n 's/^reason //p')"
spa "EFI off" "EFI runtime services are switched off until the next boot"
explained "EFI off" "EFI runtime services are switched off until the next boot"
