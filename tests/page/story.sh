#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Incidents on the page, in Debian's Chromium, on a captured host that has some: what is shown, copied, acknowledged and resolved.
# CXL_PAGE_SHOTS names a directory for screenshots.
. "$(dirname "$0")/../http/functions"
command -v chromium >/dev/null || skip "chromium is missing (Debian package: chromium)"
command -v chromedriver >/dev/null || skip "chromedriver is missing (Debian package: chromium-driver)"
python=
for candidate in python3 /usr/bin/python3; do
	[ -n "$python" ] || ! "$candidate" -c 'import selenium' 2>/dev/null || python=$candidate
done
[ -n "$python" ] || skip "selenium is missing (Debian package: python3-selenium)"

# Chromium keeps its files below HOME and TMPDIR.
HOME=$scratch TMPDIR=$scratch timeout 900 "$python" -B "$(dirname "$0")/story.py" "$daemon" "$hosts/normalized-7.3.tar.zst" "$scratch" || {
	status=$?
	[ "$status" -ne 77 ] || exit 77
	fail "story.py ended with status $status"
}
finish
