#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The progress on a terminal: progress.py.
. "${0%/*}/functions"
need_python

python3 -B "${0%/*}/progress.py" "$spa" "$hosts/normalized-7.3.tar.zst" || fail "progress.py"
finish
