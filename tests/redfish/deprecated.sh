#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The list of deprecated properties in docs/mapping.md agrees with the newest CSDL and with the captured hosts. DMTF's
# files are not ours to distribute: REDFISH_SCHEMAS names the directory that has them.
srcdir=${srcdir:-.}
schemas=${REDFISH_SCHEMAS:-$srcdir/../shared/redfish-schemas-2026.1}
[ -d "$schemas/csdl" ] || {
	echo "SKIP: no schemas in $schemas, set REDFISH_SCHEMAS"
	exit 77
}
command -v python3 >/dev/null || {
	echo "SKIP: python3 is missing (Debian package: python3)"
	exit 77
}
. "$srcdir/tests/redfish/dump_hosts"
python3 -B "$srcdir/tests/redfish/deprecated.py" "$srcdir/docs/mapping.md" "$schemas" "$srcdir/redfish/schemas" "$scratch"/*
