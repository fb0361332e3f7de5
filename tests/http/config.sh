#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The configuration: files, drop-ins, the command line, and every kind of mistake.
. "${0%/*}/functions"

conf=$scratch/c.conf
zen5=$hosts/zen5-doc.tar.zst

# refused MESSAGE: neither a start nor --check-config accepts $conf; both print this.
refused() {
	refused_start 2 "$1" -- --config "$conf" --host "$zen5" --listen "unix:$socket"
	refused_start 2 "$1" -- --check-config --config "$conf" --host "$zen5" --listen "unix:$socket"
	[ ! -s "$scratch/out" ] || fail "--check-config prints $(cat "$scratch/out")"
}

# line MESSAGE TEXT: a second line is refused, with its number.
line() {
	printf 'poll = 20\n%b\n' "$2" >"$conf"
	refused "$conf:2: $1"
}

line "nonsense: there is no such key" "nonsense = 1"
line "config: there is no such key" "config = /etc/passwd"
line "check-config: there is no such key" "check-config = yes"
line "help: there is no such key" "help = yes"
line "version: there is no such key" "version = yes"
line "listen: there is no '='" "listen"
line "[service]: there are no sections" "[service]"
line "'' is not a key" "= 1"
line "'Listen' is not a key" "Listen = unix:/x"
line "listen: cannot listen on localhost:80: expected http://ADDRESS:PORT" "listen = localhost:80"
line "listen: cannot listen on http://127.0.0.1: expected" "listen = http://127.0.0.1"
line "metrics: cannot listen on x: expected" "metrics = x"
line "poll: is given twice in this file" "poll = 30"
line "state: has no value" "state ="
line "max-events: requires a number from 1 to 10000000, not '0'" "max-events = 0"
line "max-events: requires a number from 1 to 10000000, not '1e3'" "max-events = 1e3"
line "push-attempts: requires a number from 1 to 1000, not '1001'" "push-attempts = 1001"
line "task-after: requires a number from 1 to 600, not '0'" "task-after = 0"
line "task-after: requires a number from 1 to 600, not '601'" "task-after = 601"
line "never-overwrite: requires 'yes' or 'no', not 'on'" "never-overwrite = on"
line "log-level: requires err, warning or info, not 'loud'" "log-level = loud"
line "switch-mailbox: '0d:00.1' is neither 'auto' nor the address of a PCI function" "switch-mailbox = 0d:00.1"
line "switch-mailbox: '0000:0d:00.8' is neither" "switch-mailbox = 0000:0d:00.8"
line "switch-mailbox: '../0000:0d:00.1' is neither" "switch-mailbox = ../0000:0d:00.1"
line "allow: 'all' cannot be allowed; the names are: fabric" "allow = all"
line "allow: '' cannot be allowed" "allow = fabric,"
line "allow: ' fabric' cannot be allowed" "allow = fabric, fabric"
line "the line has a control character" 'state = /x\0000y'
line "the line has a control character" 'state = /x\0033[0m'
line "the line is too long: 4105 bytes, the maximum is 4096" \
	"state = $(head -c 4096 /dev/zero | tr '\0' x)y"

# A value that the command line overrules is checked all the same.
line "listen: cannot listen on localhost:80" "listen = localhost:80"
for i in $(seq 17); do
	echo "tables = /x$i"
done >"$conf"
refused "$conf:17: tables: is given more than 16 times"
head -c 262145 /dev/zero | tr '\0' '\n' >"$conf"
refused "$conf: the file is too long"
seq -f '# %.0f' 8193 >"$conf"
refused "$conf: the file has more than 8192 lines"
rm "$conf"
refused "cannot read the configuration $conf: No such file or directory"
mkdir "$conf"
refused "cannot read the configuration $conf: Is a directory"
rmdir "$conf"

