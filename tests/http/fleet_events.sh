#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Events of three services at one collector: all of them, in order, over an outage and after a restart with a long log.
. "${0%/*}/functions"
needs_python
[ -x ./make_log ] || skip "make_log was not built: Check is missing"
python3 -B "$srcdir/scripts/fleet" 3 --check --build . --host "$hosts/normalized-7.3.tar.zst" --host "$hosts/plain-7.3.tar.zst" ||
	fail "see above"
finish
