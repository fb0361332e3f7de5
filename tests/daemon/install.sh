#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What `make install` puts where, and whether systemd understands it.
set -euo pipefail

n_failed=0
fail() {
	echo "FAIL: $*"
	n_failed=$((n_failed + 1))
}

[ -f Makefile ] || { echo "no Makefile: run from the top build directory"; exit 99; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
root=$scratch/root
# A make of its own, not one job of the make that runs this.
unset MAKEFLAGS MFLAGS MAKELEVEL
make install DESTDIR="$root" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }

# installed PATH-END MODE: $file is the one installed file whose path ends so.
installed() {
	file=$(find "$root" -type f -path "*/$1")
	if [ "$(wc -l <<<"$file")" -ne 1 ] || [ -z "$file" ]; then
		fail "$1: installed as: ${file:-nothing}"
		file=/dev/null
	elif [ "$(stat -c %a "$file")" != "$2" ]; then
		fail "${file#"$root"} has mode $(stat -c %a "$file")"
	fi
}

# says PATTERN: a line of $file matches.
says() {
	grep -Eq -- "$1" "$file" || fail "${file#"$root"}: no line has $1"
}

# Nothing is loaded at boot that may not be installed; the kernel module brings its own alias.
[ -z "$(find "$root" -path '*modules-load.d*' -type f)" ] || fail "a module is loaded at boot without being installed"
grep -q '^MODULE_ALIAS("acpi\*:ACPI0017:\*");$' "$(find "$root" -path '*/cxl_prm-*/main.c')" ||
	fail "the module cxl_prm has no alias by which udev loads it"

# Installed documents refer to installed files only: no link leads to another, and no path is one of
# the source tree.
srcdir=${srcdir:-$(dirname "$0")/../..}
while read -r document; do
	while read -r target; do
		[ -e "$(dirname "$document")/$target" ] ||
			fail "${document#"$root"}: a link to $target, which is not installed there"
	done < <(sed -nE 's/.*\]\(([^)#:]+)[^)]*\).*/\1/p' "$document")
	while read -r path; do
		[ ! -e "$srcdir/$path" ] ||
			fail "${document#"$root"}: names $path, which is not installed"
	done < <(grep -v '^<!--' "$document" | grep -Eo '[A-Za-z_.-]+/[A-Za-z0-9_./-]*[A-Za-z0-9_]')
done < <(find "$root" -type f \( -name '*.md' -o -path '*/man/man*/*' \))

installed bin/cxl-spa 755
installed man1/cxl-spa.1 644
installed man1/cxl-spa-translate.1 644
installed man8/cxl-redfishd.8 644
for program in cxl-spa cxl-redfishd; do
	installed bash-completion/completions/$program 644
	installed site-functions/_$program 644
done
installed man5/cxl-redfishd.conf.5 644
# Made by scripts/manual-pages, where configure found cmark-gfm.
if command -v cmark-gfm >/dev/null; then
	for name in clients glossary operations; do
		installed man7/cxl-redfish-$name.7 644
	done