# Drop-ins are refused in the same way.
echo 'poll = 20' >"$conf"
mkdir "$conf.d"
printf '\n\npoll = x\n' >"$conf.d/10.conf"
refused "$conf.d/10.conf:3: poll: requires a number from 1 to 86400, not 'x'"
echo 'poll = 40' >"$conf.d/10.conf"

# The sum of all files is checked, too.
echo 'listen = http://127.0.0.1:0' >"$conf"
refused_start 2 "$conf:1: --listen http://127.0.0.1:0 is refused without a password" "password-file" -- \
	--config "$conf" --host "$zen5"
refused_start 2 "cxl-redfishd: --listen http://127.0.0.1:0 is refused without a password" -- \
	--listen http://127.0.0.1:0 --config "$conf" --host "$zen5"
printf 'listen = unix:%s\nlisten = http://0.0.0.0:80\n' "$socket" >"$conf"
refused_start 2 "$conf:2: --listen http://0.0.0.0:80 is refused: without encryption" -- --check-config --config "$conf"
printf 'listen = unix:%s\n\ntls-certificate = /x\n' "$socket" >"$conf"
refused_start 2 "$conf:3: --tls-certificate FILE and --tls-key FILE are given together" -- \
	--check-config --config "$conf"
printf 'listen = unix:%s\ntls-key = /x\n' "$socket" >"$conf"
refused_start 2 "$conf:2: --tls-certificate FILE and --tls-key FILE are given together" -- \
	--check-config --config "$conf"
: >"$conf"
refused_start 2 "no listener is configured" -- --config "$conf" --host "$zen5"
denied="cannot read the configuration $conf: Permission denied; make it readable for the user of the service"
if [ "$(id -u)" -ne 0 ]; then
	chmod 000 "$conf"
	refused "$denied"
	chmod 600 "$conf"
elif as_other="setpriv --reuid=65534 --regid=65534 --clear-groups"; $as_other "$daemon" --version >/dev/null 2>&1; then
	# The directory is root's alone.
	status=0
	$as_other "$daemon" --check-config --config "$conf" >"$scratch/out" 2>"$scratch/err" || status=$?
	[ "$status" -eq 2 ] || fail "an unreadable configuration: status $status"
	grep -qF "$denied" "$scratch/err" || fail "an unreadable configuration: $(cat "$scratch/err")"
fi

# The configuration of the unit, which adds what is missing here: --check-config is used outside of it.
if [ ! -e /etc/cxl-redfish/cxl-redfishd.conf ] && [ ! -e /etc/cxl-redfish/cxl-redfishd.conf.d ]; then
	for options in "" "--metrics http://127.0.0.1:9464" "--listen http://127.0.0.1:0"; do
		# shellcheck disable=SC2086 # the options are separate arguments
		"$daemon" --check-config $options >"$scratch/out" 2>"$scratch/err" ||
			fail "--check-config $options: $(cat "$scratch/err")"
	done
fi

# All is well: comments, blanks, CR LF, and keys of both kinds.
cat >"$conf" <<-END
	# a comment
	; another one

	  host = $zen5
	listen = unix:$socket
	listen=http://127.0.0.1:0
	password-file = $scratch/password
	state = $scratch/state
	max-events = 1000
	never-overwrite = no
	switch-mailbox = 0000:0d:00.1
	allow = fabric,fabric
	log-level = err
END
sed -i 's/$/\r/' "$conf"
cat >"$conf.d/20.conf" <<-END
	max-events = 2000
	never-overwrite = yes
	switch-mailbox = auto
	allow = fabric
	listen = http://127.0.0.1:0
END
echo 'nonsense' >"$conf.d/README"
"$daemon" --config "$conf" --check-config >"$scratch/out" 2>"$scratch/err" || fail "--check-config: $(cat "$scratch/err")"
printf '%s is valid\n' "$conf" "$conf.d/10.conf" "$conf.d/20.conf" | cmp -s - "$scratch/out" ||
	fail "--check-config prints $(cat "$scratch/out")"
