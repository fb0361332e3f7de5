# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# LogService.CollectDiagnosticData by the units: what the sandbox of the service lets through is enough for an
# archive that answers as the host itself.
# shellcheck source=/dev/null
. /lib/vm/lib.sh
# shellcheck source=/dev/null
. /lib/vm/units.sh

archive=$RESULTS/evidence.tar.zst
captures=Systems/Host/LogServices/Captures
body='{"DiagnosticDataType": "OEM", "OEMDiagnosticDataType": "CXLHostCaptureMasked"}'

location() {
	tr -d '\r' <"$RESULTS/evidence.head" | sed -n 's,^Location: \(http://[^/]*\)*/redfish/v1/,,Ip'
}

# The answer to the request, or of its task, has 201 and the location of the entry.
ask() {
	curl -s --max-time 60 -D "$RESULTS/evidence.head" -o "$RESULTS/evidence.body" -w '%{http_code}' \
		--unix-socket $socket "$@"
}
status=$(ask -H 'Content-Type: application/json' -d "$body" "$root/$captures/Actions/LogService.CollectDiagnosticData")
monitor=$(location)
tenths=0
while [ "$status" = 202 ] && [ $tenths -lt 1800 ]; do
	sleep 0.5
	tenths=$((tenths + 5))
	status=$(ask "$root/$monitor")
done
same "the state of the machine is collected" 201 "$status"
entry=$(location)
same "the archive is downloaded" 200 "$(curl -s --max-time 60 -o "$archive" -w '%{http_code}' --unix-socket $socket \
	"$root/$entry/capture.tar.zst")"
same "once" 410 "$(status_of "$entry/capture.tar.zst")"
get "$entry" >"$RESULTS/evidence.json"

zstd -qdc "$archive" | tar -t >"$RESULTS/evidence.list"
for file in sys/bus/cxl/devices sys/firmware/acpi/tables/CEDT sys/firmware/acpi/tables/PRMT proc/iomem; do
	contains "it has $file" "$file" "$RESULTS/evidence.list"
done
# The pages of a device that only the helper may read.
contains "it has the configuration of devices" /config "$RESULTS/evidence.list"
cxl-spa --host "$archive" list >"$RESULTS/evidence.recorded" 2>&1
cxl-spa list >"$RESULTS/evidence.live" 2>&1
contains "cxl-spa opens it" mem0 "$RESULTS/evidence.recorded"
# Masked: identities of the machine are not as they are.
for name in mem0 region0; do
	same "its $name is where that of the host is" "$(grep -c "$name" "$RESULTS/evidence.live")" \
		"$(grep -c "$name" "$RESULTS/evidence.recorded")"
done
same "a client without a login does not collect" 401 "$(tcp_status_of '' "$captures/Actions/LogService.CollectDiagnosticData" \
	http://127.0.0.1:8000 -H 'Content-Type: application/json' -d "$body")"
