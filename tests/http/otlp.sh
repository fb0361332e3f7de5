#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Events reach an OpenTelemetry collector, whatever it does: otlp.py, test by test.
. "${0%/*}/functions"
needs_python
python3 "$srcdir/tests/http/otlp.py" "$daemon" "$hosts/plain-7.3.tar.zst" "$scratch" "$@" ||
	fail "otlp.py"
finish
