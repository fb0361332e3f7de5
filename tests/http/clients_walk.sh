#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The requests of docs/clients.md have the answers that it shows; UPDATE=1 writes them into it.
. "${0%/*}/functions"
needs_python
python3 "$srcdir/tests/http/clients_walk.py" "$daemon" "$hosts" "$scratch" "$srcdir/docs/clients.md" \
	${UPDATE:+--update} || fail "clients_walk.py"
finish
