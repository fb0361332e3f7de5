#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The progress on a terminal, and interruptions: progress.py.
. "${0%/*}/functions"
need_python

mkdir "$scratch/long"
./make_log "$scratch/long/events.db" 200000 || fail "make_log"
"$srcdir/scripts/generate-host" 256 "$scratch/large" >/dev/null || fail "generate-host"
python3 -B "${0%/*}/progress.py" "$spa" "$hosts/normalized-7.3.tar.zst" "$scratch/long" "$scratch/large" || fail "progress.py"
finish
