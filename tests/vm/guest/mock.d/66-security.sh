# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Passphrases of memory devices, made by change_run() itself, and that they are to be found nowhere.
# shellcheck source=/dev/null
. /lib/vm/mock.sh
needs_program run_change

# nmem_of MEMDEV: the directory of its nvdimm.
nmem_of() {
	dirname "$(dirname "$(grep -lx "p$1" /sys/bus/nd/devices/nmem*/cxl/provider)")"
}

# Its serial number has a digit that differs in decimal and hexadecimal.
memdev=$(memdev_of cxl_mem.9)
other=$(memdev_of cxl_mem.8)
mock=$(mock_of "$memdev")
nmem=$(nmem_of "$memdev")
keys=/run/keys
first='first passphrase 4711'
second='second passphrase 0815'

# change NAME OUTCOME LINE...: what becomes of it. $answer is all that is printed.
change() {
	local name=$1 outcome=$2
	shift 2
	answer=$(printf '%s\n' "$@" | run_change $keys)
	case $answer in
	*"outcome $outcome"*) ok "$name" ;;
	*) not_ok "$name" "expected '$outcome', found '$answer'" ;;
	esac
}

# because NAME TEXT: the answer has that text.
because() {
	case $answer in
	*"$2"*) ok "$1" ;;
	*) not_ok "$1" "expected '$2', found '$(echo "$answer" | sed -n 's/^text //p')'" ;;
	esac
}

# is NAME STATE: what the driver says.
is() {
	same "$1" "$2" "$(cat "$nmem/security")"
}

files() {
	# shellcheck disable=SC2012 # names of ours
	ls $keys | tr '\n' ' '
}

user=cxl-redfish-$(printf '%016x' "$(cat "/sys/bus/cxl/devices/$memdev/serial")")-user

is "at first there is no passphrase" disabled
change "none is disabled" refused "kind disable passphrase" "object $memdev" "old $first"
because "because there is none" "has no passphrase"
change "none unlocks" refused "kind unlock" "object $memdev" "old $first"

# ---- set
change "a passphrase is set" "done" "kind set passphrase" "object $memdev" "new $first"
is "the device has one" unlocked
same "its key is kept" "$user.1 " "$(files)"
same "for root only" "700 600" "$(stat -c %a $keys) $(stat -c %a "$keys/$user.1")"
change "it is not set again without the present one" refused "kind set passphrase" "object $memdev" "new $second"
because "which must be in the request" "the request does not contain it"
change "nor with a wrong one" refused "kind set passphrase" "object $memdev" "old wrong" "new $second"
because "which the device does not see" "the device was not asked"
same "its key is the same" "$user.1 " "$(files)"
change "a device with a passphrase is not overwritten" refused "kind overwrite" "object $memdev"
because "because of that" "disable the passphrase first"

# ---- update
change "the passphrase is changed" "done" "kind set passphrase" "object $memdev" "old $first" "new $second"
same "the old key is removed" "$user.2 " "$(files)"
change "the old passphrase opens nothing" refused "kind disable passphrase" "object $memdev" "old $first"

# ---- lock and unlock
echo 1 >"$mock/security_lock"
is "a device that was reset is locked" locked
change "it is not unlocked by the old passphrase" refused "kind unlock" "object $memdev" "old $first"
is "and stays locked" locked
change "a locked device gets no new passphrase" refused "kind set passphrase" "object $memdev" "old $second" "new $first"
because "before it is unlocked" "unlock it first"
change "it is unlocked by its passphrase" "done" "kind unlock" "object $memdev" "old $second"
is "and is unlocked" unlocked
change "to unlock it again changes nothing" "done" "kind unlock" "object $memdev" "old $second"
change "and needs the passphrase" refused "kind unlock" "object $memdev" "old $first"

