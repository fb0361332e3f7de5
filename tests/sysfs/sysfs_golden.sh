#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The snapshot of every bundled host, field by field, against tests/hosts/NAME.golden.
. "${0%/*}/../lib/golden"
compare_golden ./dump_host golden
