# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# A device reports an error: the entry has the address that firmware says, through both processes.
# shellcheck source=/dev/null
. /lib/vm/lib.sh
# shellcheck source=/dev/null
. /lib/vm/units.sh

devices=$RESULTS/devices.txt
cxl_devices >"$devices"
bdf=$(awk '$1 == "0xabc0" { print $2 }' "$devices")
right=$(echo "$bdf 0x1f40" | rule plain spa "$devices" | awk '{ print $3 }')

qmp_open
check "a media error is injected" qmp cxl-inject-general-media-event \
	"\"path\": \"/machine/peripheral/dev0\", \"log\": \"failure\", \"flags\": 1, \"dpa\": 8000,
	\"descriptor\": 3, \"type\": 3, \"transaction-type\": 192, \"channel\": 3, \"rank\": 17,
	\"device\": 5, \"component-id\": \"DIMM7\""
qmp_close
has_address() {
	get 'Systems/Host/LogServices/CXL/Entries' | grep -q "\"SystemPhysicalAddress\":\"$right\""
}
check "its entry has the address of firmware's rule" wait_for has_address
get 'Systems/Host/LogServices/CXL/Entries' >"$RESULTS/entries.json"
contains "the source of the address is firmware" '"TranslationSource":"prm"' "$RESULTS/entries.json"

memory=$(get Systems/Host/Memory | grep -o 'Systems/Host/Memory/cxl-[0-9a-z]*abc0' | head -n 1)
curl -s --unix-socket $socket -H 'Content-Type: application/json' -d '{"DevicePhysicalAddress": "0x4c0"}' \
	"$root/$memory/Actions/Oem/CXLHostMemory.TranslateDPA" >"$RESULTS/translated.json"
contains "an address is translated" "$(echo "$bdf 0x4c0" | rule plain spa "$devices" | awk '{ print $3 }')" \
	"$RESULTS/translated.json"
