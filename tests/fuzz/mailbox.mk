# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Any bytes as answers of a memory device; run by scripts/fuzz.
fuzz_programs += fuzz_mailbox
fuzz_mailbox_LDFLAGS = $(AM_LDFLAGS) $(fuzz_ldflags)
fuzz_mailbox_SOURCES = %D%/fuzz_mailbox.c %D%/fuzz_table.h
fuzz_mailbox_LDADD = $(MAILBOX_LINK) $(fuzz_main)
EXTRA_DIST += \
	%D%/corpus/mailbox/alert_config-bad.bin \
	%D%/corpus/mailbox/alert_config-nonsense.bin \
	%D%/corpus/mailbox/alert_config.bin \
	%D%/corpus/mailbox/fw_info-bad.bin \
	%D%/corpus/mailbox/fw_info-nonsense.bin \
	%D%/corpus/mailbox/fw_info.bin \
	%D%/corpus/mailbox/health_info-bad.bin \
	%D%/corpus/mailbox/health_info-nonsense.bin \
	%D%/corpus/mailbox/health_info.bin \
	%D%/corpus/mailbox/identify-bad.bin \
	%D%/corpus/mailbox/identify-nonsense.bin \
	%D%/corpus/mailbox/identify.bin \
	%D%/corpus/mailbox/partition_info-bad.bin \
	%D%/corpus/mailbox/partition_info-nonsense.bin \
	%D%/corpus/mailbox/partition_info.bin \
	%D%/corpus/mailbox/shutdown_state-nonsense.bin \
	%D%/corpus/mailbox/shutdown_state.bin \
	%D%/corpus/mailbox/timestamp-bad.bin \
	%D%/corpus/mailbox/timestamp.bin \
	%D%/corpus/mailbox/vendor_debug_log_capabilities-nonsense.bin \
	%D%/corpus/mailbox/vendor_debug_log_capabilities.bin
