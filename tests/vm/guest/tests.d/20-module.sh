# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# The kernel module cxl_prm: the state that it reports for this firmware, and its translations.
# shellcheck source=/dev/null
. /lib/vm/lib.sh

check "cxl_prm loads" load_cxl_prm
devices=$RESULTS/devices.txt
cxl_devices >"$devices"
bdf=$(head -n 1 "$devices" | cut -d ' ' -f 2)
prm_ioctl info >"$RESULTS/info.txt" 2>&1

reason() {
	prm_ioctl info | sed -n 's/^reason //p'
}

# answers NAME FILE: the module translates the lines of the file as the rule does.
answers() {
	rule "$VM_RULE" spa "$devices" <"$2" >"$2.expected"
	prm_ioctl translate <"$2" >"$2.actual"
	check "$1" cmp "$2.expected" "$2.actual"
}

# answer BDF DPA: the answer, without the query.
answer() {
	echo "$1 $2" | prm_ioctl translate | cut -d ' ' -f 3-
}

case $VM_FAULT in
unprogrammed)
	same "info reports that there is no PRMT" 1 "$(reason)"
	same "no address is translated" "error EOPNOTSUPP" "$(answer "$bdf" 0)"
	exit 0
	;;
no-handler)
	same "info reports that there is no handler" 3 "$(reason)"
	same "no address is translated" "error EOPNOTSUPP" "$(answer "$bdf" 0)"
	exit 0
	;;
no-execute)
	if [ "$VM_SERIES" = 6.12 ]; then
		# The handler has not been called yet.
		same "info reports ready before the first call" 0 "$(reason)"
		same "a fault in firmware is EIO" "error EIO" "$(answer "$bdf" 0)"
	fi
	same "info reports that EFI runtime services are off" 7 "$(reason)"
	same "no address is translated" "error EOPNOTSUPP" "$(answer "$bdf" 0)"
	exit 0
	;;
esac
same "info reports ready" 0 "$(reason)"
[ "$VM_FAULT" = none ] || exit 0
rule boundaries "$devices" >"$RESULTS/boundaries"
answers "boundaries translate by the firmware's rule" "$RESULTS/boundaries"
rule random 400 1 "$devices" >"$RESULTS/random"
answers "random addresses translate by the firmware's rule" "$RESULTS/random"
cut -d ' ' -f 1,3 <"$RESULTS/random.actual" | rule "$VM_RULE" dpa "$devices" |
	cut -d ' ' -f 1,3 >"$RESULTS/back"
check "the answers translate back to the queries" cmp "$RESULTS/random" "$RESULTS/back"
# About half of all chunks have another position.
moved=$(rule plain spa "$devices" <"$RESULTS/random" | diff - "$RESULTS/random.actual" | grep -c '^+[^+]')
case $VM_RULE in
plain) same "no chunk has another position" 0 "$moved" ;;
permuted) check "many chunks have another position ($moved of 400)" test "$moved" -gt 100 ;;
esac
prm_ioctl translate 1 <"$RESULTS/boundaries" >"$RESULTS/single"
check "one address per call gives the same answers" cmp "$RESULTS/boundaries.actual" "$RESULTS/single"

same "a device that is not CXL memory is refused" "error ENODEV" "$(answer 0000:00:00.0 0)"
same "a DPA past the end is refused" "error ERANGE" "$(answer "$bdf" "$DEVICE_SIZE")"

order error-page
same "EFI_DEVICE_ERROR is EIO" "error EIO" "$(answer "$bdf" 0x4040)"
same "the next page translates" "$(echo "$bdf 0x5000" |
	rule "$VM_RULE" spa "$devices" | cut -d ' ' -f 3)" "$(answer "$bdf" 0x5000)"
order none

head -n 10 "$RESULTS/boundaries" >"$RESULTS/slow"
order slow
before=$(cut -d . -f 1 /proc/uptime)
answers "a slow handler's answers are right" "$RESULTS/slow"
check "ten calls of a slow handler took a second" \
	test $(($(cut -d . -f 1 /proc/uptime) - before)) -ge 1
