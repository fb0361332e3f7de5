# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Firmware by Redfish, as curl uploads it: several devices at a time, slots and staged versions, cancelled,
# of a wrong size, two at the same time, a device that refuses, and one that is removed.
# shellcheck source=/dev/null
. /lib/vm/mock.sh
needs_program cxl-redfish-change-helper

work=$RESULTS/redfish-firmware
mkdir -p "$work/state"
service=/redfish/v1/UpdateService
inventory=$service/FirmwareInventory
push=$service/Actions/Oem/CXLHostUpdateService.MultipartHTTPUpdate
drivers=/sys/bus/platform/drivers/cxl_mock_mem
start_redfishd "$socket" "$work/log" --state "$work/state" --allow=firmware

# image NAME BYTES
image() {
	head -c "$2" /dev/urandom >"$work/$1"
}

# Memory and the device of the mock devices 1, 2 and 3.
id1=$(memory_id "$(memdev_of cxl_mem.1)")
id2=$(memory_id "$(memdev_of cxl_mem.2)")
id3=$(memory_id "$(memdev_of cxl_mem.3)")

# upload IMAGE URI...: begins an update of these targets.
upload() {
	local image=$1 targets='' uri
	shift
	for uri in "$@"; do
		targets="$targets${targets:+,}\"$uri\""
	done
	send POST "$push" -H 'If-Match: *' -F "UpdateParameters={\"Targets\":[$targets]};type=application/json" \
		-F "UpdateFile=@$work/$image;type=application/octet-stream"
}

# received NAME IMAGE MOCK...: these devices have the bytes of the image.
received() {
	local name=$1 sum device found=''
	sum=$(sha256sum "$work/$2" | cut -c 1-64)
	shift 2
	for device in "$@"; do
		[ "$sum" = "$(head -c 64 "/sys/bus/platform/devices/$device/fw_buf_checksum")" ] || found="$found $device"
	done
	same "$name" "" "$found"
}

# delay MS MOCK...
delay() {
	local ms=$1 device
	shift
	for device in "$@"; do
		echo "$ms" >"/sys/bus/platform/devices/$device/mbox_delay_ms"
	done
}

image small 1000
image long 200001
slots=$(cxl list -m "$(memdev_of cxl_mem.1)" -F | jq '.[0].firmware.num_slots')
active=$(cxl list -m "$(memdev_of cxl_mem.1)" -F | jq '.[0].firmware.active_slot')
next=$((active % slots + 1))
becomes "the slot that can be written is updateable" '[false,false,true]' value "$inventory/$id1-$next" '[.Active, .Staged, .Updateable]'
shows "the active one is not" '[true,false,false]' "$inventory/$id1-$active" '[.Active, .Staged, .Updateable]'
shows "updates are offered" "true $push" "$service" '"\(.ServiceEnabled) \(.MultipartHttpPushUri)"'

# ---- what is refused
upload small "$inventory/$id1-$active"
same "the active slot is not written" 409 "$status"
says "with the one that would be" "slot $next"
upload small "$host/Memory/$id1" "$inventory/$id1-$next"
same "a device is a target once" 400 "$status"
upload small "$host"
same "the host is no target" 400 "$status"
upload small
same "without a target nothing is written" 400 "$status"
payload=$(cat "/sys/bus/cxl/devices/$(memdev_of cxl_mem.1)/payload_max")
image full $((payload - 128))
upload full "$inventory/$id1-$next"
finish
same "an image of exactly one payload is refused" 400 "$status"
says "with the reason" "the kernel cannot transfer an image of exactly $((payload - 128)) bytes"
: >"$work/empty"
upload empty "$inventory/$id1-$next"
finish
same "an empty one is refused" 400 "$status"

# ---- one device
upload small "$inventory/$id1-$next"
finish
check "an image is written ($status)" test "${status%??}" = 2
received "all of its bytes have arrived" small cxl_mem.1
version=$(cxl list -m "$(memdev_of cxl_mem.1)" -F | jq -r ".[0].firmware.slot_${next}_version")
shows "the slot is staged at once" "[false,true,\"$version\"]" "$inventory/$id1-$next" '[.Active, .Staged, .Version]'
shows "the device has its version" "$version" "/redfish/v1/Chassis/$id1/PCIeDevices/1" .StagedVersion

