#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# A host with another Id than the default one: system_id.py, test by test.
. "${0%/*}/functions"
. "${0%/*}/odd_hosts"
need_odd_hosts
for name in serials names near; do
	make_odd "$name"
done
python3 "$srcdir/tests/http/system_id.py" "$daemon" "$hosts" "$scratch" "$@" || fail "system_id.py"
finish
