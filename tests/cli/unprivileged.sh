#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# An unprivileged user: one warning names what could not be read, and the rest is printed.
. "${0%/*}/functions"
need_python

unpack plain-7.3
# The answer for root, who reads all.
run 0 --host "$copy" --json translate mem0 0x1000
silent
json "a[0]['exact'] and a[0]['source'] == 'decoder' and a[0]['spa'] == a[0]['spa_last'] == '0x110004100'"
sed -i 's/[0-9a-f]\{8,\}-[0-9a-f]\{8,\}/00000000-00000000/' "$copy/proc/iomem"

if [ "$(id -u)" -eq 0 ]; then
	command -v setpriv >/dev/null || skip "setpriv is missing, which changes the user (Debian package: util-linux)"
	setpriv --reuid=65534 --regid=65534 --clear-groups unshare -Ur -m true 2>/dev/null ||
		skip "user namespaces are forbidden here, so an unprivileged user cannot enter a captured host"
	# Everything is readable by all users, except for the files that only root may read.
	chmod 755 "$scratch"
	chmod -R go+rX "$copy"
	find "$copy/sys" -name start -exec chmod 400 {} +
	chmod 400 "$copy"/sys/firmware/acpi/tables/*
	cp "$spa" "$scratch/cxl-spa"
	chmod 755 "$scratch/cxl-spa"
	{
		echo '#!/bin/sh'
		echo "exec setpriv --reuid=65534 --regid=65534 --clear-groups '$scratch/cxl-spa' \"\$@\""
	} >"$scratch/as_nobody"
	chmod 755 "$scratch/as_nobody"
	spa=$scratch/as_nobody
else
	find "$copy/sys" -name start -exec chmod 0 {} +
	chmod 0 "$copy"/sys/firmware/acpi/tables/*
fi

one_line() {
	[ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "$what: not one line on standard error: $err"
	for word in "could not read" start CEDT iomem; do
		case $err in
		*"$word"*) ;;
		*) fail "$what: '$word' is not in: $err" ;;
		esac
	done
}

run 0 --host "$copy" list
one_line
says "region0" "mem0"
run 0 --host "$copy" --json list
one_line
run 0 --host "$copy" graph
one_line
run 0 --host "$copy" explain
one_line
says "root"

# The log of events is for root and the service's user.
mkdir "$scratch/closed"
chmod 0 "$scratch/closed"
run 2 events --state "$scratch/closed"
refused "cannot read the event log in $scratch/closed: permission denied; only root and the user of the service can, so run this as root"
run 3 health --state "$scratch/closed"
case $err in
*"$scratch/closed/events.db: Permission denied; run this as root"*) ;;
*) fail "$what: $err" ;;
esac

# Without the start of the decoders and the CEDT there is an interval, with the exact answer in it.
run 1 --host "$copy" --json translate mem0 0x1000
one_line
json "not a[0]['exact'] and int(a[0]['spa'], 16) <= 0x110004100 <= int(a[0]['spa_last'], 16)"
json "int(a[0]['spa_last'], 16) - int(a[0]['spa'], 16) == 0x3ff and 'CEDT' in a[0]['reason']"
finish
