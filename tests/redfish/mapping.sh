#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# docs/mapping.md says what the table in redfish/dsp0288.c says. After a change of the table,
# `make update-mapping` writes it anew.
./print_mapping | diff -u "${srcdir:-.}/docs/mapping.md" -
