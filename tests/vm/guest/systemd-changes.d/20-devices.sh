# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Memory devices of QEMU, changed by the service and its helper in their sandboxes: firmware, Enabled,
# poison by debugfs, and what they do not support. The mock devices support all: systemd-mock.d.
# shellcheck disable=SC2154 # of the files below
# shellcheck source=/dev/null
. /lib/vm/changes.sh
# shellcheck source=/dev/null
. /lib/vm/units.sh
# shellcheck source=/dev/null
. /lib/vm/units-change.sh

device=$(memdev 3)
memory=$(memory_of "$device")

# ---- firmware
update=/redfish/v1/UpdateService
push=$update/Actions/Oem/CXLHostUpdateService.MultipartHTTPUpdate
# The device takes two seconds for each 2 KiB.
head -c 9000 /dev/urandom >"$work/image"
cp "$work/image" /run/image
rm "$work/image"
check "the update service is enabled" wait_for sh -c \
	"curl -s --unix-socket $socket http://localhost$update | grep -q '\"ServiceEnabled\":true'"
if [ -d "/sys/bus/cxl/devices/$device/firmware/$device" ]; then
	answers "firmware is written to the device" 200 POST "$push" "" \
		-F "UpdateParameters={\"Targets\":[\"$memory\"]};type=application/json" \
		-F "UpdateFile=@/run/image;type=application/octet-stream"
	same "cxl list shows it as staged" 2 "$(cxl list -m "$device" -F | jq '.[0].firmware.staged_slot // 0')"
	same "no image is left" "" "$(find /var/lib/cxl-redfish -name 'image*')"
else
	answers "without a loader of the kernel it is refused" 400 POST "$push" "" \
		-F "UpdateParameters={\"Targets\":[\"$memory\"]};type=application/json" \
		-F "UpdateFile=@/run/image;type=application/octet-stream"
	because "with the reason" "no firmware loader"
fi

# ---- Enabled
answers "the device is disabled" 200 PATCH "$memory" '{"Enabled": false}'
same "its driver is gone" no "$([ -e "/sys/bus/cxl/devices/$device/driver" ] && echo yes || echo no)"
answers "it is enabled" 200 PATCH "$memory" '{"Enabled": true}'
same "it has its driver" yes "$([ -e "/sys/bus/cxl/devices/$device/driver" ] && echo yes || echo no)"

# ---- poison
records() {
	cxl list -m "$device" -L | jq -c '[.[0].media_errors[]? | [.offset // .dpa, .length]]'
}
answers "poison is injected" 204 POST "$memory/Actions/Oem/CXLHostMemory.InjectPoison" \
	'{"DevicePhysicalAddress": "0x1000", "LengthBytes": 64}'
same "the device lists it" "[[4096,64]]" "$(records)"
answers "and cleared" 204 POST "$memory/Actions/Oem/CXLHostMemory.ClearPoison" \
	'{"DevicePhysicalAddress": "0x1000", "LengthBytes": 64}'
same "the device lists none" "[]" "$(records)"

# ---- what this device does not support
answers "partitions are refused" 400 PATCH "$memory" '{"CXL": {"StagedVolatileSizeMiB": 256}}'
because "because of the device" "its capacity cannot be partitioned"
journalctl --sync
journalctl --no-pager --unit "$change_helper" >"$work/journal-change-helper"
