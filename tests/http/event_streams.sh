#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Server-sent events: event_streams.py, test by test.
. "${0%/*}/functions"
needs_python
python3 "$srcdir/tests/http/event_streams.py" "$daemon" "$hosts/switch-7.3.tar.zst" "$scratch" "$@" ||
	fail "event_streams.py"
finish
