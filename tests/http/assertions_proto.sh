#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The assertions PROTO_* of DSP0266, each by name: assertions_proto.py.
. "${0%/*}/assertions"
