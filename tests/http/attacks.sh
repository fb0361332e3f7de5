#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Attacks by 20 connections, and the limits that hold: scripts/attack-table.
. "${0%/*}/functions"
needs_python
python3 "$srcdir/scripts/attack-table" .
