#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Query options, alone and combined, on all resources of hosts; what is refused; gzip.
. "${0%/*}/functions"
needs_python

for host in normalized-7.3 switch-7.3; do
	start $host --listen "unix:$socket"
	timeout 900 python3 "$srcdir/tests/http/queries.py" "$socket" || fail "$host"
	stop
done

# Without a login the expansion of the service root has nothing that needs one.
start_usual switch-7.3
n_systems='#ComputerSystemCollection.'
request_by_tcp 200 GET '/redfish/v1/?$expand=.'
case $body in
*"$n_systems"*) fail "the service root shows what needs a login" ;;
esac
request 200 GET '/redfish/v1/?$expand=.'
has "$n_systems"
request_by_tcp 200 GET '/redfish/v1/?$expand=*($levels=6)'
lacks "$n_systems"
stop

finish
