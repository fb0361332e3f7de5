# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Firmware by the kernel's loader, made by change_run() itself. The image that the mock device received is compared
# with the one sent by a checksum of the device; cxl says which slot is staged.
# shellcheck source=/dev/null
. /lib/vm/mock.sh
needs_program run_change

work=$RESULTS/firmware
mkdir -p "$work"
memdev=$(memdev_of cxl_mem.5)
mock=$(mock_of "$memdev")
loader=/sys/bus/cxl/devices/$memdev/firmware/$memdev
payload=$(cat "/sys/bus/cxl/devices/$memdev/payload_max")

# image NAME BYTES
image() {
	head -c "$2" /dev/urandom >"$work/$1"
}

# describe IMAGE: the change, for run_change.
describe() {
	printf 'kind update firmware\nobject %s\nidentity %s\nimage %s\n' \
		"$memdev" "$(cat "/sys/bus/cxl/devices/$memdev/serial")" "$work/$1"
}

# update NAME OUTCOME IMAGE: what becomes of it. $answer is all that is printed.
update() {
	answer=$(describe "$3" | run_change)
	case $answer in
	*"outcome $2"*) ok "$1" ;;
	*) not_ok "$1" "expected '$2', found '$answer'" ;;
	esac
}

# because NAME TEXT: the answer has that text.
because() {
	case $answer in
	*"$2"*) ok "$1" ;;
	*) not_ok "$1" "expected '$2', found '$(echo "$answer" | sed -n 's/^text //p')'" ;;
	esac
}

# received NAME IMAGE: the device has these bytes.
received() {
	same "$1" "$(sha256sum "$work/$2" | cut -c 1-64)" "$(head -c 64 "$mock/fw_buf_checksum")"
}


slots=$(cxl list -m "$memdev" -F | jq '.[0].firmware.num_slots')
active=$(cxl list -m "$memdev" -F | jq '.[0].firmware.active_slot')
next=$((active % slots + 1))

# ---- success
image small 1000
update "an image that fits one payload is written" "done" small
received "all of its bytes have arrived" small
because "its slot is named, and that a reset is needed" "it is staged in slot $next, and in force after the next reset"
same "cxl list shows it as staged" "$next" "$(cxl list -m "$memdev" -F | jq '.[0].firmware.staged_slot')"
image long 1000001
update "an image of many parts is written" "done" long
received "all of these bytes have arrived" long
same "the progress ends with all bytes" "progress 1000001 1000001 bytes $memdev" \
	"$(echo "$answer" | grep '^progress' | tail -n 1)"

# ---- what is refused
image full $((payload - 128))
update "an image of exactly one payload is refused" refused full
because "with the reason" "the kernel cannot transfer an image of exactly $((payload - 128)) bytes"
received "the device has the one before" long
: >"$work/empty"
update "an empty image is refused" refused empty
echo "0x0200 4" >"$mock/mbox_fail"
update "a device that does not answer for its slots is refused" refused small
echo "0 0" >"$mock/mbox_fail"

# ---- what fails
echo "0x0201 4" >"$mock/mbox_fail"
update "a transfer that the device refuses is not done" incomplete small
because "with the error of the kernel" "read-write-error while transferring"
echo "0x0202 4" >"$mock/mbox_fail"
update "a selection that the device refuses is not done" incomplete small
because "with the error of the kernel" "hw-error while transferring"
echo "0 0" >"$mock/mbox_fail"
same "the kernel's loader is idle again" idle "$(cat "$loader/status")"

# ---- cancelled, and killed: 260 parts, 20 ms each
echo 20 >"$mock/mbox_delay_ms"
describe long >"$work/long.txt"
run_change <"$work/long.txt" >"$work/cancelled" &
pid=$!
check "the transfer begins" wait_for grep -q transferring "$loader/status"
update "another update meanwhile is refused" refused small
kill -INT $pid
wait $pid
same "an update can be cancelled" "outcome undone" "$(grep '^outcome' "$work/cancelled")"
same "the loader is idle then" idle "$(cat "$loader/status")"
# The state that the kernel keeps after a cancellation that came too late.
echo 1 >"$loader/cancel" 2>/dev/null
echo 0 >"$mock/mbox_delay_ms"
update "a cancellation that came too late does not end the next update" "done" small
received "which has arrived" small

echo 20 >"$mock/mbox_delay_ms"
run_change <"$work/long.txt" >"$work/killed" &
pid=$!
check "the transfer begins again" wait_for grep -q transferring "$loader/status"
kill -9 $pid
wait $pid 2>/dev/null
update "while the kernel goes on, another update is refused" refused small
because "with the reason" "is updating the firmware of $memdev"
check "the kernel ends it alone" wait_for grep -q idle "$loader/status"
received "and all has arrived" long
echo 0 >"$mock/mbox_delay_ms"
update "the next update is made" "done" small
received "and has arrived" small
