#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Web pages of other sites change nothing and read nothing, unless their origin is configured.
. "${0%/*}/functions"

for bad in '*' null page.example https://page.example/ https://page.example:0 'https://a b'; do
	refused_start 2 allow-origin 'is no origin' -- --listen "unix:$socket" --allow-origin "$bad"
done

start normalized-7.3 --listen "unix:$socket" --listen http://127.0.0.1:0 \
	--password-file "$scratch/password" --state "$scratch/state" \
	--allow-origin https://page.example --allow-origin http://127.0.0.1:3000
subscriptions=/redfish/v1/EventService/Subscriptions
action=$system/Memory/cxl-000000000000abc0/Actions/Oem/CXLHostMemory.TranslateDPA

# refused METHOD PATH HEADER CURL ARGUMENT...: 403 that names the header, with a login and without.
refused() {
	method=$1 path=$2 name=$3
	shift 3
	for how in request request_as_is; do
		$how 403 "$method" "$path" "$@"
		has HeaderInvalid "\"MessageArgs\":[\"$name\"]" Resolution
		no_header Access-Control-Allow-Origin
	done
}

for origin in https://evil.example null http://localhost.evil.example http://localhost:81 \
	https://page.example:444 http://page.example https://page.example.evil.example; do
	refused POST "$action" Origin -H "Origin: $origin" -H 'Content-Type: application/json' \
		--data '{"DevicePhysicalAddress":"0x0"}'
	refused POST /redfish/v1/SessionService/Sessions Origin -H "Origin: $origin" \
		-H 'Content-Type: application/json' --data '{"UserName":"admin","Password":"secret"}'
	refused POST "$subscriptions" Origin -H "Origin: $origin" -H 'Content-Type: application/json' \
		--data '{"Destination":"https://127.0.0.1:1/","Protocol":"Redfish"}'
	refused PATCH "$subscriptions/1" Origin -H "Origin: $origin" --data '{}'
	refused DELETE "$subscriptions/1" Origin -H "Origin: $origin"
	refused PUT "$subscriptions/1" Origin -H "Origin: $origin" --data '{}'
done
for site in cross-site same-site anything; do
	refused POST "$action" Sec-Fetch-Site -H "Sec-Fetch-Site: $site" \
		-H 'Content-Type: application/json' --data '{"DevicePhysicalAddress":"0x0"}'
	refused DELETE "$subscriptions/1" Sec-Fetch-Site -H "Sec-Fetch-Site: $site" \
		-H 'Origin: http://localhost'
done
refused GET /redfish/v1/EventService/SSE Origin -H 'Origin: https://evil.example'
request 200 GET "$subscriptions"
has '"Members":[]'

# One's own pages, and other clients, which send neither header.
for how in 'Origin: http://localhost' 'Sec-Fetch-Site: same-origin' 'Sec-Fetch-Site: none' \
	'User-Agent: curl'; do
	request 200 POST "$action" -H "$how" -H 'Content-Type: application/json' \
		--data '{"DevicePhysicalAddress":"0x0"}'
done
# Over TCP the scheme is known.
for scheme in http https; do
	[ "$scheme" = http ] && wanted=200 || wanted=403
	status=$(curl -s -o /dev/null -w '%{http_code}' -u admin:secret -X POST "$url$action" \
		-H "Origin: $scheme:${url#http:}" -H 'Content-Type: application/json' \
		--data '{"DevicePhysicalAddress":"0x0"}')
	[ "$status" = "$wanted" ] || fail "own origin over $scheme: $status"
done

# Reads are answered, but the page may not read them.
request 200 GET "$system" -H 'Origin: https://evil.example' -H 'Sec-Fetch-Site: cross-site'
no_header Access-Control-Allow-Origin
header 'Vary: Origin'

# Configured origins.
for origin in https://page.example https://page.example:443 http://127.0.0.1:3000; do
	request 200 POST "$action" -H "Origin: $origin" -H 'Sec-Fetch-Site: cross-site' \
		-H 'Content-Type: application/json' --data '{"DevicePhysicalAddress":"0x0"}'
	header "Access-Control-Allow-Origin: $origin"
	header 'Vary: Origin'
	no_header Access-Control-Allow-Credentials
	request_as_is 401 GET "$system" -H "Origin: $origin" --user unknown:wrong
	header "Access-Control-Allow-Origin: $origin"
	request_as_is 204 OPTIONS "$subscriptions" -H "Origin: $origin" \
		-H 'Access-Control-Request-Method: POST'
	header "Access-Control-Allow-Origin: $origin"
	header 'Access-Control-Allow-Methods: GET, HEAD, POST, PATCH, DELETE'
	echo "$head" | grep -qi '^Access-Control-Allow-Headers:.*X-Auth-Token' ||
		fail "preflight: X-Auth-Token is not allowed: $head"
done
request_as_is 403 OPTIONS "$subscriptions" -H 'Origin: https://evil.example' \
	-H 'Access-Control-Request-Method: POST'
no_header Access-Control-Allow-Methods
stop

# The list of a configuration is replaced by a reload.
preflight() {
	curl -s --max-time 180 --unix-socket "$socket" -o "$scratch/body" -w '%{http_code}' -X OPTIONS \
		-H "Origin: $1" -H 'Access-Control-Request-Method: GET' http://localhost/redfish/v1/
}
echo 'allow-origin = https://page.example' >"$scratch/conf"
start normalized-7.3 --config "$scratch/conf" --listen "unix:$socket"
[ "$(preflight https://page.example)" = 204 ] || fail "an origin of the configuration"
[ "$(preflight https://other.example)" = 403 ] || fail "another origin"
echo 'allow-origin = https://other.example' >"$scratch/conf"
kill -HUP "$pid"
for _ in $tries; do
	[ "$(preflight https://other.example)" != 204 ] || break
	sleep 0.1
done
[ "$(preflight https://other.example)" = 204 ] || fail "the new origin is not allowed"
[ "$(preflight https://page.example)" = 403 ] || fail "the old origin is still allowed"
stop

# Without the option no reply depends on the origin.
start_usual
request 200 GET "$system" -H 'Origin: https://page.example'
no_header Access-Control-Allow-Origin
! echo "$head" | grep -qix 'Vary: Origin' || fail "the reply depends on the origin: $head"
request_as_is 403 OPTIONS "$system" -H 'Origin: https://page.example' \
	-H 'Access-Control-Request-Method: GET'
request 204 OPTIONS "$subscriptions"
header 'Allow: GET, HEAD, POST'
request 204 OPTIONS "$action"
header 'Allow: POST'
request_as_is 401 OPTIONS "$action" --user unknown:wrong
request_as_is 204 OPTIONS /redfish/v1/
request 404 OPTIONS /redfish/v1/nonsense

# A body must claim JSON; an action without one needs no type.
request 415 POST "$action" -H 'Content-Type:' --data '{"DevicePhysicalAddress":"0x0"}'
has HeaderInvalid Content-Type
request 415 POST "$action" -H 'Content-Type:' -H 'Transfer-Encoding: chunked' \
	--data '{"DevicePhysicalAddress":"0x0"}'
request 415 DELETE "$subscriptions/1" -H 'Content-Type: text/plain' --data 'x'
request 400 POST "$action"
lacks Content-Type
finish
