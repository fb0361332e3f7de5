#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The command line: options anywhere, help, version, and wrong usage.
. "${0%/*}/functions"

plain=$hosts/plain-7.3.tar.zst

run 0 --version
says "cxl-spa "
run 0 --help
says "translate" "list" "explain" "graph" "events" "capture" "region" "online" "offline" "--host"
for command in translate list explain graph events capture region; do
	run 0 "$command" --help
	says "Usage: cxl-spa $command" "--host"
	run 0 --help "$command"
	says "Usage: cxl-spa $command"
done
for command in online offline; do
	run 0 "$command" --help
	says "Usage: cxl-spa $command" "It requires root."
	says_not "--host"
done

# Options before and after the subcommand, in both spellings, independent of POSIXLY_CORRECT.
for order in "--host $plain list" "list --host $plain" "--host=$plain list" "list --host=$plain"; do
	# shellcheck disable=SC2086 # the words are separate arguments
	run 0 $order
	says "decoder0.0"
	silent
done
export POSIXLY_CORRECT=1
run 0 list --host "$plain"
says "decoder0.0"
run 0 translate 0x110000000 --host "$plain" --json
says '"exact": true'
unset POSIXLY_CORRECT
run 0 translate --json 0x110000000 --host "$plain"
says '"exact": true'
run 0 translate 0x110000000 --host "$plain" --json
says '"exact": true'
run 0 --json translate --host "$plain" -- 0x110000000
says '"exact": true'

run 2
refused "subcommand is missing"
run 2 nonsense
refused "nonsense"
run 2 nonsense --help
refused "nonsense"
for wrong in trnslate:translate evnets:events lst:list map1:map; do
	run 2 "${wrong%:*}"
	refused "unknown subcommand '${wrong%:*}'; '${wrong#*:}' is similar"
done
run 2 "$(printf '%04096d' 0)"
refused "unknown subcommand"
# The help is found by all of its names.
for help in -h help "help list" "list -h" "-h list" "--help list"; do
	# shellcheck disable=SC2086 # the words are separate arguments
	run 0 $help
	says "Usage: cxl-spa "
done
run 2 help nonsense
refused "nonsense"
run 2 list --nonsense
refused "--nonsense" "see cxl-spa list --help"
run 2 --nonsense events
refused "--nonsense" "see cxl-spa events --help"
run 2 --nonsense
refused "--nonsense" "see cxl-spa --help"
# The caller of a plugin reads standard output.
run 3 --nonsense health
says "CXL UNKNOWN - unknown option '--nonsense' (see cxl-spa health --help)"
run 2 list -x
refused "-x"
# An abbreviation is not accepted, even of one option only.
run 2 list --jso --host "$plain"
refused "write --json instead of --jso"
run 2 list --ho "$plain"
refused "write --host instead of --ho"
run 2 list --json=yes --host "$plain"
refused "--json does not take an argument"
run 2 list --host
refused "--host requires an argument"
run 2 list --host=
refused "--host"
for twice in "--host $plain --host $scratch" "--host=$plain --host $scratch" "--host $plain --host=$plain"; do
	# shellcheck disable=SC2086 # the words are separate arguments
	run 2 list $twice
	refused "--host is given twice"
done
run 2 list extra
refused "extra"
run 2 explain mem0 extra
refused "extra"
run 2 graph --json
refused "graph does not support --json"
run 2 capture --host "$plain" "$scratch/out.tar.zst"
refused "--host $plain is a captured host already" "--mask"
run 2 translate
refused "ADDRESS"
run 2 translate mem0
refused "mem0"
run 2 list --host "$scratch/absent.tar.zst"
refused "absent.tar.zst"
run 2 translate --host "$scratch/absent" 0x0
refused "absent"

# Output that cannot be written ends with an error.
if [ -w /dev/full ]; then
	what="list to /dev/full"
	status=0
	"$spa" list --host "$plain" >/dev/full 2>"$scratch/err" || status=$?
	[ "$status" -eq 2 ] || fail "$what: status $status"
	grep -q "cannot write" "$scratch/err" || fail "$what: no message"
fi
finish
