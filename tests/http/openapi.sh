#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The OpenAPI document is valid, and says of every resource of a host what the service does.
. "${0%/*}/functions"
needs_python

for host in normalized-7.3 switch-model-7.3; do
	start_with_log "$host" --allow fabric,regions,memory
	python3 "$srcdir/tests/http/openapi.py" "$socket" || fail "$host"
	stop
done

# Without a login, and with the Id of the system that clients see.
start zen5-doc --listen "unix:$socket" --listen http://127.0.0.1:0 --password-file "$scratch/password" --system-id name:alpha
[ "$(curl -s -o "$scratch/document" -w '%{http_code} %{content_type}' -H 'Accept: application/yaml' \
	"$url/redfish/v1/openapi.yaml")" = "200 application/yaml" ] || fail "without a login"
grep -q '"/redfish/v1/Systems/alpha/Memory"' "$scratch/document" || fail "the Id of the system is another one"
request 406 GET /redfish/v1/openapi.yaml -H 'Accept: application/json'
request 405 DELETE /redfish/v1/openapi.yaml
stop
finish
