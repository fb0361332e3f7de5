#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# LogService.CollectDiagnosticData: the state of the machine as an archive, for one download by the
# account that collected it.
. "${0%/*}/functions"
command -v zstd >/dev/null || skip "zstd is missing (Debian package: zstd)"
captures=$system/LogServices/Captures
manager=/redfish/v1/Managers/Service/LogServices/Captures
collect=$captures/Actions/LogService.CollectDiagnosticData
tasks=/redfish/v1/TaskService/Tasks
monitors=/redfish/v1/TaskService/TaskMonitors
state=$scratch/state
plain='{"DiagnosticDataType":"OS"}'
masked='{"DiagnosticDataType":"OEM","OEMDiagnosticDataType":"CXLHostCaptureMasked"}'

# The program that the daemon runs: it waits while $scratch/hold is there, and may have other faults first.
cat >"$scratch/collect" <<END
#!/bin/sh
while [ -e "$scratch/hold" ]; do
	: >"$scratch/waits"
	sleep 0.05
done
[ ! -e "$scratch/fault" ] || . "$scratch/fault"
exec "$PWD/cxl-redfish-collect"
END
chmod +x "$scratch/collect"
export CXL_REDFISH_COLLECT="$scratch/collect"

begin() {
	start normalized-7.3 --listen "unix:$socket" --password-file "$scratch/password" --state "$state"
}

# new_account NAME ROLE
new_account() {
	post 201 /redfish/v1/AccountService/Accounts \
		"{\"UserName\":\"$1\",\"Password\":\"Secret-1234\",\"RoleId\":\"$2\"}"
}

# as NAME COMMAND...: by that account
as() {
	credentials=$1:Secret-1234
	shift
	"$@"
	credentials=admin:secret
}

# collected STATUS BODY [URI]: collects; waits for the task; $entry is where the entry is. The status is that of the
# end.
collected() {
	post 202 "${3:-$collect}" "$2"
	finish_task
	[ "$status" = "$1" ] || fail "$what: the end has status $status instead of $1: $body"
	entry=$(echo "$head" | sed -n 's/^Location: //p')
}

# task_id: of the last answer
task_id() {
	echo "$body" | sed -n 's/.*"Id":"\([0-9]*\)".*/\1/p'
}

# download STATUS FILE
download() {
	request "$1" GET "$entry/capture.tar.zst"
	cp "$scratch/body" "$scratch/$2"
}

unpacked() {
	rm -rf "${1:?}.d"
	mkdir "$1.d"
	zstd -qdc "$1" | tar -x -C "$1.d"
	chmod -R u+rwX "$1.d"
}

# same FILE FILE: both archives have the same files, links and contents.
same() {
	unpacked "$1"
	unpacked "$2"
	diff -r --no-dereference "$1.d" "$2.d" >"$scratch/diff" 2>&1 || fail "$1 and $2: $(head -n 20 "$scratch/diff")"
}

# opens FILE OTHER: the command line shows it as it shows the other one.
opens() {
	./cxl-spa --host "$1" list >"$scratch/list" 2>"$scratch/list.err" || fail "cxl-spa: $(cat "$scratch/list.err")"
	./cxl-spa --host "$2" list | cmp -s - "$scratch/list" ||
		fail "$1 is not shown as $2: $(cat "$scratch/list")"
}

# hold: the next collection does not end. let_go: it does.
hold() {
	rm -f "$scratch/waits"
	: >"$scratch/hold"
}

let_go() {
	rm -f "$scratch/hold"
}

# wait_for_file NAME MESSAGE
wait_for_file() {
	for _ in $tries; do
		[ ! -e "$scratch/$1" ] || return 0
		sleep 0.1
	done
	fail "$2"
}

wait_until_held() {
	wait_for_file waits "cxl-redfish-collect was not started"
}

wait_state() {
	for _ in $tries; do
		request 200 GET "$tasks/$1"
		case $body in
		*"\"TaskState\":\"$2\""*) return ;;
		esac
		sleep 0.1
	done
	fail "task $1 is not $2: $body"
}

# A client has all of it a moment before the service knows.
wait_downloaded() {
	for _ in $tries; do
		request 200 GET "$entry"
		case $body in
		*'"State":"Downloaded"'*) return ;;
		esac
		sleep 0.1
	done
	fail "the entry remains $body"
}

said() {
	grep -qF -- "$1" "$scratch/err" || fail "'$1' is not in: $(cat "$scratch/err")"
}

begin
new_account root2 Administrator
account=$(echo "$head" | sed -n 's/^Location: //p')
new_account operator Operator
operator=$(echo "$head" | sed -n 's/^Location: //p')
new_account reader ReadOnly

