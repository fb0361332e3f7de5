#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The table of properties is what scripts/schema-properties makes of the CSDL; run it after a change
# there. DMTF's files are not ours to distribute: REDFISH_SCHEMAS names the directory that has them.
srcdir=${srcdir:-.}
schemas=${REDFISH_SCHEMAS:-$srcdir/../shared/redfish-schemas-2026.1}
[ -d "$schemas/csdl" ] || {
	echo "SKIP: no schemas in $schemas, set REDFISH_SCHEMAS"
	exit 77
}
python3 -B "$srcdir/tests/redfish/excerpts.py" "$schemas" "$srcdir/redfish/query/query.c" || exit 1
exec python3 "$srcdir/scripts/schema-properties" "$schemas" --check
