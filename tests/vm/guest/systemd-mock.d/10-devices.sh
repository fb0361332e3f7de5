# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# The mock devices, which answer every command, changed by the service and its helper in their sandboxes:
# partitions, alerts, passphrases, erasing, poison, firmware, Enabled. Each change is read back by cxl and from
# the kernel.
# shellcheck disable=SC2154 # of the files below
# shellcheck source=/dev/null
. /lib/vm/lib.sh
# shellcheck source=/dev/null
. /lib/vm/units.sh
# shellcheck source=/dev/null
. /lib/vm/units-change.sh

memdev_of() {
	basename "/sys/bus/platform/devices/$1"/mem[0-9]*
}
memdev=$(memdev_of cxl_mem.9)
mock=/sys/bus/platform/devices/cxl_mem.9
memory=$(memory_of "$memdev")
mib=$((1 << 20))

start_units "allow = regions,memory,partitions,security,firmware,alerts,poison"
check "the device is read" wait_for sh -c \
	"curl -s --unix-socket $socket http://localhost$memory | grep -q SetPassphrase"

# ---- partitions and alerts
answers "partitions are staged" 200 PATCH "$memory" '{"CXL": {"StagedVolatileSizeMiB": 1536}}'
same "cxl list shows them" $((1536 * mib)) "$(cxl list -m "$memdev" -I | jq '.[0].partition_info.next_volatile_size')"
answers "a threshold is set" 200 PATCH "$memory/MemoryMetrics" \
	'{"Oem": {"CXLHost": {"Alerts": {"LifeUsedPercent": {"WarningThreshold": 70}}}}}'
same "cxl list shows it" 70 "$(cxl list -m "$memdev" -A | jq '.[0].alert_config.life_used_prog_warn_threshold')"

# ---- poison
records() {
	cxl list -m "$memdev" -L | jq -c '[.[0].media_errors[]? | [.offset // .dpa, .length]]'
}
answers "poison is injected" 204 POST "$memory/Actions/Oem/CXLHostMemory.InjectPoison" \
	'{"DevicePhysicalAddress": "0x1000", "LengthBytes": 64}'
same "the device lists it" "[[4096,64]]" "$(records)"
answers "its list is read" 200 POST "$memory/Actions/Oem/CXLHostMemory.GetPoisonList" '{}'
because "and has it" 0x1000
answers "and cleared" 204 POST "$memory/Actions/Oem/CXLHostMemory.ClearPoison" \
	'{"DevicePhysicalAddress": "0x1000", "LengthBytes": 64}'
same "the device lists none" "[]" "$(records)"

# ---- passphrases: keys of the kernel, and a directory of the helper
first='first passphrase 4711' second='second passphrase 0815'
keys=/var/lib/cxl-redfish-change/keys
nmem=$(dirname "$(dirname "$(grep -lx "p$memdev" /sys/bus/nd/devices/nmem*/cxl/provider)")")
actions=$memory/Actions/Memory
passphrase() { # TEXT
	printf '{"RegionId": "pmem", "Passphrase": "%s"}' "$1"
}
answers "a passphrase is set" 204 POST "$actions.SetPassphrase" "$(passphrase "$first")"
same "the device has one" unlocked "$(cat "$nmem/security")"
same "its key is the helper's" "cxl-redfish-change-helper 700" "$(stat -c '%U %a' $keys)"
same "and closed to others" "cxl-redfish-change-helper 600" "$(stat -c '%U %a' $keys/*)"
answers "it is changed" 204 POST "$actions.SetPassphrase" "{\"RegionId\": \"pmem\", \"Passphrase\": \"$second\",
	\"Oem\": {\"CXLHost\": {\"OldPassphrase\": \"$first\"}}}"
echo 1 >$mock/security_lock
same "after a reset it is locked" locked "$(cat "$nmem/security")"
answers "it is not unlocked by the old passphrase" 403 POST "$actions.UnlockUnit" "$(passphrase "$first")"
systemctl restart "$change_helper"
check "a new helper is found" wait_for sh -c \
	"curl -s --unix-socket $socket http://localhost$memory | grep -q UnlockUnit"
answers "it is unlocked by its passphrase, by another process" 204 POST "$actions.UnlockUnit" "$(passphrase "$second")"
same "and is unlocked" unlocked "$(cat "$nmem/security")"
answers "it is erased" 204 POST "$actions.SecureEraseUnit" "$(passphrase "$second")"
same "and has none then" disabled "$(cat "$nmem/security")"
same "nor a key" "" "$(ls $keys)"
# Without a passphrase the driver shows no device as frozen.
answers "a passphrase is set again" 204 POST "$actions.SetPassphrase" "$(passphrase "$first")"
answers "the state is frozen" 204 POST "$actions.FreezeSecurityState" '{}'
same "the driver says so" 1 "$(cat "$nmem/frozen")"
answers "the passphrase is not disabled then" 409 POST "$actions.DisablePassphrase" "$(passphrase "$first")"
because "until a reset" "frozen until the next reset"
journalctl --sync
journalctl --no-pager >"$work/journal"
same "no log has a passphrase" 0 "$(grep -c -e "$first" -e "$second" "$work/journal")"
same "no key stays in the kernel" "" "$(grep -e nvdimm: -e cxl-redfish- /proc/keys)"

# ---- the whole device
memdev=$(memdev_of cxl_mem.8)
memory=$(memory_of "$memdev")
answers "another device is overwritten" 204 POST "$memory/Actions/Memory.OverwriteUnit" '{"RegionId": "all"}'

# ---- firmware
push=/redfish/v1/UpdateService/Actions/Oem/CXLHostUpdateService.MultipartHTTPUpdate
head -c 1000001 /dev/urandom >/run/image
answers "firmware is written" 200 POST "$push" "" \
	-F "UpdateParameters={\"Targets\":[\"$memory\"]};type=application/json" \
	-F "UpdateFile=@/run/image;type=application/octet-stream"
same "all of its bytes have arrived" "$(sha256sum /run/image | cut -c 1-64)" \
	"$(head -c 64 /sys/bus/platform/devices/cxl_mem.8/fw_buf_checksum)"
same "no image is left" "" "$(find /var/lib/cxl-redfish -name 'image*')"

# ---- Enabled
answers "the device is disabled" 200 PATCH "$memory" '{"Enabled": false}'
same "its driver is gone" no "$([ -e "/sys/bus/cxl/devices/$memdev/driver" ] && echo yes || echo no)"
answers "it is enabled" 200 PATCH "$memory" '{"Enabled": true}'
same "it has its driver" yes "$([ -e "/sys/bus/cxl/devices/$memdev/driver" ] && echo yes || echo no)"
journalctl --no-pager --unit "$change_helper" >"$work/journal-change-helper"
