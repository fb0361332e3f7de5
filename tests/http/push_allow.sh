#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Events are posted only to addresses that are allowed.
. "${0%/*}/functions"
needs_python
python3 "$srcdir/tests/http/push_allow.py" "$daemon" "$hosts/normalized-7.3.tar.zst" "$scratch"
