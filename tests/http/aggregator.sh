#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# A management controller that aggregates this service, as bmcweb does: aggregator.py, for each kind of Ids.
own_network=yes
. "${0%/*}/functions"
needs_python
for id in Host name:Rack7-n1; do
	rm -rf "$scratch/state"
	start switch-model-7.3 --listen http://192.0.2.1:0 --listen "unix:$socket" --password-file "$scratch/password" \
		--read-only-peer 192.0.2.9 --state "$scratch/state" --system-id "$id"
	python3 -B "$srcdir/tests/http/aggregator.py" "$url" 192.0.2.9 192.0.2.8 "${id#name:}" || fail "aggregator.py: $id"
	stop
done
finish