# Where it is, and what it takes.
request 200 GET "$system/LogServices"
has "\"$captures\""
request 200 GET /redfish/v1/Managers/Service/LogServices
has "\"$manager\""
request 200 GET "$captures"
has '"LogEntryType":"Event"' '"MaxNumberOfRecords":4' '"Persistency":false' \
	'"DiagnosticDataType@Redfish.AllowableValues":["OS","OEM"]'
request 200 GET "$manager"
has '"DiagnosticDataType@Redfish.AllowableValues":["Manager","OEM"]'
request 200 GET "$captures/CollectDiagnosticDataActionInfo"
has '"AllowableValues":["OS","OEM"]' '"AllowableValues":["CXLHostCapture","CXLHostCaptureMasked"]'
post 400 "$collect" '{}'
has ActionParameterMissing DiagnosticDataType
post 400 "$collect" '{"DiagnosticDataType":"Manager"}'
has ActionParameterValueNotInList
post 400 "$collect" '{"DiagnosticDataType":"OEM"}'
has ActionParameterMissing OEMDiagnosticDataType
post 400 "$collect" '{"DiagnosticDataType":"OEM","OEMDiagnosticDataType":"Dump"}'
has ActionParameterValueNotInList
post 400 "$collect" '{"DiagnosticDataType":"OS","OEMDiagnosticDataType":"CXLHostCapture"}'
has ActionParameterValueConflict
post 400 "$collect" '{"DiagnosticDataType":"OS","TargetURI":"http://192.0.2.1/","Password":"hidden"}'
has ActionParameterNotSupported
lacks hidden 192.0.2.1
post 400 "$collect" '{"DiagnosticDataType":"OS","Depth":1}'
has ActionParameterUnknown
for name in operator reader; do
	as "$name" post 403 "$collect" "$plain"
	has InsufficientPrivilege
done
request 200 GET "$captures/Entries"
has '"Members@odata.count":0'

# It is a task, however quick it is; all others see that the archive is there.
collected 201 "$plain"
[ "$entry" = "$captures/Entries/1" ] || fail "the entry is $entry"
request 200 GET "$entry"
has '"Username":"admin"' '"Originator":"uid '
as reader request 200 GET "$entry"
lacks Username '"Originator"'
has '"DiagnosticDataType":"OS"' LogService.1.1.DiagnosticDataCollected '"State":"Available"' '"Source":"recorded"' '"Masked":false' \
	"\"AdditionalDataURI\":\"$entry/capture.tar.zst\"" '"MissingCount":0'
size=$(echo "$body" | sed -n 's/.*"AdditionalDataSizeBytes":\([0-9]*\).*/\1/p')
request 200 GET "$captures/Entries"
has '"Members@odata.count":1' "\"@odata.id\":\"$entry\""
request 200 GET "$manager/Entries"
has '"Members@odata.count":0'
request 404 GET "$manager/Entries/1"
said "diagnostic data was collected for admin: $entry"

# Only the account that collected it gets it, and only once; a look at the head changes nothing.
for name in operator reader; do
	as "$name" request 403 GET "$entry/capture.tar.zst"
done
as root2 request 403 GET "$entry/capture.tar.zst"
has DiagnosticDataNotAvailable "account that collected it"
request 404 GET "$captures/Entries/9/capture.tar.zst"
request 404 GET "$manager/Entries/1/capture.tar.zst"
request 200 HEAD "$entry/capture.tar.zst"
header "Content-Length: $size"
download 200 first.tar.zst
header "Content-Type: application/zstd"
header "Content-Length: $size"
header 'Content-Disposition: attachment; filename="capture-1.tar.zst"'
[ "$(stat -c %s "$scratch/first.tar.zst")" = "$size" ] || fail "the archive has another size"
said "diagnostic data is downloaded by admin: $entry/capture.tar.zst"
wait_downloaded
lacks AdditionalDataURI
request 410 GET "$entry/capture.tar.zst"
has DiagnosticDataNotAvailable "was downloaded"
cp "$hosts/normalized-7.3.tar.zst" "$scratch/original.tar.zst"
same "$scratch/first.tar.zst" "$scratch/original.tar.zst"
opens "$scratch/first.tar.zst" "$scratch/original.tar.zst"