# ---- several: about 50 parts each, which takes long enough to be seen on a busy machine
delay 150 cxl_mem.1 cxl_mem.2 cxl_mem.3
upload long "$inventory/$id1-$next" "$host/Memory/$id2" "/redfish/v1/Chassis/$id3/PCIeDevices/1"
same "an update of several devices is a Task" 202 "$status"
task=$(jq -r '."@odata.id"' "$work/body")
updating=$(monitor)
get "$task" >"$work/task.json"
sub_tasks=$(jq -r '.SubTasks."@odata.id"' "$work/task.json")
get "$sub_tasks?\$expand=." >"$work/sub-tasks.json"
same "with a sub-task for each" 3 "$(jq '.Members | length' "$work/sub-tasks.json")"
same "which are running" '["Running"]' "$(jq -c '[.Members[].TaskState] | unique' "$work/sub-tasks.json")"
upload small "$inventory/$id1-$next"
finish
same "a second image meanwhile is refused" 503 "$status"
says "with the reason" "another image is being received, or written to devices"
percent=0
while [ "$(value "$task" .TaskState)" = Running ]; do
	now=$(value "$task" .PercentComplete)
	[ "$now" -lt "$percent" ] && percent=backwards && break
	[ "$now" -gt 0 ] && [ "$now" -lt 100 ] && : >"$work/between"
	percent=$now
	sleep 0.5
done
check "its progress is seen, and grows ($percent)" test -e "$work/between" -a "$percent" != backwards
finish "$updating"
check "it ends well ($status)" test "${status%??}" = 2
received "all devices have all bytes" long cxl_mem.1 cxl_mem.2 cxl_mem.3
shows "the Task is Completed" "Completed 100" "$task" '"\(.TaskState) \(.PercentComplete)"'
get "$sub_tasks?\$expand=." >"$work/sub-tasks.json"
same "so are its sub-tasks" '["Completed",100]' "$(jq -c '[.Members[] | .TaskState, .PercentComplete] | unique' "$work/sub-tasks.json" | jq -c 'sort_by(type == "number")')"

# ---- one of two fails
delay 0 cxl_mem.1 cxl_mem.2 cxl_mem.3
echo "0x0201 4" >/sys/bus/platform/devices/cxl_mem.2/mbox_fail
upload small "$host/Memory/$id1" "$host/Memory/$id2"
finish
same "an update that one of two devices refuses fails" 500 "$status"
says "with the error of the kernel" "read-write-error"
received "the other has it" small cxl_mem.1
echo "0 0" >/sys/bus/platform/devices/cxl_mem.2/mbox_fail

# ---- cancelled
delay 100 cxl_mem.1
upload long "$host/Memory/$id1"
same "an update begins" 202 "$status"
task=$(jq -r '."@odata.id"' "$work/body")
loader=/sys/bus/cxl/devices/$(memdev_of cxl_mem.1)/firmware/$(memdev_of cxl_mem.1)
check "the kernel transfers it" wait_for grep -q transferring "$loader/status"
send DELETE "$task"
check "it is cancelled ($status)" test "${status%??}" = 2
check "the kernel ends it" wait_for grep -q idle "$loader/status"
becomes "the Task is Cancelled" Cancelled value "$task" .TaskState
delay 0 cxl_mem.1
upload small "$host/Memory/$id1"
finish
check "the next is written ($status)" test "${status%??}" = 2
received "and has arrived" small cxl_mem.1

# ---- the device is removed meanwhile
delay 100 cxl_mem.3
upload long "$host/Memory/$id3" "$host/Memory/$id2"
same "an update begins" 202 "$status"
updating=$(monitor)
echo cxl_mem.3 >$drivers/unbind
kill -HUP "$redfishd"
finish "$updating"
same "of a device that is removed it fails" 500 "$status"
says "with its name" "mem"
received "the other has it" long cxl_mem.2
echo cxl_mem.3 >$drivers/bind
kill -HUP "$redfishd"
becomes "it comes back" 200 status_of "$host/Memory/$id3"
delay 0 cxl_mem.3
same "no image is left" "" "$(ls "$work/state" | grep image)"
stop_redfishd "$socket"
