#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# contrib/interop, the profile that clients may rely on, is true of every bundled host.
srcdir=${srcdir:-.}
. "$srcdir/tests/redfish/dump_hosts"
python3 "$srcdir/tests/redfish/profile.py" "$srcdir/contrib/interop/CXLHost.v1_0_0.json" \
	"$srcdir/docs/mapping.md" "$scratch"/*
