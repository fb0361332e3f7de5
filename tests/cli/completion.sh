#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Completion scripts of both programs: bash completes what they take, nothing else; zsh accepts its own.
set -uo pipefail
failed=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

for program in cxl-spa cxl-redfishd; do
	for file in bash/$program zsh/_$program; do
		made=completion/$file
		[ -e "$made" ] || made=${srcdir:-$(dirname "$0")/../..}/$made # of an archive
		cp "$made" "$scratch/$program.${file%%/*}" || failed=1
	done
done
# Stand-ins for the objects of this machine, which has none.
mkdir -p "$scratch/sys"
touch "$scratch"/sys/{mem0,mem1,region0,decoder0.0,decoder3.0}
mkdir "$scratch/dax"
touch "$scratch/dax/dax0.0"
sed -i "s,/sys/bus/cxl/devices,$scratch/sys,; s,/sys/bus/dax/devices,$scratch/dax," "$scratch"/*.{bash,zsh}
hosts=${srcdir:-$(dirname "$0")/../..}/tests/hosts
PATH=$PWD:$PATH # the names of a captured host are those that cxl-spa lists

# is EXPECTED WORD...: the candidates for the last word.
is() {
	local expected=$1 found program=$2
	shift
	# shellcheck disable=SC2034 # of the completion
	found=$(. "$scratch/cxl-spa.bash" && . "$scratch/cxl-redfishd.bash" && COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) &&
		"_${program}_complete" && printf '%s\n' "${COMPREPLY[@]}" | sort | xargs -d '\n')
	if [ "$found" != "$expected" ]; then
		echo "FAIL: $*: expected '$expected', found '$found'"
		failed=1
	fi
}

is "region" cxl-spa reg
is "mem0 mem1" cxl-spa translate ''
is "mem1" cxl-spa --json translate mem1
is "create destroy plan" cxl-spa region ''
is "decoder0.0" cxl-spa region plan ''
is "mem0 mem1" cxl-spa region create decoder0.0 mem0 ''
is "mem0 mem1" cxl-spa region --mode ram plan decoder0.0 ''
is "region0" cxl-spa region destroy ''
is "" cxl-spa region destroy region0 ''
is "dax0.0 region0" cxl-spa online region0 ''
is "dax0.0 decoder0.0 decoder3.0 host mem0 mem1 region0" cxl-spa explain ''
is "" cxl-spa explain mem0 ''
is "dynamic_ram_1 dynamic_ram_a pmem ram" cxl-spa region --mode ''
is "mem0 mem1" cxl-spa events --memdev m
is "" cxl-spa events --since ''
is "critical ok warning" cxl-spa events --severity ''
is "port_aer_correctable port_aer_uncorrectable" cxl-spa events --type port
is "auto" cxl-spa list --switch-mailbox ''
# The types are those that the program accepts.
./cxl-spa events --type x 2>&1 | sed 's/.*between: //; s/,//g' | tr ' ' '\n' | sort >"$scratch/types"
(. "$scratch/cxl-spa.bash" && COMP_WORDS=(cxl-spa events --type '') COMP_CWORD=3 && _cxl-spa_complete &&
	printf '%s\n' "${COMPREPLY[@]}" | sort) | diff "$scratch/types" - || failed=1
is "--json" cxl-spa list --js
is "" cxl-spa list --mode
is "warning" cxl-redfishd --log-level w
is "--listen --log-level" cxl-redfishd --l
mkdir "$scratch/a directory"
touch "$scratch/a file"
is "$scratch/a directory" cxl-redfishd --state "$scratch/a"
is "$scratch/a directory $scratch/a file" cxl-spa --host "$scratch/a"
# Where = divides words, and where it does not.
is "$scratch/a directory $scratch/a file" cxl-spa --host = "$scratch/a"
is "--host=$scratch/a directory --host=$scratch/a file" cxl-spa "--host=$scratch/a"
is "critical" cxl-spa events --severity = c
is "critical ok warning" cxl-spa events --severity =
is "map" cxl-spa --host = x ma

# With --host the objects are those of the captured host.
if ./cxl-spa --host "$hosts/plain-7.3.tar.zst" list >"$scratch/out" 2>&1; then
	for words in "--host $hosts/plain-7.3.tar.zst" "--host = $hosts/plain-7.3.tar.zst" "--host=$hosts/plain-7.3.tar.zst"; do
		# shellcheck disable=SC2086 # the words are separate arguments
		is "region0" cxl-spa $words map ''
	done
	is "decoder0.0 decoder0.1 decoder0.2" cxl-spa region --host "$hosts/plain-7.3.tar.zst" plan ''
	is "mem1" cxl-spa translate --host "$hosts/plain-7.3.tar.zst" mem1
else
	echo "captured hosts cannot be entered here: their objects were not tried"
fi

# Every option of the help is completed.
for program in cxl-spa cxl-redfishd; do
	for option in $("./$program" --help | sed -n 's/^  \(--[a-z-]*\).*/\1/p'); do
		grep -q -- " $option[ ']" "$scratch/$program.bash" || {
			echo "FAIL: $program: $option is not completed"
			failed=1
		}
	done
done

if command -v zsh >/dev/null; then
	for program in cxl-spa cxl-redfishd; do
		zsh -n "$scratch/$program.zsh" || failed=1
	done
	# A terminal in which the word is completed by Tab.
	cat >"$scratch/try.zsh" <<-'END'
		zmodload zsh/zpty
		zpty shell zsh -f -i
		zpty -w shell "PS1=; fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D; PATH=$PWD:\$PATH; cxl-spa() { print argument-\$1-\$2-\$3-; }; print rea''dy"
		zpty -r shell line '*ready*'
		zpty -w -n shell $'cxl-spa transl\t\n'
		zpty -r shell line '*argument-*-*-*-*'
		print -r -- $line
		zpty -w -n shell $'cxl-spa region plan deco\t\n'
		zpty -r shell line '*argument-*-*-*-*'
		print -r -- $line
	END
	mkdir "$scratch/functions"
	for program in cxl-spa cxl-redfishd; do
		cp "$scratch/$program.zsh" "$scratch/functions/_$program"
	done
	timeout 180 zsh -f "$scratch/try.zsh" "$scratch/functions" >"$scratch/zsh.out" 2>&1
	grep -q "argument-translate-" "$scratch/zsh.out" && grep -q "argument-region-plan-decoder0.0-" "$scratch/zsh.out" || {
		echo "FAIL: zsh completes: $(cat -v "$scratch/zsh.out")"
		failed=1
	}
else
	echo "zsh is not installed: its script was not tried"
fi
exit $failed
