#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The --help of each program and its manual page describe the same options, subcommands and exit
# statuses; a difference is found.
srcdir=${srcdir:-$(dirname "$0")/../..}
status=0
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

command -v python3 >/dev/null || {
	echo "SKIP: python3 is missing (Debian package: python3)"
	exit 77
}

compare() {
	python3 -B "$srcdir/tests/docs/options.py" "$@"
}

compare ./cxl-spa "$srcdir/docs/cxl-spa.1" || status=1
page=$srcdir/docs/cxl-redfishd.8
conf=$srcdir/docs/cxl-redfishd.conf.5
example=$srcdir/daemon/cxl-redfishd.conf
compare ./cxl-redfishd "$page" "$conf" "$example" || status=1
compare ./cxl-redfish-helper "$srcdir/docs/cxl-redfish-helper.8" || status=1
compare ./cxl-redfish-switch-helper "$srcdir/docs/cxl-redfish-switch-helper.8" || status=1
compare ./cxl-redfish-change-helper "$srcdir/docs/cxl-redfish-change-helper.8" || status=1
compare ./cxl-redfish-page-helper "$srcdir/docs/cxl-redfish-page-helper.8" || status=1
compare ./cxl-redfish-repair "$srcdir/docs/cxl-redfish-repair.8" || status=1

# differs PROGRAM PAGE SED-SCRIPT TEXT: the changed page, beside those of the subcommands, is refused with TEXT.
differs() {
	cp "$srcdir"/docs/*.[158] "$scratch/"
	sed "$3" "$srcdir/docs/$2" >"$scratch/$2"
	case $2 in
	cxl-spa*) set -- "$1" cxl-spa.1 "$3" "$4" ;;
	esac
	if compare "$1" "$scratch/$2" >"$scratch/out"; then
		echo "FAIL: not found: $3 in $2"
		status=1
	elif ! grep -q -e "$4" "$scratch/out"; then
		echo "FAIL: '$4' is not in:"
		cat "$scratch/out"
		status=1
	fi
}

events=cxl-spa-events.1
differs ./cxl-spa $events 's/^\.It Fl -follow/.It Fl -fallow/' "--follow of .* is not in the manual page"
differs ./cxl-spa $events 's/^\.It Fl -follow/.It Fl -fallow/' "--fallow of the manual page is not in"
differs ./cxl-spa $events 's/^\.It Fl -since Ar time/.It Fl -since Ar when/' "--since: the argument is TIME"
differs ./cxl-spa $events 's/^\.Op Fl -state Ar directory/.Op Fl -state/' "events: the synopsis has"
differs ./cxl-spa $events 's/^\.Cm events/.Cm event/' "the synopsis is of \['event'\]"
differs ./cxl-spa $events 's/^\.Sh EXAMPLES/.Sh EXAMPLE/' "the sections are"
differs ./cxl-spa $events 's/^\.It 2$/.It 4/' "exit statuses: \[0, 1, 2\]"
differs ./cxl-spa cxl-spa.1 's/^\.It Fl -host Ar path/.It Fl -host Ar file/' "--host: the argument is PATH"
differs ./cxl-spa cxl-spa.1 's/^\.It 1$/.It 4/' "exit statuses: \[0, 1, 2, 3\]"
differs ./cxl-redfishd cxl-redfishd.8 's/86400, the default 30/3600, the default 30/' "--poll: 86400"
differs ./cxl-redfishd cxl-redfishd.8 '/^\.Op Fl -push-ca/d' "the synopsis has"

# conf_differs SED-SCRIPT TEXT: so are the page of the configuration and its example.
conf_differs() {
	sed "$1" "$conf" >"$scratch/conf"
	sed "$1" "$example" >"$scratch/example"
	if compare ./cxl-redfishd "$page" "$scratch/conf" "$scratch/example" >"$scratch/out"; then
		echo "FAIL: not found: $1 in $conf or $example"
		status=1
	elif ! grep -q -e "$2" "$scratch/out"; then
		echo "FAIL: '$2' is not in:"
		cat "$scratch/out"
		status=1
	fi
}

conf_differs '/^\.It Cm listen/d' "conf: listen = None"
conf_differs 's/^\.It Cm poll/.It Cm pool/' "conf: pool is not a key"
conf_differs 's/^\(\.It Cm poll No = Ar\) .*/\1 days/' "conf: poll = days"
conf_differs '/^#metrics =/d' "example: not as the keys: \['metrics'\]"
conf_differs 's/^#poll/poll/' "example: a line is no comment"
exit $status
