#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The rules for any host, on every bundled one: invariants.py lists them.
srcdir=${srcdir:-.}
. "$srcdir/tests/redfish/dump_hosts"
python3 "$srcdir/tests/redfish/invariants.py" "$scratch"/*