[ ! -e "$scratch/state" ] || fail "--check-config made the state directory"
[ ! -e "$socket" ] || fail "--check-config opened a socket"
refused_start 2 "password-file: cannot read $scratch/none" -- --check-config --config "$conf" \
	--password-file "$scratch/none"
# Root asks for the service, whose user must be able to read them; this host gets such a user for that.
if [ "$(id -u)" -eq 0 ] && unshare --mount true 2>/dev/null; then
	mkdir "$scratch/etc"
	{ grep -v '^cxl-redfish:' /etc/passwd; echo 'cxl-redfish:x:65533:65533::/:/bin/sh'; } >"$scratch/etc/passwd"
	as_root() { # MODE: of the file
		# shellcheck disable=SC2016
		unshare --mount sh -ec 'mount --bind "$1/etc/passwd" /etc/passwd; mount -t tmpfs tmpfs /mnt; cp "$2" /mnt/key
			chmod "$3" /mnt/key; exec "$4" --check-config --config "$5" --password-file /mnt/key' \
			sh "$scratch" "$scratch/password" "$1" "$daemon" "$scratch/user.conf"
	}
	echo "listen = unix:$socket" >"$scratch/user.conf"
	as_root 644 >"$scratch/out" 2>"$scratch/err" || fail "a file that the service can read: $(cat "$scratch/err")"
	status=0
	as_root 600 >"$scratch/out" 2>"$scratch/err" || status=$?
	[ "$status" -eq 2 ] || fail "a file that the service cannot read: status $status"
	grep -q "password-file: cannot read /mnt/key: Permission denied for the user of the service" "$scratch/err" ||
		fail "a file that the service cannot read: $(cat "$scratch/err")"
fi
# A key that has no effect is named.
for listen in http://127.0.0.1:0 "unix:$socket"; do
	printf 'listen = %s\nstate = %s\nread-only-peer = 127.0.0.1\n' "$listen" "$scratch/state" >"$scratch/peer.conf"
	"$daemon" --check-config --config "$scratch/peer.conf" >"$scratch/out" 2>"$scratch/err" || fail "$listen: $(cat "$scratch/err")"
	grep -q "read-only-peer has no effect" "$scratch/err" || fail "read-only-peer at $listen: $(cat "$scratch/err")"
done
for allow in scrub repair; do
	printf 'listen = unix:%s\nstate = %s\nallow = %s\nrepair-policy = unused\n' "$socket" "$scratch/state" $allow >"$scratch/repair.conf"
	"$daemon" --check-config --config "$scratch/repair.conf" >"$scratch/out" 2>"$scratch/err" || fail "repair-policy: $(cat "$scratch/err")"
	[ "$allow $(grep -c "repair-policy = unused has no effect" "$scratch/err")" = "$allow $([ $allow = repair ] && echo 0 || echo 1)" ] ||
		fail "repair-policy with allow = $allow: $(cat "$scratch/err")"
done
sed -i 's/^listen.*/listen = http:\/\/0.0.0.0:0/' "$scratch/peer.conf"
"$daemon" --check-config --config "$scratch/peer.conf" >"$scratch/out" 2>"$scratch/err" || fail "a network: $(cat "$scratch/err")"
[ ! -s "$scratch/err" ] || fail "read-only-peer at 0.0.0.0: $(cat "$scratch/err")"
# Files that are named can be read.
for key in host tables password-file tls-certificate client-ca client-crl push-ca; do
	printf 'listen = unix:%s\n%s = %s\n' "$socket" "$key" "$scratch/none" >"$scratch/files.conf"
	[ "$key" != tls-certificate ] || echo "tls-key = $scratch/none" >>"$scratch/files.conf"
	refused_start 2 "$scratch/files.conf:2: $key: cannot read $scratch/none: No such file or directory" -- \
		--check-config --config "$scratch/files.conf"
