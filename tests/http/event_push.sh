#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Events reach subscribers, whatever these do: event_push.py, test by test.
. "${0%/*}/functions"
needs_python
python3 "$srcdir/tests/http/event_push.py" "$daemon" "$hosts/switch-7.3.tar.zst" "$scratch" "$@" ||
	fail "event_push.py"
finish