order none

# A call that does not return: its caller can be killed, and the next call is answered.
order hold
echo "$bdf 0x100" | prm_ioctl translate >/dev/null &
held=$!
in_flight() {
	[ "$(prm_ioctl info | sed -n 's/^in_flight_ms //p')" -ge 1000 ]
}
check "info reports a call in flight" wait_for in_flight
kill -9 $held
wait $held 2>/dev/null
check "the caller of a held call can be killed" test ! -d /proc/$held
order none
answers "the calls after a held one are answered" "$RESULTS/slow"

# A driver that is bound, or a reset, holds the device's lock for as long as it takes.
other=$(tail -n 1 "$devices" | cut -d ' ' -f 2)
check "a test module locks a device" insmod /lib/modules/own/lock_device.ko "bdf=$bdf"
throttled=$(prm_ioctl info | sed -n 's/^throttled //p')
refused=$(prm_ioctl info | sed -n 's/^refused //p')
echo "$bdf 0x100" | timeout 2 prm_ioctl translate >"$RESULTS/locked.actual"
same "a query for a locked device is not answered" "" "$(cat "$RESULTS/locked.actual")"
check "it is reported as not tried" \
	test "$(prm_ioctl info | sed -n 's/^throttled //p')" -gt "$throttled"
same "it is not counted as refused" "$refused" "$(prm_ioctl info | sed -n 's/^refused //p')"
echo "$other 0x100" >"$RESULTS/unlocked"
check "a locked device does not delay the queries for others" \
	timeout 180 prm_ioctl translate <"$RESULTS/unlocked"
rmmod lock_device
echo "$bdf 0x100" >"$RESULTS/unlocked"
answers "a device translates when its lock is released" "$RESULTS/unlocked"

# A rate that limits even a slow emulated machine; calls are counted by the firmware.
same "the default is 1000 calls per second and a burst of 256" "rate 1000 burst 256" \
	"$(prm_ioctl info | grep -E '^(rate|burst) ' | xargs)"
on_processors 1
rate=250 burst=256 queries=1500
check "cxl_prm loads with a lower rate" reload_cxl_prm rate=$rate burst=$burst
rule random $queries 2 "$devices" >"$RESULTS/flood"
started=$(hundredths)
first=$(handler_calls)
prm_ioctl translate <"$RESULTS/flood" >"$RESULTS/flood.actual"
made=$(($(handler_calls) - first))
took=$(($(hundredths) - started))
allowed=$((burst + (took + 1) * rate / 100))
check "no more calls than the rate allows reached the firmware ($made, allowed $allowed)" \
	test $made -le $allowed
check "all queries of a flood reached the firmware" test $made -ge $queries
check "the rate limited the flood" test "$(prm_ioctl info | sed -n 's/^throttled //p')" -gt 0
figure "calls that reached the firmware in a flood of $((took * 10)) ms at $rate/s, burst $burst" \
	"$made, allowed $allowed"
# Refused queries read configuration space.
first=$(prm_ioctl info | sed -n 's/^refused //p')
started=$(hundredths)
yes "$bdf $DEVICE_SIZE" | head -n $queries | prm_ioctl translate >/dev/null
made=$(($(prm_ioctl info | sed -n 's/^refused //p') - first))
took=$(($(hundredths) - started))
same "all refused queries of a flood are counted" $queries $made
check "refused queries are limited by the rate ($made in $((took * 10)) ms)" \
	test $made -le $((burst + (took + 1) * rate / 100))
# They have used up their own limit, not that of the others.
throttled=$(prm_ioctl info | sed -n 's/^throttled //p')
rule random 200 3 "$devices" >"$RESULTS/beside"
prm_ioctl translate <"$RESULTS/beside" >/dev/null
same "a flood of refused queries does not delay those that are right" "$throttled" \
	"$(prm_ioctl info | sed -n 's/^throttled //p')"
on_processors 3
