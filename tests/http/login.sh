#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Who may see what, on both kinds of listeners.
. "${0%/*}/functions"
start_usual

memory=$system/Memory/cxl-000000000000abc0

for path in /redfish /redfish/v1 /redfish/v1/ /redfish/v1/odata '/redfish/v1/$metadata'; do
	request_as_is 200 GET "$path"
	request_as_is 200 HEAD "$path"
	# A wrong login is no worse than none.
	request_as_is 200 GET "$path" --user admin:wrong
	request_as_is 401 POST "$path" --data '{}'
	request_as_is 401 DELETE "$path"
done

for path in /redfish/v1/Systems "$memory" /redfish/v1/nonsense / /redfish/v1/SessionService \
	/redfish/v1/schemas/CXLHostMemory_v1.xml; do
	for login in : admin: admin:wrong admin:secre admin:secret1 root:secret :secret; do
		request_as_is 401 GET "$path" --user "$login"
		header 'WWW-Authenticate: Basic realm="CXL memory", charset="UTF-8"'
		has AccessUnauthorized
	done
	request_as_is 401 GET "$path"
	no_header ETag
	request_as_is 401 HEAD "$path"
	request_as_is 401 GET "$path" -H 'Authorization: Basic'
	request_as_is 401 GET "$path" -H 'Authorization: Digest username="admin"'
	request_as_is 401 GET "$path" -H 'X-Auth-Token: x'
done
request 200 GET "$memory"
request 404 GET /redfish/v1/nonsense

# The login comes before conditions, bodies and their size.
request_as_is 401 GET "$memory" -H 'If-None-Match: *'
request_as_is 401 GET "$memory" -H 'OData-Version: 9'
request_as_is 401 POST "$memory/Actions/Oem/CXLHostMemory.TranslateDPA" --data 'nonsense'
head -c 2000000 /dev/zero >"$scratch/big"
request_as_is 401 POST "$memory/Actions/Oem/CXLHostMemory.TranslateDPA" \
	--data-binary "@$scratch/big"
request_as_is 401 POST "$memory/Actions/Oem/CXLHostMemory.TranslateDPA" -H 'Expect:' \
	--data-binary "@$scratch/big"

# The other listener has the same rule.
[ "$(curl -s -o /dev/null -w '%{http_code}' "$url/redfish/v1/Systems")" = 401 ] ||
	fail "TCP without login"
[ "$(curl -s -o /dev/null -w '%{http_code}' -u admin:secret "$url/redfish/v1/Systems")" = 200 ] ||
	fail "TCP with login"

# The password is nowhere to be seen.
! tr '\0' ' ' <"/proc/$pid/cmdline" | grep -q secret || fail "the password is in the command line"
! grep -q secret "$scratch/out" "$scratch/err" || fail "the password is in the log"
finish
