#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The page in Debian's Chromium, on two captured hosts; with CXL_PAGE_HOSTS=all on all of them.
# CXL_PAGE_SHOTS names a directory for screenshots.
. "$(dirname "$0")/../http/functions"
command -v chromium >/dev/null || skip "chromium is missing (Debian package: chromium)"
command -v chromedriver >/dev/null || skip "chromedriver is missing (Debian package: chromium-driver)"
python=
for candidate in python3 /usr/bin/python3; do
	[ -n "$python" ] || ! "$candidate" -c 'import selenium' 2>/dev/null || python=$candidate
done
[ -n "$python" ] || skip "selenium is missing (Debian package: python3-selenium)"

limit=120
names="normalized-7.3 switch-model-7.3"
if [ "${CXL_PAGE_HOSTS:-}" = all ]; then
	limit=900
	names=$(cd "$hosts" && ls -- *.tar.zst | sed 's/\.tar\.zst$//')
	# Those that are broken in each way.
	. "$(dirname "$0")/../http/odd_hosts"
	need_odd_hosts
	for odd_name in $odd_hosts; do
		make_odd "$odd_name"
		names="$names $scratch/$odd_name"
	done
fi
# Chromium keeps its files below HOME and TMPDIR.
# shellcheck disable=SC2086 # several names
HOME=$scratch TMPDIR=$scratch timeout "$limit" "$python" "$(dirname "$0")/page.py" "$daemon" "$hosts" \
	"$scratch" $names || {
	status=$?
	[ "$status" -ne 77 ] || exit 77
	fail "page.py ended with status $status"
}
finish
