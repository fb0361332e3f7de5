#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The JSON schemas are what scripts/json-schemas makes of the CSDL; run it after a change there.
srcdir=${srcdir:-.}
command -v python3 >/dev/null || {
	echo "SKIP: python3 is missing (Debian package: python3)"
	exit 77
}
exec python3 -B "$srcdir/scripts/json-schemas" --check "$srcdir/redfish/schemas"