# The manager's is the same, under its own name; masked it is what the command line writes.
collected 201 '{"DiagnosticDataType":"Manager"}' "$manager/Actions/LogService.CollectDiagnosticData"
[ "$entry" = "$manager/Entries/2" ] || fail "the entry is $entry"
request 200 GET "$entry"
has '"DiagnosticDataType":"Manager"'
download 200 second.tar.zst
same "$scratch/second.tar.zst" "$scratch/original.tar.zst"
collected 201 "$masked"
request 200 GET "$entry"
has '"DiagnosticDataType":"OEM"' '"OEMDiagnosticDataType":"CXLHostCaptureMasked"' '"Masked":true'
download 200 masked.tar.zst
./cxl-spa --host "$hosts/normalized-7.3.tar.zst" --mask capture "$scratch/expected.tar.zst" >/dev/null ||
	fail "cxl-spa capture --mask"
same "$scratch/masked.tar.zst" "$scratch/expected.tar.zst"
opens "$scratch/masked.tar.zst" "$scratch/expected.tar.zst"

# While it goes on others are answered, and another collection waits.
hold
post 202 "$collect" "$plain"
id=$(task_id)
header "Location: $monitors/$id"
has "\"TargetUri\":\"$collect\""
request 200 GET "$system"
post 503 "$manager/Actions/LogService.CollectDiagnosticData" '{"DiagnosticDataType":"Manager"}'
header 'Retry-After: 10'
as reader request 403 GET "$monitors/$id"
let_go
wait_state "$id" Completed
request 201 GET "$monitors/$id"
header "Location: $captures/Entries/4"
entry=$captures/Entries/4
download 200 task.tar.zst
same "$scratch/task.tar.zst" "$scratch/original.tar.zst"

# Cancelled, it leaves nothing, and another one can begin.
hold
post 202 "$collect" "$plain"
id=$(task_id)
wait_until_held
request 204 DELETE "$tasks/$id"
wait_state "$id" Cancelled
request 410 GET "$monitors/$id"
let_go
collected 201 "$plain"
request 204 DELETE "$entry"
request 404 GET "$entry"
request 404 GET "$entry/capture.tar.zst"

# ---- what a revocation ends

# change ACCOUNT JSON
change() {
	request 200 PATCH "$1" -H 'Content-Type: application/json' -d "$2"
}

# A task of root2 is held; it ends with the account's rights, and with nothing else.
hold_task() {
	hold
	as root2 post 202 "$collect" "$plain"
	id=$(task_id)
	wait_until_held
}
for revoked in '{"RoleId":"Operator"}' '{"Enabled":false}' '{"Locked":true}'; do
	hold_task
	change "$account" "$revoked"
	wait_state "$id" Cancelled
	let_go
	change "$account" '{"RoleId":"Administrator","Enabled":true,"Locked":false}'
done
hold_task
change "$operator" '{"RoleId":"ReadOnly"}'
change "$operator" '{"Enabled":false}'
change "$account" '{"Password":"Secret-1234"}'
request 200 GET "$tasks/$id"
has '"TaskState":"Running"'
let_go
wait_state "$id" Completed

# begin_download ARGUMENT...: root2 reads the beginning of an archive that no buffer holds, and stops until end_download.
begin_download() {
	rm -f "$scratch/begun" "$scratch/go" "$scratch/rest" "$scratch/ended"
	{
		curl -sN --max-time 600 --unix-socket "$socket" "$@" "http://localhost$entry/capture.tar.zst"
		echo $? >"$scratch/ended"
	} | {
		head -c 4096 >/dev/null
		: >"$scratch/begun"
		while [ ! -e "$scratch/go" ]; do
			sleep 0.05
		done
		wc -c >"$scratch/rest"
	} &
	reader=$!
	wait_for_file begun "the download does not begin"
}

end_download() {
	: >"$scratch/go"
	wait "$reader"
}

# broken_off CAUSE: before its end, and it can be fetched again.
broken_off() {
	end_download
	[ "$(cat "$scratch/ended")" -ne 0 ] && [ "$(cat "$scratch/rest")" -lt $((size / 2)) ] ||
		fail "$1: the download went on, to $(cat "$scratch/rest") of $size bytes"
	for _ in $tries; do
		request 200 GET "$entry"
		case $body in
		*'"State":"Available"'*) return ;;
		esac
		sleep 0.1
	done
	fail "$1: the archive is not available again: $body"
}
echo 'head -c 33554432 /dev/zero >&4' >"$scratch/fault"
as root2 collected 201 "$plain"
rm "$scratch/fault"
request 200 GET "$entry"
size=$(echo "$body" | sed -n 's/.*"AdditionalDataSizeBytes":\([0-9]*\).*/\1/p')
request_as_is 201 POST /redfish/v1/SessionService/Sessions -H 'Content-Type: application/json' \
	-d '{"UserName":"root2","Password":"Secret-1234"}'
