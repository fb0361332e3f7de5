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

# spa NAME TEXT: cxl-spa gives the interleave block, and says why. The rule is plain.
spa() {
	command -v cxl-spa >/dev/null || return
	cxl-spa translate --json "$bdf" 0x3040 >"$RESULTS/spa.json"
	# shellcheck disable=SC2046 # words
	check "cxl-spa, $1: the block of the right SPA" \
		is_estimate_of 0x210006040 $(fields spa spa_last exact source <"$RESULTS/spa.json")
	says "cxl-spa, $1: the reason" "$2" "$RESULTS/spa.json"
}

explained() {
	command -v cxl-spa >/dev/null || return
	cxl-spa explain >"$RESULTS/explain.txt"
	says "cxl-spa explain, $1" "$2" "$RESULTS/explain.txt"
}

check "cxl_prm loads" load_cxl_prm
# The kernel's limit is a timer on the CPU where cxl_prm waits. Firmware runs with bottom halves
# off, so on that same CPU it would never expire: each gets a CPU of its own.
echo 1 >/sys/devices/virtual/workqueue/cxl_prm/cpumask
echo 2 >/sys/devices/virtual/workqueue/efi_runtime/cpumask
order hold
ask >"$RESULTS/wedged" &
wedged=$!
sleep 2
spa "behind a call that does not come back" "slow: firmware's PRM handler did not answer in time"
wait $wedged
same "the wedged call is told as such" "error ETIMEDOUT" "$(cat "$RESULTS/wedged")"
same "info says wedged" 9 "$(prm_ioctl info | sed -n 's/^reason //p')"
calls=$(handler_calls)
same "nothing is asked after a wedge" "error ESHUTDOWN" "$(ask)"
spa "after a wedge" "wedged: a call of firmware's PRM handler did not return"
explained "after a wedge" "wedged: a call of firmware's PRM handler did not return"
# The handler returns after all, and writes into buffers nobody must have given away.
order none
sleep 2
same "nothing is asked when the call came back late" "error ESHUTDOWN" "$(ask)"
same "no call was made" "$calls" "$(handler_calls)"
check "cxl_prm unloads" rmmod cxl_prm
check "cxl_prm loads again" load_cxl_prm
same "info says that EFI runtime services are off" 7 "$(prm_ioctl info | sed -n 's/^reason //p')"
spa "EFI off" "EFI runtime services are switched off until the next boot"
explained "EFI off" "EFI runtime services are switched off until the next boot"
