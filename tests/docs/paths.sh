#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Every path that HACKING.md and docs/architecture.md name in `...` or as the target of a link exists; one that does
# not exist is found. Names with a word in capitals (check_NAME.c) and commands are not paths.
srcdir=${srcdir:-$(dirname "$0")/../..}
status=0
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

# names FILE: the paths that it names, one on each line, relative to the top directory.
names() {
	grep -o '`[^` ]*`' "$1" | tr -d '`' | grep -E '^[a-z*][a-zA-Z0-9_.*/+-]*$' |
		grep -vE '(^|[/_.-])[A-Z]{3,}([/_.-]|$)' |
		grep -E '/|\.(c|h|md|mk|sh|py|json)$'
	case ${1%/*} in
	*/docs) below=docs/ ;;
	*) below= ;;
	esac
	grep -o ']([^)#:]*)' "$1" | sed "s|](\\(.*\\))|$below\\1|"
}

# A name without a directory may be that of a file anywhere: "local.mk".
exists() {
	case $1 in
	*/*)
		for found in "$srcdir"/$1; do
			[ -e "$found" ] && return 0
		done
		return 1
		;;
	*) [ -n "$(find "$srcdir" -name "$1" -not -path '*/.git/*' -print -quit)" ] ;;
	esac
}

# missing FILE: the paths that it names and that do not exist.
missing() {
	names "$1" | sort -u | while read -r path; do
		exists "$path" || echo "$path"
	done
}

for document in HACKING.md docs/architecture.md; do
	missing "$srcdir/$document" >"$scratch/missing"
	if [ -s "$scratch/missing" ]; then
		echo "FAIL: $document names what does not exist:" $(cat "$scratch/missing")
		status=1
	fi
	[ -n "$(names "$srcdir/$document")" ] || {
		echo "FAIL: no path was found in $document"
		status=1
	}
done

# Names that the check must find, and names that it must accept.
mkdir "$scratch/docs"
cat >"$scratch/docs/sample.md" <<-'END'
	See `common/none.h`, `none/*.c`, `absent.mk` and [this](none.md), but also `common/array.h`,
	`redfish/resources/*.c`, `local.mk`, `cli/`, `tests/fuzz/fuzz_NAME.c`, `/dev/cxl_prm` and [that](glossary.md).
END
missing "$scratch/docs/sample.md" | sort >"$scratch/found"
printf '%s\n' absent.mk common/none.h docs/none.md 'none/*.c' | sort >"$scratch/expected"
cmp -s "$scratch/found" "$scratch/expected" || {
	echo "FAIL: of the sample these were found:" $(cat "$scratch/found")
	status=1
}
exit $status
