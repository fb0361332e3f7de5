#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# embed-schemas.sh FILE... - print a C file that holds the bytes of the files, see oem_schemas.h
set -eu

printf '// Made by embed-schemas.sh, do not edit.\n#include "redfish/resources/service/oem_schemas.h"\n'
n=0
for file; do
	printf '\nstatic const unsigned char schema_%d[] = {\n' "$n"
	od -An -v -t x1 "$file" | sed 's/ \([0-9a-f][0-9a-f]\)/0x\1,/g'
	printf '};\n'
	n=$((n + 1))
done

# list NAME SUFFIX FILE...: the files with that suffix, by the numbers they have above
list() {
	printf '\nconst struct oem_schema %s[] = {\n' "$1"
	suffix=$2
	shift 2
	n=0
	for file; do
		case $file in
		*"$suffix")
			printf '\t{"%s", schema_%d, sizeof(schema_%d)},\n' "$(basename "$file")" "$n" "$n"
			;;
		esac
		n=$((n + 1))
	done
	printf '\t{0},\n};\n'
}
list oem_csdl .xml "$@"
list oem_json_schemas .json "$@"
