#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# translate -: operands on standard input, one per line.
. "${0%/*}/functions"
need_python

plain=$hosts/plain-7.3.tar.zst

# feed STATUS TEXT ARGUMENT...: as run, with TEXT (in printf's language) on standard input
feed() {
	feed_status=$1
	# shellcheck disable=SC2059 # TEXT is a format
	printf "$2" >"$scratch/in"
	shift 2
	run "$feed_status" "$@" <"$scratch/in"
}

feed 0 '0x1000\n0x2000\n' --host "$plain" --json translate mem0 -
silent
json "[x['dpa'] for x in a] == ['0x1000', '0x2000']"

# Between other operands, without a last newline, and by SPA.
feed 0 '0x2000\n0x3000' --host "$plain" --json translate mem0 0x1000 - 0x4000
json "[x['dpa'] for x in a] == ['0x1000', '0x2000', '0x3000', '0x4000']"

# Blank lines keep their place, and are no errors.
feed 0 '\n0x2000\n \t\n0x3000\n\n' --host "$plain" --json translate mem0 0x1000 -
json "[x['dpa'] for x in a] == ['0x1000', None, '0x2000', None, '0x3000', None]"
json "a[1]['reason'] == 'line 1: the line is blank' and a[5]['reason'] == 'line 5: the line is blank'"
json "set(a[0]) == set(a[1]) and not a[1]['exact']"
silent
feed 0 '\n0x110000000\n' --host "$plain" --json translate -
json "len(a) == 2 and a[0]['candidates'] == [] and a[1]['exact']"
feed 0 '\n0x2000\n\n' --host "$plain" translate mem0 -
[ -z "$(sed -n 1p "$scratch/out")" ] || fail "$what: no blank line before the answer"
[ -z "$(tail -n 1 "$scratch/out")" ] || fail "$what: no blank line after the answer"
[ "$(wc -l <"$scratch/out")" = 4 ] || fail "$what: $(wc -l <"$scratch/out") lines, not 4"
feed 0 '0x110000000\n' --host "$plain" --json translate -
json "a[0]['spa'] == '0x110000000' and 'candidates' in a[0]"
feed 1 '0x1000\n0x10000000\n' --host "$plain" --json translate mem0 -
json "[x['exact'] for x in a] == [True, False]"
feed 1 '0-0x1fffffff\n' --host "$plain" --json translate mem0 -
json "len(a) == 2"
feed 0 '' --host "$plain" --json translate mem0 -
json "a == []"

# A malformed line is answered by a reason, the others are translated, and the status is 2.
feed 2 '0x1000\nbad\n1000\n0x1000\r\n0x2000\n' --host "$plain" --json translate mem0 -
json "[x['dpa'] for x in a] == ['0x1000', None, None, None, '0x2000']"
json "[x['exact'] for x in a] == [True, False, False, False, True]"
json "'line 2' in a[1]['reason'] and 'bad' in a[1]['reason']"
json "'carriage return' in a[3]['reason']"
json "len(a[1]) == 15 and all(v is None for k, v in a[1].items() if k not in ('exact', 'reason'))"
feed 2 'bad\n0x110000000\n' --host "$plain" --json translate -
json "set(a[0]) == set(a[1]) and a[0]['dpa_last'] is None and a[0]['candidates'] == []"
feed 2 '0x1000\nbad\n1000\n0x1000\r\n0x2000\n' --host "$plain" --json translate mem0 -
case $err in
*"3 malformed lines"*"line 2"*) ;;
*) fail "$what: no summary on standard error: $err" ;;
esac

# A line too long, a NUL byte and control characters are refused, and not printed as they are.
{
	head -c 1000000 /dev/zero | tr '\0' a
	printf '\n0x1\0002\n0x\033[31m1\n0x3000\n'
} >"$scratch/in"
run 2 --host "$plain" --json translate mem0 - <"$scratch/in"
json "[x['dpa'] for x in a] == [None, None, None, '0x3000']"
json "'longer' in a[0]['reason'] and 'NUL' in a[1]['reason']"
run 2 --host "$plain" translate mem0 - <"$scratch/in"
if LC_ALL=C grep -q '[[:cntrl:]]' "$scratch/out" "$scratch/err"; then
	fail "$what: control characters in the output"
fi
says "line 1: " "line 2: " "line 3: " "mem0 DPA 0x3000"

# With a malformed operand beside '-' nothing is translated; '-' can be given once.
feed 2 '0x1000\n' --host "$plain" --json translate mem0 - bad
refused "bad"
feed 2 '0x1000\n' --host "$plain" --json translate mem0 - -
refused "once"

# Standard input cannot be read: it is a directory.
run 2 --host "$plain" --json translate mem0 - <"$scratch"
json "a == []"
[ -n "$err" ] || fail "$what: no message"

# 200,000 lines.
awk 'BEGIN { for (i = 0; i < 200000; i++) printf "0x%x\n", i * 64 }' >"$scratch/in"
run 0 --host "$plain" --json translate mem0 - <"$scratch/in"
json "len(a) == 200000 and all(x['exact'] for x in a) and a[-1]['dpa'] == hex(199999 * 64)"
finish
