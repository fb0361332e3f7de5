#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# A host and a switch that can be changed against DMTF's schemas and our own: their actions, and what they answer.
. "${0%/*}/functions"

needs_schemas
needs_memory

validate() { # WHAT [switch]
	what=$1
	shift
	start_memory "$@"
	"$python" "$srcdir/tests/http/validate_redfish.py" "$socket" "$schemas" "$srcdir/redfish/schemas" || fail "$what"
	stop_memory
}
validate "a host that can be changed"
validate "a switch that can be changed" switch
finish
