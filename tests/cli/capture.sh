#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# capture: all commands can read the archive.
. "${0%/*}/functions"
need_python

run 2 --host "$hosts/plain-7.3.tar.zst" capture "$scratch/again.tar.zst"
refused "--host"
[ ! -e "$scratch/again.tar.zst" ] || fail "$what: something was written"

# This machine, with or without CXL.
run 0 capture "$scratch/this.tar.zst"
says "this.tar.zst: " "files"
[ -s "$scratch/this.tar.zst" ] || fail "$what: no archive"
run 0 --host "$scratch/this.tar.zst" --json list
json "'buses' in a"

# An existing file is not overwritten.
run 2 capture "$scratch/this.tar.zst"
refused "this.tar.zst"
run 2 capture "$scratch/no/such/directory.tar.zst"
refused "directory.tar.zst"
run 2 capture
refused "OUT.tar.zst"
finish
