#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# capture: an archive that every command runs on.
. "${0%/*}/functions"
need_python

run 2 --host "$hosts/plain-7.3.tar.zst" capture "$scratch/again.tar.zst"
refused "--host"
[ ! -e "$scratch/again.tar.zst" ] || fail "$what: something was written"

# This machine, whatever it has.
run 0 capture "$scratch/this.tar.zst"
says "this.tar.zst: " "files"
[ -s "$scratch/this.tar.zst" ] || fail "$what: no archive"
run 0 --host "$scratch/this.tar.zst" --json list
json "'buses' in a"

# What is there is not overwritten.
run 2 capture "$scratch/this.tar.zst"
refused "this.tar.zst"
run 2 capture "$scratch/no/such/directory.tar.zst"
refused "directory.tar.zst"
run 2 capture
refused "OUT.tar.zst"
finish
