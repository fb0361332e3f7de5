#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Methods, headers and their statuses.
. "${0%/*}/functions"
start_usual

memory=$system/Memory/cxl-000000000000abc0
action=$memory/Actions/Oem/CXLHostMemory.TranslateDPA

request 200 GET "$memory"
has '"@odata.id":"'"$memory"'"' '"@odata.type":"#Memory.v1_24_0.Memory"'
header 'OData-Version: 4.0'
header 'Cache-Control: no-cache'
header 'Content-Type: application/json;charset=utf-8'
header 'Allow: GET, HEAD'
header 'Link: <http://redfish.dmtf.org/schemas/v1/Memory.v1_24_0.json>; rel=describedby'
header 'X-Content-Type-Options: nosniff'
length=$(stat -c %s "$scratch/body")
header "Content-Length: $length"
etag=$(echo "$head" | sed -n 's/^ETag: //p')

# HEAD says the same and sends nothing.
request 200 HEAD "$memory"
header "Content-Length: $length"
header "ETag: $etag"
header 'Allow: GET, HEAD'
header 'Link: <http://redfish.dmtf.org/schemas/v1/Memory.v1_24_0.json>; rel=describedby'

request 304 GET "$memory" -H "If-None-Match: $etag"
header "ETag: $etag"
header 'OData-Version: 4.0'
[ -z "$body" ] || fail "a 304 has a body: $body"
request 304 HEAD "$memory" -H "If-None-Match: \"x\", W/$etag"
request 200 GET "$memory" -H 'If-None-Match: "x"'

request 404 GET /redfish/v1/nonsense
has ResourceMissingAtURI '"MessageArgs":["/redfish/v1/nonsense"]'
header 'OData-Version: 4.0'
header 'Content-Type: application/json;charset=utf-8'
request 404 HEAD "$system/Memory/mem0"
request 404 GET "$action/x"

for method in POST PUT PATCH DELETE FAKE; do
	request 405 "$method" "$memory" -H 'Content-Type: application/json' --data '{}'
	header 'Allow: GET, HEAD'
	# A memory device has a PATCH, which a captured host has not.
	case $method in
	PATCH) has NotChangeable 'this is a captured host' ;;
	*) has OperationNotAllowed ;;
	esac
done
request 405 GET "$action"
header 'Allow: POST'

for accept in '*/*' 'application/*' 'application/json' 'application/json;charset=utf-8' \
	'text/html;q=0.9, */*;q=0.1'; do
	request 200 GET "$memory" -H "Accept: $accept"
done
request 200 GET "$memory" -H 'Accept:'
for accept in text/html application/xml 'application/json;q=0'; do
	request 406 GET "$memory" -H "Accept: $accept"
	has HeaderInvalid Accept
done
request 200 GET '/redfish/v1/$metadata' -H 'Accept: application/xml'
header 'Content-Type: application/xml;charset=utf-8'
has '/redfish/v1/schemas/CXLHostMemory_v1.xml' 'EntityContainer'
request 406 GET '/redfish/v1/$metadata' -H 'Accept: application/json'
request 200 GET '/redfish/v1/%24metadata'

request 200 GET "$memory" -H 'OData-Version: 4.0'
request 412 GET "$memory" -H 'OData-Version: 4.1'
has HeaderInvalid

request 200 GET "$memory?excerpt&x=1"
request 501 GET "$memory?\$unknown=."
has QueryParameterUnsupported '$unknown'
request 501 GET "$memory?a=1&%24unknown=Id"

request 415 POST "$action" -H 'Content-Type: text/plain' --data '{}'
has HeaderInvalid Content-Type
request 415 POST "$action" --data '{"DevicePhysicalAddress":"0x0"}'
request 200 POST "$action" -H 'Content-Type: application/json; charset=utf-8' \
	--data '{"DevicePhysicalAddress":"0x0"}'

# One byte more than may be sent, known beforehand or not, asked for or not.
head -c 1048577 /dev/zero | tr '\0' ' ' >"$scratch/big"
for how in 'Expect:' 'Expect: 100-continue' 'Transfer-Encoding: chunked'; do
	request 413 POST "$action" -H 'Content-Type: application/json' -H "$how" \
		--data-binary "@$scratch/big"
	has PayloadTooLarge
done
# As many as may be sent.
{ head -c 1048540 "$scratch/big"; printf '{"DevicePhysicalAddress":"0x0"}'; } >"$scratch/fits"
request 200 POST "$action" -H 'Content-Type: application/json' --data-binary "@$scratch/fits"
request 200 POST "$action" -H 'Content-Type: application/json' -H 'Transfer-Encoding: chunked' \
	--data-binary "@$scratch/fits"

long=$(head -c 8300 /dev/zero | tr '\0' a)
request 414 GET "/redfish/v1/$long"
request 200 GET "$memory?x=$(echo "$long" | head -c 7000)"

for path in /redfish/v1/../v1/Systems /redfish/v1/./Systems /redfish//v1 /redfish/v1/Systems/.. \
	/redfish/%2e%2e/redfish /redfish/v1/%00 /redfish%2fv1/Systems /redfish/v1/a%5cb; do
	request 400 GET "$path"
	has InvalidURI
done

# The body of a read is ignored.
request 200 GET "$memory" --data 'anything'
request 200 GET "$memory" --data 'anything' -H 'Expect: 100-continue'
request 200 GET "$memory" --data 'anything' -H 'Transfer-Encoding: chunked'
for path in "/$memory" "///$memory" "/$memory/"; do
	request 200 GET "$path"
	has '"@odata.id":"'"$memory"'"'
done
request 200 POST "/$action" -H 'Content-Type: application/json' \
	--data '{"DevicePhysicalAddress":"0x0"}'
request_as_is 200 GET //redfish/v1/
request 200 GET "$memory/"
has '"@odata.id":"'"$memory"'"'

# An answer survives a rebuild of the same topology in a client's cache.
kill -HUP "$pid"
for _ in $tries; do
	! grep -q 'read again' "$scratch/err" || break
	sleep 0.1
done
request 304 GET "$memory" -H "If-None-Match: $etag"
finish