fi
installed cxl-redfish/translation.md 644
installed cxl-redfish/glossary.md 644
installed cxl-redfish/events.md 644
installed cxl-redfish/fabric.md 644
installed sbin/cxl-redfishd 755
program=${file#"$root"}

installed cxl-redfish/cxl-redfish-push 755
installed cxl-redfish/cxl-redfish-collect 755
installed cxl-redfish/cxl-redfish-helper 755
helper=${file#"$root"}
installed cxl-redfish/cxl-redfish-switch-helper 755
switch_helper=${file#"$root"}
installed cxl-redfish/cxl-redfish-change-helper 755
change_helper=${file#"$root"}
installed cxl-redfish/cxl-redfish-page-helper 755
page_helper=${file#"$root"}
installed cxl-redfish/cxl-redfish-trace 755
trace=${file#"$root"}
installed cxl-redfish/cxl-redfish-reload 755
reload=${file#"$root"}
installed cxl-redfish/cxl-redfish-repair 755
repair=${file#"$root"}
installed man8/cxl-redfish-helper.8 644
installed man8/cxl-redfish-switch-helper.8 644
installed man8/cxl-redfish-change-helper.8 644
installed man8/cxl-redfish-page-helper.8 644
installed man8/cxl-redfish-repair.8 644

installed cxl-redfish.conf 644
sysusers=$file
installed udev/rules.d/70-cxl-redfish.rules 644
rules=$file
installed system/cxl-redfishd-ipv4.socket 644
ipv4_socket=$file
says '^ListenStream=127\.0\.0\.1:8000$'
installed system/cxl-redfishd-ipv6.socket 644
ipv6_socket=$file
says '^ListenStream=\[::1\]:8000$'
installed system/cxl-redfishd-port.target 644
port_target=$file
installed system/cxl-redfishd.service 644
unit=$file
installed system/cxl-redfish-helper.service 644
helper_unit=$file
installed system/cxl-redfish-helper.socket 644
helper_socket=$file
installed system/cxl-redfish-switch-helper.service 644
switch_unit=$file
installed system/cxl-redfish-switch-helper.socket 644
switch_socket=$file
installed system/cxl-redfish-change-helper.service 644
change_unit=$file
installed system/cxl-redfish-change-helper.socket 644
change_socket=$file
installed system/cxl-redfish-page-helper.service 644
page_unit=$file
installed system/cxl-redfish-page-helper.socket 644
page_socket=$file
installed system/cxl-redfish-repair.service 644
repair_unit=$file
for file in "$unit" "$repair_unit" "$ipv4_socket" "$ipv6_socket" "$port_target" "$helper_unit" "$helper_socket" "$switch_unit" "$switch_socket" "$change_unit" "$change_socket" "$page_unit" "$page_socket" "$sysusers" "$rules"; do
	! grep -Eq '@[A-Za-z_]+@' "$file" || fail "${file#"$root"}: a @name@ was not replaced"
done

file=$unit
says "^ExecStart=$program --state "
says '^Type=notify$'
says '^WatchdogSec='
says '^LoadCredential=password:/etc/cxl-redfish/password$'
says '^MemoryMax=[0-9]+[MG]$'
says '^TasksMax=[0-9]+$'
says '^LimitCORE=0$'
# Neither a capability nor a device, and no way to either.
says '^CapabilityBoundingSet=$'
says '^AmbientCapabilities=$'
says '^PrivateDevices=yes$'
says '^DevicePolicy=closed$'
says '^RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6$'
! grep -Eq '^(DeviceAllow|SupplementaryGroups)=|=[-@:!]*\+' "$file" ||
	fail "the unit of the service has a device, a group or a privileged command"
# Listeners and passwords are not the unit's matter.
! grep -Eq '^[^#]*(--listen|--password-file|EnvironmentFile)' "$file" ||
	fail "the unit would have to be edited"

file=$helper_unit
says "^ExecStart=$helper --user cxl-redfish,cxl-redfish-change-helper,cxl-redfish-page-helper$"
says "^ExecStartPre=-\\+$trace$"
says '^Type=notify$'
says '^WatchdogSec='
says '^MemoryMax=[0-9]+M$'
says '^TasksMax=[0-9]+$'
says '^LimitCORE=0$'
says '^IPAddressDeny=any$'
says '^RestrictAddressFamilies=AF_UNIX AF_NETLINK$'
says '^CapabilityBoundingSet=CAP_DAC_READ_SEARCH CAP_SYS_ADMIN CAP_SYS_PTRACE CAP_SYSLOG$'
says '^DeviceAllow=/dev/kmsg r$'

file=$switch_unit
says "^ExecStart=$switch_helper --user cxl-redfish$"
says '^Type=notify$'
says '^WatchdogSec='
says '^MemoryMax=[0-9]+M$'
says '^TasksMax=[0-9]+$'
says '^LimitCORE=0$'
says '^IPAddressDeny=any$'
says '^RestrictAddressFamilies=AF_UNIX$'
says '^CapabilityBoundingSet=CAP_DAC_OVERRIDE CAP_SYS_ADMIN$'
# Only its socket starts it.
! grep -q '^\[Install\]' "$file" || fail "the unit of the switch helper can be enabled"
says '^ExecReload=/bin/sh -c .kill -HUP'
# It reads the configuration itself: with each reload and each restart of the service, before which it
# is there, and after which it is stopped.
says '^PartOf=cxl-redfishd.service$'
file=$unit
says '^PropagatesReloadTo=cxl-redfish-switch-helper.service$'
says '^After=cxl-redfish-switch-helper.socket cxl-redfish-switch-helper.service$'
file=$switch_socket
says "^ListenSequentialPacket=$(sed -n 's/^#define OPENER_SWITCH_SOCKET "\(.*\)"$/\1/p' "$srcdir/opener/protocol.h")$"
says '^SocketGroup=cxl-redfish$'
says '^SocketMode=0660$'

file=$change_unit
says "^ExecStart=$change_helper --user cxl-redfish$"
says '^Type=notify$'
says '^WatchdogSec='
says '^MemoryMax=[0-9]+M$'
says '^MemorySwapMax=0$'
says '^TasksMax=[0-9]+$'
says '^LimitCORE=0$'
says '^IPAddressDeny=any$'
says '^RestrictAddressFamilies=AF_UNIX$'
says '^CapabilityBoundingSet=CAP_DAC_OVERRIDE CAP_SYS_RAWIO$'
says '^KeyringMode=private$'
# The lock outlives the process, because cxl-spa may hold it.
says "^RuntimeDirectory=$(sed -n 's,^#define CHANGE_LOCK_DIRECTORY "/run/\(.*\)"$,\1,p' "$srcdir/change/lock.h")$"
says '^RuntimeDirectoryPreserve=yes$'
! grep -q '^\[Install\]' "$file" || fail "the unit of the change helper can be enabled"
says '^ExecReload=/bin/sh -c .kill -HUP'
says '^PartOf=cxl-redfishd.service$'
file=$unit
says '^PropagatesReloadTo=cxl-redfish-change-helper.service$'
says '^After=cxl-redfish-change-helper.socket cxl-redfish-change-helper.service$'
file=$page_unit
says "^ExecStart=$page_helper --user cxl-redfish$"
says '^CapabilityBoundingSet=CAP_DAC_OVERRIDE CAP_SYS_ADMIN$'
says "^RuntimeDirectory=$(sed -n 's,^#define PAGE_LOCK_DIRECTORY "/run/\(.*\)"$,\1,p' "$srcdir/pages/page_run.h")$"
says '^RuntimeDirectoryPreserve=yes$'
says '^ReadWritePaths=-/sys/devices/system/memory$'
! grep -q '^\[Install\]' "$file" || fail "the unit of the page helper can be enabled"
says '^ExecReload=/bin/sh -c .kill -HUP'
says '^PartOf=cxl-redfishd.service$'
file=$unit
says '^PropagatesReloadTo=cxl-redfish-page-helper.service$'
says '^After=cxl-redfish-page-helper.socket cxl-redfish-page-helper.service$'
file=$page_socket
says "^ListenSequentialPacket=$(sed -n 's/^#define OPENER_PAGE_SOCKET "\(.*\)"$/\1/p' "$srcdir/opener/protocol.h")$"
says '^SocketGroup=cxl-redfish$'
says '^SocketMode=0660$'
file=$change_socket
says "^ListenSequentialPacket=$(sed -n 's/^#define OPENER_CHANGE_SOCKET "\(.*\)"$/\1/p' "$srcdir/opener/protocol.h")$"
says '^SocketGroup=cxl-redfish$'
says '^SocketMode=0660$'

# Once at boot, as the user of the service, before it and before units that make regions; nothing waits for its success.
file=$repair_unit
says "^ExecStart=$repair --state "
says '^Type=oneshot$'
says '^User=cxl-redfish$'
says '^CapabilityBoundingSet=$'
says '^AmbientCapabilities=$'
says '^RestrictAddressFamilies=AF_UNIX$'
says '^IPAddressDeny=any$'
says '^MemoryMax=[0-9]+M$'
says '^TasksMax=[0-9]+$'
says '^LimitCORE=0$'
says '^Before=cxl-redfishd.service$'
says "^ConditionPathExists=$(sed -n 's/^#define STATE_DEFAULT "\(.*\)"$/\1/p' "$srcdir/redfish/state/state.h")/state.db$"
says '^After=modprobe@cxl_mem.service$'
says '^TimeoutStartSec='
says '^WantedBy=multi-user.target$'
! grep -Eq '^(Requires|Requisite|BindsTo|RequiredBy|DeviceAllow|SupplementaryGroups)=|=[-@:!]*\+' "$file" ||
	fail "the unit of repairs requires another, or has a device, a group or a privileged command"
! grep -rq '^Requires=.*cxl-redfish-repair' "$root" || fail "a unit requires the one of repairs"

# Where the daemon looks for the helper, and who may connect.
file=$helper_socket
says "^ListenSequentialPacket=$(sed -n 's/^#define OPENER_SOCKET "\(.*\)"$/\1/p' "$srcdir/opener/protocol.h")$"
says '^SocketGroup=cxl-redfish$'
says '^SocketMode=0660$'

# The units and the rules name no user or group that is not made.
users=$(sed -En 's/^(User)=(.*)/u \2/p; s/^(Group|SocketGroup)=(.*)/g \2/p' "$unit" "$helper_unit" "$helper_socket" \
	"$switch_unit" "$switch_socket" "$change_unit" "$change_socket" "$repair_unit"
	sed -En 's/^SupplementaryGroups=//p' "$helper_unit" "$change_unit" | tr ' ' '\n' | sed 's/^/g /'
	sed -En 's/.*GROUP="([^"]*)".*/g \1/p' "$rules")
while read -r type name; do
	# A u line makes the group, too.
	file=$sysusers
	says "^[u$type] $name "
done <<<"$users"

if command -v systemd-sysusers >/dev/null; then
	systemd-sysusers --dry-run "$sysusers" >"$scratch/log" 2>&1 || {
		fail "systemd-sysusers: $(cat "$scratch/log")"
	}
else
	echo "no systemd-sysusers (Debian package: systemd): $(basename "$sysusers") was not tried"
fi
if command -v udevadm >/dev/null && udevadm verify --help >/dev/null 2>&1; then
	udevadm verify "$rules" >"$scratch/log" 2>&1 || fail "udevadm: $(cat "$scratch/log")"
else
	echo "no udevadm verify (udev 254 or newer): $(basename "$rules") was not tried"
fi

# Files of another installation in a shared directory stay, and nothing of this one does.
cp -a "$root" "$scratch/removed"
make uninstall DESTDIR="$scratch/removed" >"$scratch/log" 2>&1 || {
	cat "$scratch/log"
	fail "make uninstall"
}
# The path of the prefix itself may have such a name.
prefix=$(sed -n 's/^prefix = //p' Makefile)
left=$(find "$scratch/removed" ! -type d && find "$scratch/removed$prefix" -mindepth 1 -name 'cxl*')
[ -z "$left" ] || fail "make uninstall leaves $left"

[ $n_failed -eq 0 ] || exit 1
if ! command -v systemd-analyze >/dev/null; then
	echo "SKIP: systemd-analyze is missing (Debian package: systemd); all else is right"
	exit 77
fi
# It wants the programs to be there.
mkdir "$scratch/unit"
for file in "$unit" "$ipv4_socket" "$ipv6_socket" "$port_target" "$helper_unit" "$helper_socket" "$switch_unit" "$switch_socket" "$change_unit" "$change_socket" "$page_unit" "$page_socket" "$repair_unit"; do
	sed "s|$program|$root$program|; s|$helper|$root$helper|; s|$trace|$root$trace|; s|$reload|$root$reload|; s|$switch_helper|$root$switch_helper|
		s|$change_helper|$root$change_helper|; s|$page_helper|$root$page_helper|; s|$repair|$root$repair|" "$file" \
		>"$scratch/unit/$(basename "$file")"
done
systemd-analyze verify --man=no "$scratch/unit/"* >"$scratch/log" 2>&1 ||
	fail "systemd-analyze verify: $(cat "$scratch/log")"
! grep cxl-redfish "$scratch/log" || fail "systemd-analyze verify says this of the units"

# exposure UNIT THRESHOLD: in tenths. Without sandboxing it is 9.6.
exposure() {
	systemd-analyze security --offline=yes --threshold="$2" "$scratch/unit/$1" \
		>"$scratch/log" 2>&1 || fail "systemd-analyze security: $(tail -n 1 "$scratch/log")"
}
exposure cxl-redfishd.service 12
exposure cxl-redfish-helper.service 22
exposure cxl-redfish-switch-helper.service 16
exposure cxl-redfish-change-helper.service 16
exposure cxl-redfish-page-helper.service 22
exposure cxl-redfish-repair.service 12
[ $n_failed -eq 0 ]
