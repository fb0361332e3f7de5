#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The pager of long text on a terminal: pager.py.
. "${0%/*}/functions"
need_python

"$srcdir/scripts/generate-host" 64 "$scratch/large" >/dev/null || fail "generate-host"
python3 -B "${0%/*}/pager.py" "$spa" "$scratch/large" "$scratch" || fail "pager.py"
finish
