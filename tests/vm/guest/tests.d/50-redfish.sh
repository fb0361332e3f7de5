# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# cxl-redfishd translates the same addresses.
# shellcheck source=/dev/null
. /lib/vm/lib.sh
needs_program cxl-redfishd
needs_program curl
[ "$VM_FAULT" = none ] || exit 0

devices=$RESULTS/devices.txt
cxl_devices >"$devices"
work=$RESULTS/redfish
mkdir -p "$work"
socket=/run/redfish
host=http://localhost/redfish/v1/Systems/Host
on_processors 1
check "cxl_prm loads with a rate" reload_cxl_prm rate=1000000 burst=1000000
start_redfishd "$socket" "$work/log"

# translate ACTION PARAMETER KEY...: these keys of each answer to the addresses on standard input.
translate() {
	local url=$1 parameter=$2
	shift 2
	sed 's/.*/"&"/' | paste -s -d , | sed "s/.*/{\"$parameter\": [&]}/" >"$work/request.json"
	curl -s --max-time 60 --unix-socket "$socket" -H 'Content-Type: application/json' \
		-d "@$work/request.json" "$url" >"$work/answer.json"
	sed 's/.*"Translations":\[//
		s/},{"\(Device\|System\)Phys/},\n{"\1Phys/g
		s/":/": /g' "$work/answer.json" | fields "$@"
}

rule boundaries "$devices" | sort -s -k 1,1 | rule "$VM_RULE" spa "$devices" >"$work/right"
sort -k 2 "$devices" | while read -r serial bdf _; do
	grep "^$bdf " "$work/right" | cut -d ' ' -f 2 |
		translate "$host/Memory/$(printf 'cxl-%016x' "$serial")/Actions/Oem/CXLHostMemory.TranslateDPA" \
			DevicePhysicalAddresses \
			DevicePhysicalAddress SystemPhysicalAddress Exact TranslationSource |
		sed "s/^/$bdf /"
done >"$work/by-dpa"
sed 's/$/ true prm/' "$work/right" >"$work/expected"
check "cxl-redfishd: boundaries translate by the firmware's rule" \
	same_lines "$work/expected" "$work/by-dpa"

cut -d ' ' -f 3 "$work/right" |
	translate "$host/Actions/Oem/CXLHostComputerSystem.TranslateSPA" SystemPhysicalAddresses \
		SystemPhysicalAddress DevicePhysicalAddress Exact TranslationSource >"$work/by-spa"
awk '{ print $3, $2, "true", "prm" }' "$work/right" >"$work/expected"
check "cxl-redfishd: boundaries translate back from their SPA" \
	same_lines "$work/expected" "$work/by-spa"

stop_redfishd "$socket"
on_processors 3
