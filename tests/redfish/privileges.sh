#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# docs/privileges.json shows the table in redfish/core/privileges.c. After a change of the table,
# `make update-privileges` writes it anew.
./print_privileges | diff -u "${srcdir:-.}/docs/privileges.json" -
