#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The service as the agent of a Sunfish core, whatever that does: sunfish.py, test by test.
own_network=yes
. "${0%/*}/functions"
needs_python
python3 "$srcdir/tests/http/sunfish.py" "$daemon" "$hosts/switch-model-7.3.tar.zst" "$scratch" "$@" ||
	fail "sunfish.py"
finish