session=$(echo "$head" | sed -n 's/^Location: //p')
token=$(echo "$head" | sed -n 's/^X-Auth-Token: //p')
begin_download -H "X-Auth-Token: $token"
request 204 DELETE "$session"
broken_off "a session that is deleted"
for revoked in '{"Password":"Secret-1234"}' '{"RoleId":"ReadOnly"}' '{"Enabled":false}' '{"Locked":true}'; do
	begin_download --user root2:Secret-1234
	change "$account" "$revoked"
	broken_off "$revoked"
	change "$account" '{"RoleId":"Administrator","Enabled":true,"Locked":false}'
done
begin_download --user root2:Secret-1234
change "$operator" '{"Password":"Secret-5678"}'
end_download
[ "$(cat "$scratch/ended")" -eq 0 ] && [ "$(cat "$scratch/rest")" -eq $((size - 4096)) ] ||
	fail "another account's change ends the download after $(cat "$scratch/rest") of $size bytes"

# As many as are kept and were not downloaded; those that were make place.
request 204 POST "$captures/Actions/LogService.ClearLog"
request 204 POST "$manager/Actions/LogService.ClearLog"
request 200 GET "$captures/Entries"
has '"Members@odata.count":0'
for _ in 1 2 3 4; do
	collected 201 "$plain"
done
post 503 "$collect" "$plain"
has DiagnosticDataNotAvailable "have not been downloaded"
download 200 fourth.tar.zst
wait_downloaded
collected 201 "$plain"
request 200 GET "$captures/Entries"
has '"Members@odata.count":4'
post 503 "$manager/Actions/LogService.CollectDiagnosticData" '{"DiagnosticDataType":"Manager"}'
request 204 POST "$captures/Actions/LogService.ClearLog"

# A fault of its process is reported, and the service goes on.
echo 'kill -SEGV $$' >"$scratch/fault"
collected 500 "$plain"
has DiagnosticDataNotAvailable "ended by signal 11"
said "diagnostic data was not collected for admin: cxl-redfish-collect was ended by signal 11"
echo 'exit 0' >"$scratch/fault"
collected 500 "$plain"
has "ended unexpectedly"
echo 'ulimit -f 8' >"$scratch/fault"
collected 500 "$plain"
has "cannot be written" "File too large"
printf 'exec 3>&-\nsleep 1' >"$scratch/fault"
collected 500 "$plain"
rm "$scratch/fault"
mv "$scratch/collect" "$scratch/away"
collected 500 "$plain"
has "cannot be started"
mv "$scratch/away" "$scratch/collect"
hold
echo 'exit 1' >"$scratch/fault"
post 202 "$collect" "$plain"
id=$(task_id)
let_go
wait_state "$id" Exception
has "ended unexpectedly"
rm "$scratch/fault"

# The end of the daemon ends it within a second, and nothing is left.
collected 201 "$plain"
hold
post 202 "$collect" "$plain"
wait_until_held
stop
let_go
[ -z "$(find "$state" -name 'capture*')" ] || fail "left behind: $(ls "$state")"
begin
request 200 GET "$captures/Entries"
has '"Members@odata.count":0'
hold
post 202 "$collect" "$plain"
wait_until_held
kill -KILL "$pid"
wait "$pid" 2>/dev/null || :
let_go
[ -z "$(find "$state" -name 'capture*')" ] || fail "left behind: $(ls "$state")"

# Without a state directory there is no place for it.
start normalized-7.3 --listen "unix:$socket" --password-file "$scratch/password"
request 200 GET "$captures"
has '"ServiceEnabled":false' '"State":"Disabled"'
post 503 "$collect" "$plain"
has DiagnosticDataNotAvailable "no state directory"
stop

# A disk that is nearly full: nothing is begun.
as_root=
[ "$(id -u)" -eq 0 ] || as_root=--map-root-user
if unshare --mount $as_root mount -t tmpfs none "$state" 2>/dev/null; then
	cat >"$scratch/small" <<-END
		#!/bin/sh
		exec unshare --mount $as_root sh -c 'mount -t tmpfs -o size=8m,mode=700 none "$state" && exec "\$@"' - "$daemon" "\$@"
	END
	chmod +x "$scratch/small"
	daemon=$scratch/small
	begin
	collected 507 "$plain"
	has DiagnosticDataNotAvailable "MiB free"
	said "diagnostic data was not collected for admin: the state directory has"
else
	echo "not tested: a full disk, because no file system can be mounted here"
fi
finish
