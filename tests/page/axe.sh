#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The accessibility rules of axe-core, a package of npm that only this test uses, on each section of the page, light and dark, and
# on a phone. CXL_PAGE_AXE names its axe.min.js where npm cannot fetch it; page.sh has checks of the same kind without it.
. "$(dirname "$0")/../http/functions"
command -v chromium >/dev/null || skip "chromium is missing (Debian package: chromium)"
command -v chromedriver >/dev/null || skip "chromedriver is missing (Debian package: chromium-driver)"
python=
for candidate in python3 /usr/bin/python3; do
	[ -n "$python" ] || ! "$candidate" -c 'import selenium' 2>/dev/null || python=$candidate
done
[ -n "$python" ] || skip "selenium is missing (Debian package: python3-selenium)"

version=4.14.1
sha256=29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c
if [ -z "${CXL_PAGE_AXE:-}" ]; then
	command -v npm >/dev/null || skip "axe-core NOT RUN: npm is missing (Debian package: npm), and CXL_PAGE_AXE names no axe.min.js"
	(cd "$scratch" && timeout 120 npm pack --silent --prefer-offline --fetch-retries=1 "axe-core@$version" >/dev/null 2>said) ||
		skip "axe-core NOT RUN: npm cannot fetch axe-core $version: $(tail -n 1 "$scratch/said")"
	tar -xzf "$scratch/axe-core-$version.tgz" -C "$scratch" package/axe.min.js || fail "the package has no axe.min.js"
	CXL_PAGE_AXE=$scratch/package/axe.min.js
	[ "$(sha256sum <"$CXL_PAGE_AXE")" = "$sha256  -" ] || {
		fail "axe.min.js of axe-core $version is another one than when this was written"
		finish
	}
fi
# Chromium keeps its files below HOME and TMPDIR.
HOME=$scratch TMPDIR=$scratch timeout 900 "$python" "$(dirname "$0")/axe.py" "$daemon" "$hosts" "$scratch" "$CXL_PAGE_AXE" || {
	status=$?
	[ "$status" -ne 77 ] || exit 77
	fail "axe.py ended with status $status"
}
finish
