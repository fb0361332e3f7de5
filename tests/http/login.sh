#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Permissions to see resources, on both kinds of listeners.
own_network=yes
. "${0%/*}/functions"
start_usual

memory=$system/Memory/cxl-000000000000abc0

for path in /redfish /redfish/v1 /redfish/v1/ /redfish/v1/odata '/redfish/v1/$metadata' /redfish/v1/openapi.yaml; do
	request_by_tcp 200 GET "$path"
	request_by_tcp 200 HEAD "$path"
	# A wrong login is no worse than none.
	request_by_tcp 200 GET "$path" --user admin:wrong
	request_by_tcp 401 POST "$path" --data '{}'
	request_by_tcp 401 DELETE "$path"
done

for path in /redfish/v1/Systems "$memory" /redfish/v1/nonsense /page/nothing /redfish/v1/schemas/CXLHostMemory_v1.xml; do
	for login in : admin: admin:wrong admin:secre admin:secret1 root:secret :secret; do
		request_by_tcp 401 GET "$path" --user "$login" --interface 192.0.2.3
		header 'WWW-Authenticate: Basic realm="CXL memory", charset="UTF-8"'
		has AccessUnauthorized
		lacks admin password lock
	done
	request_by_tcp 401 GET "$path"
	no_header ETag
	request_by_tcp 401 HEAD "$path"
	request_by_tcp 401 GET "$path" -H 'Authorization: Basic'
	request_by_tcp 401 GET "$path" -H 'Authorization: Basic YWRtaW4='
	request_by_tcp 401 GET "$path" -H 'Authorization: Basic YWRtaW46c2VjcmV0='
	request_by_tcp 401 GET "$path" -H 'Authorization: Digest username="admin"'
	request_by_tcp 401 GET "$path" -H 'X-Auth-Token: x'
	request_by_tcp 401 GET "$path" -H 'X-Auth-Token: x' --user admin:secret
	request_by_tcp 401 GET "$path" -H 'Cookie: sessionKey=x; admin=secret'
done
request_by_tcp 200 GET "$memory" --user admin:secret
request_by_tcp 404 GET /redfish/v1/nonsense --user admin:secret

# The login comes before conditions, bodies and their size.
request_by_tcp 401 GET "$memory" -H 'If-None-Match: *'
request_by_tcp 401 GET "$memory" -H 'OData-Version: 9'
translate=$memory/Actions/Oem/CXLHostMemory.TranslateDPA
request_by_tcp 401 POST "$translate" --data 'nonsense'
head -c 2000000 /dev/zero >"$scratch/big"
request_by_tcp 401 POST "$translate" --data-binary "@$scratch/big"
request_by_tcp 401 POST "$translate" -H 'Expect:' --data-binary "@$scratch/big"
request_by_tcp 401 POST "$translate" -H 'Expect:' --data-binary "@$scratch/big" --user admin:wrong \
	--interface 192.0.2.4
# A body is read after a password that is checked first.
request_by_tcp 200 POST "$translate" --user admin:secret -H 'Content-Type: application/json' \
	--data '{"DevicePhysicalAddress": "0x1040"}'
request_by_tcp 200 POST "$translate" --user admin:secret -H 'Content-Type: application/json' \
	-H 'Expect: 100-continue' --data '{"DevicePhysicalAddress": "0x1040"}'

# The user of the socket is a login, but a credential in the request wins.
request_as_is 200 GET "$memory"
request 200 GET "$memory"
request_as_is 401 GET "$memory" --user admin:wrong
request_as_is 401 GET "$memory" -H 'X-Auth-Token: x'
if [ "$(id -u)" -eq 0 ] && setpriv --reuid 65534 --clear-groups true 2>/dev/null; then
	chmod 711 "$scratch"
	chmod 666 "$socket"
	# as_other STATUS GROUP METHOD PATH [CURL ARGUMENT...]: as a user without rights.
	as_other() {
		expected=$1 group=$2 method=$3 path=$4
		shift 4
		status=$(setpriv --reuid 65534 --regid "$group" --clear-groups curl -s -o /dev/null \
			-w '%{http_code}' --unix-socket "$socket" -X "$method" "$@" "http://localhost$path") || :
		[ "$status" = "$expected" ] ||
			fail "uid 65534 of group $group: $method $path: status $status instead of $expected"
	}
	as_other 401 65534 GET "$memory"
	as_other 200 65534 GET "$memory" --user admin:secret
	# A member of the service's group reads; TranslateDPA changes nothing.
	as_other 200 0 GET "$memory"
	as_other 200 0 POST "$translate" -H 'Content-Type: application/json' \
		--data '{"DevicePhysicalAddress": "0x1040"}'
	as_other 401 0 GET "$memory" --user admin:wrong
	# Not root: locked out as others are.
	for _ in 1 2 3; do
		as_other 401 65534 GET "$memory" --user admin:wrong
	done
	as_other 401 65534 GET "$memory" --user admin:secret
	for _ in 1 2 3 4 5 6 7 8; do
		request_as_is 401 GET "$memory" --user admin:wrong
	done
	request_as_is 200 GET "$memory" --user admin:secret
fi

# The password is nowhere to be seen.
! tr '\0' ' ' <"/proc/$pid/cmdline" | grep -q secret || fail "the password is in the command line"
! grep -q secret "$scratch/out" "$scratch/err" || fail "the password is in the log"
stop
finish
