#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# A host and a switch that can be changed against DMTF's schemas and our own: their actions, and what they answer.
. "${0%/*}/functions"

schemas=${REDFISH_SCHEMAS:-$srcdir/../shared/redfish-schemas-2026.1}
[ -d "$schemas/json-schema" ] || skip "no schemas in $schemas, set REDFISH_SCHEMAS"
for python in python3 /usr/bin/python3; do
	! "$python" -c 'import jsonschema' 2>/dev/null || break
	python=
done
[ -n "$python" ] || skip "jsonschema is missing (Debian package: python3-jsonschema)"
[ -x ./serve_memory ] || skip "no serve_memory: it needs libcheck (Debian package: check)"

validate() { # WHAT [switch]
	what=$1
	shift
	rm -f "$scratch/stdin"
	mkfifo "$scratch/stdin" || fail "mkfifo"
	: >"$scratch/said"
	./serve_memory "$socket" "$@" <"$scratch/stdin" >"$scratch/said" 2>&1 &
	pid=$!
	exec 3>"$scratch/stdin"
	for _ in $tries; do
		! grep -q ready "$scratch/said" || break
		sleep 0.1
	done
	"$python" "$srcdir/tests/http/validate_redfish.py" "$socket" "$schemas" "$srcdir/redfish/schemas" || fail "$what"
	exec 3>&-
	wait "$pid" || fail "serve_memory: $(tail -n 5 "$scratch/said")"
	pid=
}
validate "a host that can be changed"
validate "a switch that can be changed" switch
finish
