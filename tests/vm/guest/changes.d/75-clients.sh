# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash disable=SC2016 # the backquotes are those of Markdown
#
# A client creates a region, uses its memory and releases it, with the requests and answers that docs/clients.md
# shows in its section "recorded". The record of this boot is $RESULTS/clients/record.md.
# shellcheck source=/dev/null
. /lib/vm/changes.sh
needs_redfish

work=$RESULTS/clients
mkdir -p "$work" /run/clients-state
record=$work/record.md
start_redfishd /run/redfish "$work/log" --allow=regions,memory --state /run/clients-state
window=$(window first)

# shown: the text with the names that this boot gave replaced by the document's.
shown() {
	sed -e "s/$window\b/decoder0.1/g" -e "s/$(window_id "$window")/window-0000000210000000/g" -e 's/spa-[0-9a-f]\{16\}/spa-0000000210000000/g' \
		-e 's/region[0-9][0-9]*/region0/g' -e 's/dax[0-9][0-9]*\.0/dax0.0/g'
}

# write_step STATUS LINE PROPERTIES [BODY]: a request and what it was answered in the end, to the record. PROPERTIES
# are those of the answer that are shown, separated by commas; "" when it has none.
write_step() {
	local status=$1 line=$2 properties=$3 body=${4:-}
	{
		printf '```http\n%s\n' "$line"
		[ "${line#GET}" != "$line" ] || printf 'If-Match: "TAG"\n'
		[ -z "$body" ] || printf '\n%s\n' "$body"
		printf '```\n\n```http\n%s\n' "$status"
		if [ -n "$properties" ]; then
			echo
			jq --indent 2 --arg properties "$properties" \
				'. as $all | [$properties | split(",")[] | {(.): $all[.]}] | add' "$work/body"
		fi
		printf '```\n\n'
	} | shown >>"$record"
}

: >"$record"
uri="$SYSTEM/MemoryDomains/$(window_id "$window")?\$select=AllowsMemoryChunkCreation,MinMemoryChunkSizeMiB,Oem/CXLHost/FreeBytes"
status=$(ask GET "$uri")
write_step "$status OK" "GET $uri" AllowsMemoryChunkCreation,MinMemoryChunkSizeMiB,Oem

uri=$(chunks "$window")
body='{"AddressRangeType": "Volatile", "MemoryChunkSizeMiB": 8192}'
status=$(change POST "$uri" "$body")
write_step "$status Insufficient Storage" "POST $uri" error "$body"

body='{"AddressRangeType": "Volatile", "MemoryChunkSizeMiB": 1024}'
status=$(change POST "$uri" "$body")
chunk=$(header Location)
write_step "$status Created" "POST $uri" @odata.id,AddressRangeType,MemoryChunkSizeMiB,InterleaveSets,Status "$body"
dax_of "$(regions)"

body='{"RequestedOperationalState": "Online"}'
status=$(change PATCH "$chunk" "$body")
write_step "$status OK" "PATCH $chunk" @odata.id,RequestedOperationalState "$body"

ask GET "$chunk" >/dev/null
jq '.Oem.CXLHost' "$work/body" >"$work/oem" && mv "$work/oem" "$work/body"
write_step "200 OK" "GET $chunk?\$select=Oem/CXLHost/Releasable" Releasable

status=$(change DELETE "$chunk")
write_step "$status No Content" "DELETE $chunk" ""
nothing "nothing is left of it"

sed -n '/^<!-- recorded /,/^# /p' /lib/vm/clients.md | sed -n '/^```http$/,/^```$/p' >"$work/document"
sed -n '/^```http$/,/^```$/p' "$record" >"$work/requests"
check "docs/clients.md has these requests and answers" diff -U 0 "$work/document" "$work/requests"
stop_redfishd /run/redfish