# ---- an interrupted change: the new key was written, and the device has the old one, or the new one
cp "$keys/$user.2" "$keys/$user.3"
echo 1 >"$mock/security_lock"
change "a second file does no harm" "done" "kind unlock" "object $memdev" "old $second"
cp -p $keys/* /run/ && change "a change that the device made" "done" "kind set passphrase" "object $memdev" "old $second" "new $first"
cp -p /run/"$user".* $keys/
change "leaves a key that opens it" "done" "kind disable passphrase" "object $memdev" "old $first"
is "no passphrase is left" disabled
same "and no key" "" "$(files)"

# ---- erase
change "a passphrase is set again" "done" "kind set passphrase" "object $memdev" "new $first"
change "a wrong one does not erase" refused "kind secure erase" "object $memdev" "old $second"
is "nothing was erased" unlocked
change "it is erased by its passphrase" "done" "kind secure erase" "object $memdev" "old $first"
is "and has none then" disabled
same "nor a key" "" "$(files)"

# ---- a passphrase that was set elsewhere
change "a passphrase is set" "done" "kind set passphrase" "object $memdev" "new $first"
mv $keys /run/elsewhere
change "without its key it opens nothing" refused "kind disable passphrase" "object $memdev" "old $first"
because "which is said" "was not set from this host"
rmdir $keys
mv /run/elsewhere $keys
sed -i 's/^blob \(.*\).$/blob \1z/' "$keys/$user.1"
cp "$keys/$user.1" /run/damaged
change "nor with one that is damaged" refused "kind disable passphrase" "object $memdev" "old $first"
because "which is said" "has no valid key"
chmod 755 $keys
change "nor from a directory that others may read" refused "kind disable passphrase" "object $memdev" "old $first"
because "which is said" "closed to all others"
chmod 700 $keys

# ---- the master passphrase, of another device
memdev=$other
nmem=$(nmem_of "$memdev")
change "a master passphrase is set" "done" "kind set passphrase" "object $memdev" "master" "new $first"
change "it is changed" "done" "kind set passphrase" "object $memdev" "master" "old $first" "new third"
change "one of the user is set" "done" "kind set passphrase" "object $memdev" "new $second"
change "the master's is not the user's" refused "kind disable passphrase" "object $memdev" "old third"
change "the master's is not changed while there is one of the user" refused "kind set passphrase" "object $memdev" "master" "old third" "new $first"
because "which is said" "disable that first"
change "the old one erases nothing" refused "kind secure erase" "object $memdev" "master" "old $first"
change "the master's erases" "done" "kind secure erase" "object $memdev" "master" "old third"
is "and the user has no passphrase then" disabled
change "the master's is disabled" "done" "kind disable passphrase" "object $memdev" "master" "old third"
change "the master's does not unlock" refused "kind unlock" "object $memdev" "master" "old third"

# ---- freeze, last: only a reset ends it
change "a passphrase is set" "done" "kind set passphrase" "object $memdev" "new $second"
echo 1 >"$(mock_of "$memdev")/security_lock"
is "this one is locked, too" locked
change "and unlocked, with a serial number of one digit" "done" "kind unlock" "object $memdev" "old $second"
change "the state is frozen" "done" "kind freeze security state" "object $memdev"
same "the driver says so" 1 "$(cat "$nmem/frozen")"
change "to freeze it again changes nothing" "done" "kind freeze security state" "object $memdev"
change "nothing is changed then" refused "kind disable passphrase" "object $memdev" "old $second"
because "until a reset" "frozen until the next reset"

# ---- where keys are kept by default
mkdir -p /var/lib
printf 'kind set passphrase\nobject %s\nnew %s\n' "$(memdev_of cxl_mem.6)" "$first" | run_change >/dev/null
same "keys are kept in the state directory of the helper" 1 "$(find /var/lib/cxl-redfish-change/keys -name '*-user.1' | wc -l)"

# ---- no nvdimm, no passphrase
change "a device without persistent memory has none" refused "kind set passphrase" "object $(memdev_of cxl_rcd.10)" "new $first"

# ---- where a passphrase could be found: while it is used, and after
(printf 'kind set passphrase\nobject %s\nnew %s\n' "$(memdev_of cxl_mem.7)" "$first" | run_change $keys >"$RESULTS/answer") &
while kill -0 $! 2>/dev/null; do
	cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ /proc/keys 2>/dev/null
done >"$RESULTS/seen-of-processes"
dmesg >"$RESULTS/seen-of-kernel"
cat $keys/* >"$RESULTS/seen-of-keys"
same "the keys are there" yes "$(grep -qa '^blob enc32 ' "$RESULTS/seen-of-keys" && echo yes)"
printf '%s\n' "$first" "$second" >/run/passphrases
same "no process, no log and no file has a passphrase" "" \
	"$(having /run/passphrases "$RESULTS"/seen-of-* "$RESULTS/answer")"
rm /run/passphrases
same "no key stays in the kernel" "" "$(grep -e nvdimm: -e cxl-redfish /proc/keys)"
