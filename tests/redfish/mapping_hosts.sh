#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The rows of docs/mapping.md for DSP0288's table 2 are true of the captured switches.
srcdir=${srcdir:-.}
command -v python3 >/dev/null || {
	echo "SKIP: python3 is missing (Debian package: python3)"
	exit 77
}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
for name in switch-mailbox-7.3 switch-model-7.3; do
	./dump_redfish "$srcdir/tests/hosts/$name.tar.zst" >"$work/$name" || exit
done
python3 -B "$srcdir/tests/redfish/mapping_hosts.py" "$srcdir/docs/mapping.md" "$work/switch-mailbox-7.3" \
	"$work/switch-model-7.3"
