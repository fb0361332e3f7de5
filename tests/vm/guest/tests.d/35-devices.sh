# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# The mailbox of QEMU's devices, through the real driver: the commands that QEMU emulates are sent,
# and no others. The output payloads are those recorded by `cxl-spa capture`.
# shellcheck source=/dev/null
. /lib/vm/lib.sh
needs_program cxl-spa
needs_program cxl-redfishd
needs_program zstd
[ "$VM_FAULT" = none ] || exit 0

work=$RESULTS/devices
mkdir -p "$work"
cxl-spa capture "$work/host.tar.zst" >"$work/capture.txt" 2>&1
zstd -dc "$work/host.tar.zst" | tar -x -C "$work" mbox
rm "$work/host.tar.zst"

size() {
	stat -c %s "$work/mbox/$1.bin" 2>/dev/null || echo none
}

for memdev in mem0 mem1 mem2 mem3; do
	check "$memdev: Identify Memory Device" [ "$(size $memdev/identify)" -ge 67 ]
	same "$memdev: Get Partition Info" 32 "$(size $memdev/partition_info)"
	same "$memdev: Get FW Info" 80 "$(size $memdev/fw_info)"
	same "$memdev: Get Timestamp" 8 "$(size $memdev/timestamp)"
	same "$memdev: Get Health Info is not emulated" none "$(size $memdev/health_info)"
done
# Linux set it when it probed the device, so it is after the start of this machine.
seconds=$(od -A n -t u8 "$work/mbox/mem0/timestamp.bin" | awk '{ printf "%d", $1 / 1e9 }')
now=$(date +%s)
check "mem0: the timestamp is of the last 10 minutes" [ $((now - seconds)) -lt 600 ]

socket=/run/devices
cxl-redfishd --listen "unix:$socket" --poll 1 >"$work/log" 2>&1 &
daemon=$!
# The helper and the first readings take long on a busy host.
tenths=0
while [ "$(grep -c 'event logs are 0$' "$work/log")" -lt 4 ] && [ $tenths -lt 1800 ]; do
	sleep 0.1
	tenths=$((tenths + 1))
done
sleep 5
kill $daemon
wait $daemon
same "cxl-redfishd logs invalid values of the devices once" \
	"mem0 mem1 mem2 mem3" \
	"$(sed -n 's/.*: \(mem[0-9]*\): Identify .*event logs are 0$/\1/p' "$work/log" | sort | xargs)"
same "cxl-redfishd logs nothing else about them" "" \
	"$(grep ': mem[0-9]*[: ]' "$work/log" | grep -v 'event logs are 0$')"
