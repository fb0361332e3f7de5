# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Any bytes as the reply of a switch; run by scripts/fuzz.
fuzz_programs += fuzz_fmapi
fuzz_fmapi_LDFLAGS = $(AM_LDFLAGS) $(fuzz_ldflags)
fuzz_fmapi_SOURCES = %D%/fuzz_fmapi.c %D%/fuzz_table.h
fuzz_fmapi_LDADD = $(MAILBOX_LINK) $(fuzz_main)
EXTRA_DIST += \
	%D%/corpus/fmapi/allocations-endless.bin \
	%D%/corpus/fmapi/allocations-overflow.bin \
	%D%/corpus/fmapi/allocations.bin \
	%D%/corpus/fmapi/events-count.bin \
	%D%/corpus/fmapi/events-overflow.bin \
	%D%/corpus/fmapi/events.bin \
	%D%/corpus/fmapi/identity-old.bin \
	%D%/corpus/fmapi/identity.bin \
	%D%/corpus/fmapi/ld_info-many.bin \
	%D%/corpus/fmapi/ld_info.bin \
	%D%/corpus/fmapi/ports-count.bin \
	%D%/corpus/fmapi/ports-short.bin \
	%D%/corpus/fmapi/ports.bin \
	%D%/corpus/fmapi/qos_bw-count.bin \
	%D%/corpus/fmapi/qos_bw.bin \
	%D%/corpus/fmapi/qos_control-range.bin \
	%D%/corpus/fmapi/qos_control.bin \
	%D%/corpus/fmapi/qos_status.bin \
	%D%/corpus/fmapi/set_allocations.bin \
	%D%/corpus/fmapi/switch-short.bin \
	%D%/corpus/fmapi/switch.bin \
	%D%/corpus/fmapi/tunnel-length.bin \
	%D%/corpus/fmapi/tunnel-nested.bin \
	%D%/corpus/fmapi/tunnel-opcode.bin \
	%D%/corpus/fmapi/tunnel.bin \
	%D%/corpus/fmapi/vcs-count.bin \
	%D%/corpus/fmapi/vcs-invalid.bin \
	%D%/corpus/fmapi/vcs.bin
