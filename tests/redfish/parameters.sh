#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# docs/parameters.md shows the tables that bodies are checked by. After a change of one:
# make update-parameters
page=${srcdir:-.}/docs/parameters.md
sed '1,/^<!-- begin of parameters -->$/d; /^<!-- end of parameters -->$/,$d' "$page" >parameters.page || exit 99
./print_parameters | diff -u parameters.page -
result=$?
rm -f parameters.page
exit $result
