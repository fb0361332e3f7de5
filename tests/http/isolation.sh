#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Remembered pages of the service on a captured host, where none can be taken out: lists that are imported beside
# it, the log HardwareIsolation, a kill, and a list that is refused.
. "${0%/*}/functions"

log=$system/LogServices/HardwareIsolation
state=$scratch/pages
spa=./cxl-spa

begin() {
	start normalized-7.3 --state "$state" --listen "unix:$socket"
}

# spa STATUS ARGUMENT...: runs cxl-spa page on the state directory; leaves its output in $body.
page() {
	wanted=$1
	shift
	what="cxl-spa page $*"
	got=0
	body=$("$spa" page "$@" --state "$state" 2>&1) || got=$?
	[ "$got" -eq "$wanted" ] || fail "$what: status $got: $body"
}

# Without a service nothing is created.
page 2 list
has 'state.db: No such file or directory'
[ ! -e "$state" ] || fail "a state directory was made"

begin
request 200 GET "$log"
has '"State":"Enabled"' '"MaxNumberOfRecords":1024' '"OverWritePolicy":"NeverOverWrites"'
request 200 GET "$log/Entries"
has '"Members@odata.count":0'

cat >"$scratch/list.json" <<'END'
{"remembered": [
	{"device": "cxl-000000000000abc0", "serial": "0xabc0", "dpa": "0x1000", "cause": "automatic", "incident": 7},
	{"device": "cxl-000000000000dddd", "serial": "0xdddd", "dpa": "0x2040"}]}
END
page 0 import "$scratch/list.json"
has '2 of 2 pages are new'
page 0 import "$scratch/list.json"
has '0 of 2 pages are new'

# import_with STATUS LINE: one more page, in a namespace with this configuration of its own.
echo '{"remembered": [{"device": "cxl-000000000000dddd", "dpa": "0x9000"}]}' >"$scratch/more.json"
import_with() {
	what="import with $2"
	got=0
	# shellcheck disable=SC2016 # of the inner shell
	body=$(echo "$2" | unshare -rm sh -ec 'mount -t tmpfs none /etc && mkdir /etc/cxl-redfish &&
		cat >/etc/cxl-redfish/cxl-redfishd.conf && exec "$0" page import "$1" --state "$2"' "$spa" "$scratch/more.json" "$state" 2>&1) ||
		got=$?
	[ "$got" -eq "$1" ] || fail "$what: status $got: $body"
}
import_with 2 'page-limit-total = 2'
has '3 pages would be remembered, and page-limit-total allows 2'
request 200 GET "$log/Entries"
has '"Members@odata.count":2'
request 200 GET "$log/Entries/1"
has '"Name":"Hardware Isolation Entry"' '"EntryType":"Event"' '"Severity":"Critical"' '"Resolved":false' \
	'"State":"known"' '"DevicePhysicalAddress":"0x1000"' \
	'"OriginOfCondition":{"@odata.id":"/redfish/v1/Systems/Host/Memory/cxl-000000000000abc0"}'
# A device that is not here has no resource.
request 200 GET "$log/Entries/2"
has '"Severity":"Warning"' '"OriginOfConditionUnavailable":true'

# The device has them in explain, for root.
if [ "$(id -u)" -eq 0 ]; then
	body=$("$spa" --host "$hosts/normalized-7.3.tar.zst" explain mem2 --state "$state") || fail "explain: $body"
	has '1 page of its memory is to stay out of use, and 0 are'
	body=$("$spa" --host "$hosts/normalized-7.3.tar.zst" explain mem2)
	lacks 'stay out of use'
fi

# The list is what was imported, also for another machine, and survives the kill.
page 0 export
printf '%s' "$body" >"$scratch/exported.json"
kill -9 "$pid"
wait "$pid" 2>/dev/null
rm -f "$socket"
begin
page 0 import "$scratch/exported.json"
has '0 of 2 pages are new'
page 0 list
has 'cxl-000000000000abc0 DPA 0x1000 automatic known incident 7'

# Lists that are refused change nothing.
printf '{"remembered":[{"device":"cxl-000000000000abc0","dpa":"0x40"},{"device":"cxl-0","dpa":"0x1"}]}' >"$scratch/bad.json"
page 2 import "$scratch/bad.json"
has 'bad.json: entry 2: dpa must be'
{
	printf '{"remembered":['
	seq -f '{"device":"cxl-0","dpa":"0x%.0f00"},' 1000 2100
	printf '{"device":"cxl-0","dpa":"0x0"}]}'
} >"$scratch/long.json"
page 2 import "$scratch/long.json"
has 'page-limit-total allows 1024'
page 2 import "$scratch/missing.json"
has 'missing.json: No such file'
page 2 --host "$hosts/normalized-7.3.tar.zst" list
has 'and --host of another one'
request 200 GET "$log/Entries"
has '"Members@odata.count":2'

# Pages that were never out are forgotten at once.
request 204 DELETE "$log/Entries/1"
request 404 GET "$log/Entries/1"
request 404 DELETE "$log/Entries/1"
request 404 DELETE "$log/Entries/x"
post 202 "$log/Actions/LogService.ClearLog" '{}'
finish_task
[ "$status" = 204 ] || fail "ClearLog ended with $status: $body"
request 200 GET "$log/Entries"
has '"Members@odata.count":0'

# A configuration with a mistake is said, and the defaults are used.
import_with 0 'page-limit-total = many'
has 'the limits are their defaults' 'cxl-redfishd.conf:1: ' '1 of 1 pages are new'
stop
finish
