#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Firmware updates as curl sends them, at a captured host: the inventory is shown, and who is refused by
# what, before a byte of the image is stored.
. "${0%/*}/functions"
service=/redfish/v1/UpdateService
push=$service/Actions/Oem/CXLHostUpdateService.MultipartHTTPUpdate
head -c 3000000 /dev/urandom >"$scratch/image"

# push STATUS REQUEST ARGUMENT...: an update, by one of the functions of requests.
push() {
	wanted_status=$1 by=$2
	shift 2
	"$by" "$wanted_status" POST "$push" "$@" \
		-F "UpdateParameters={\"Targets\":[\"$service/FirmwareInventory/cxl-000000000000000a-3\"]};type=application/json" \
		-F "UpdateFile=@$scratch/image;type=application/octet-stream"
}

nothing_is_left() {
	left=$(find "$scratch/state" -name 'image.*')
	[ -z "$left" ] || fail "an image is left in the state directory: $left"
}

mkdir -m 0700 "$scratch/state"
start mock-7.3 --listen "unix:$socket" --listen http://127.0.0.1:0 --password-file "$scratch/password" \
	--state "$scratch/state" --allow=firmware
request 200 GET "$service"
has '"ServiceEnabled":false' "\"MultipartHttpPushUri\":\"$push\"" '"MaxImageSizeBytes":1073741824' \
	"$service/FirmwareInventory"
# Devices are read after the start.
for _ in $tries; do
	request 200 GET "$service/FirmwareInventory"
	case $body in
	*000a-2*) break ;;
	esac
	sleep 0.1
done
request 200 GET "$service/FirmwareInventory/cxl-000000000000000a-2"
has '"Version":"cxl_test_fw_002"' '"Active":true' '"Updateable":false' "$system/Memory/cxl-000000000000000a"

push 405 request
has NotChangeable 'captured host'
case $head in
*'Allow: OPTIONS'*) ;;
*) fail "Allow is not that of what cannot be used: $head" ;;
esac
request 405 GET "$push"
# The same without and with "Expect: 100-continue", and in chunks.
push 405 request -H 'Expect:'
push 405 request -H 'Expect: 100-continue'
push 405 request -H 'Transfer-Encoding: chunked'

# Without a login, or with a wrong one, the answer has no other reason.
push 401 request_by_tcp
push 401 request_by_tcp --user admin:wrong
post 201 /redfish/v1/AccountService/Accounts \
	'{"UserName":"reader","Password":"a-Password-of-1","RoleId":"ReadOnly"}'
push 405 request_by_tcp --user admin:secret
push 405 request_by_tcp --user reader:a-Password-of-1
nothing_is_left
stop

start mock-7.3 --listen "unix:$socket" --state "$scratch/state"
request 200 GET "$service"
has '"ServiceEnabled":false' '"State":"Disabled"'
push 405 request
has NotChangeable
stop

finish