done

# Where the unit cannot open a captured host, its settings are named, and systemd does not start it again.
refused_namespaces() { # NAME=VALUE: with that variable no namespace can be made
	# shellcheck disable=SC2016 # the process that systemd started is this shell
	unshare -r sh -c 'for name in mnt user; do
			echo 0 >/proc/sys/user/max_${name}_namespaces || exit 99
		done
		exec env "$(eval "echo $1")" "$2" --host "$3" --listen "unix:$4"' sh "$1" "$daemon" "$zen5" "$socket"
}
if unshare -r sh -c 'echo 0 >/proc/sys/user/max_mnt_namespaces' 2>/dev/null; then
	status=0
	# shellcheck disable=SC2016
	refused_namespaces 'SYSTEMD_EXEC_PID=$$' >"$scratch/out" 2>"$scratch/err" || status=$?
	[ "$status" -eq 2 ] || fail "a captured host in a unit: status $status: $(cat "$scratch/err")"
	grep -q "host: the unit of this service cannot open the captured host $zen5" "$scratch/err" ||
		fail "a captured host in a unit: $(cat "$scratch/err")"
	status=0
	refused_namespaces SYSTEMD_EXEC_PID=1 >"$scratch/out" 2>"$scratch/err" || status=$?
	[ "$status" -eq 1 ] || fail "a captured host without namespaces: status $status: $(cat "$scratch/err")"
	grep -q "a captured host needs a mount namespace" "$scratch/err" ||
		fail "a captured host without namespaces: $(cat "$scratch/err")"
fi

# Certificates and keys are read, and must belong together.
if command -v openssl >/dev/null; then
	for name in one two; do
		openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$name" -days 30 \
			-keyout "$scratch/$name.key" -out "$scratch/$name.pem" 2>/dev/null
	done
	check_tls() { # STATUS WORD... -- CERTIFICATE KEY [OPTION...]
		refused_start "$@" --listen https://127.0.0.1:0 --check-config --config "$conf"
	}
	check_tls 0 -- --tls-certificate "$scratch/one.pem" --tls-key "$scratch/one.key" --client-ca "$scratch/two.pem"
	check_tls 2 "$scratch/one.pem" "$scratch/two.key" -- \
		--tls-certificate "$scratch/one.pem" --tls-key "$scratch/two.key"
	check_tls 2 "$scratch/password has no certificate" -- \
		--tls-certificate "$scratch/password" --tls-key "$scratch/one.key"
	check_tls 2 "$scratch/password has no private key" -- \
		--tls-certificate "$scratch/one.pem" --tls-key "$scratch/password"
	check_tls 2 "$scratch/password has no certificate" -- --client-ca "$scratch/password"
fi

start live --config "$conf"
for _ in $tries; do
	[ "$(grep -c '^listening on ' "$scratch/out")" -lt 3 ] || break
	sleep 0.1
done
[ "$(grep -c '^listening on ' "$scratch/out")" -eq 3 ] || fail "listeners: $(cat "$scratch/out")"
request 200 GET "$system/LogServices/CXL"
has '"MaxNumberOfRecords":2000' '"OverWritePolicy":"NeverOverWrites"'
request 200 GET "$system/Memory"
has '"Members@odata.count":4'
[ ! -s "$scratch/err" ] || fail "log-level err: $(cat "$scratch/err")"
stop

# The command line wins: of lists, all that files have is replaced.
start live --config "$conf" --listen "unix:$scratch/other" --max-events 3000
[ "$(grep -c '^listening on ' "$scratch/out")" -eq 1 ] || fail "listeners: $(cat "$scratch/out")"
[ ! -e "$socket" ] || fail "a listener of the file is opened"
socket=$scratch/other
request 200 GET "$system/LogServices/CXL"
has '"MaxNumberOfRecords":3000' '"OverWritePolicy":"NeverOverWrites"'
finish
