# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Requests to the helpers, their answers, and configuration spaces of switches; run by scripts/fuzz.
fuzz_programs += fuzz_helper_request

fuzz_helper_request_LDFLAGS = $(AM_LDFLAGS) $(fuzz_ldflags)
fuzz_helper_request_SOURCES = %D%/fuzz_helper_request.c %D%/fuzz_table.h
fuzz_helper_request_LDADD = $(OPENER_LINK) $(fuzz_main)

EXTRA_DIST += \
	%D%/corpus/helper_request/command \
	%D%/corpus/helper_request/config \
	%D%/corpus/helper_request/dots \
	%D%/corpus/helper_request/pipe \
	%D%/corpus/helper_request/start \
	%D%/corpus/helper_request/switch_command \
	%D%/corpus/helper_request/watch

fuzz_programs += fuzz_switch_config
fuzz_switch_config_LDFLAGS = $(AM_LDFLAGS) $(fuzz_ldflags)
fuzz_switch_config_SOURCES = %D%/fuzz_switch_config.c %D%/fuzz_table.h
fuzz_switch_config_LDADD = $(MAILBOX_LINK) $(fuzz_main)

EXTRA_DIST += \
	%D%/corpus/switch_config/bar \
	%D%/corpus/switch_config/beyond \
	%D%/corpus/switch_config/good \
	%D%/corpus/switch_config/ring

fuzz_programs += fuzz_change
fuzz_change_LDFLAGS = $(AM_LDFLAGS) $(fuzz_ldflags)
fuzz_change_SOURCES = %D%/fuzz_change.c %D%/fuzz_table.h
fuzz_change_LDADD = $(HELPER_LINK) $(fuzz_main)

EXTRA_DIST += \
	%D%/corpus/change/create \
	%D%/corpus/change/destroy-cancel \
	%D%/corpus/change/done \
	%D%/corpus/change/firmware \
	%D%/corpus/change/firmware-two \
	%D%/corpus/change/found \
	%D%/corpus/change/found-no-range \
	%D%/corpus/change/found-too-many \
	%D%/corpus/change/least-error \
	%D%/corpus/change/other-answer \
	%D%/corpus/change/passphrase \
	%D%/corpus/change/poison \
	%D%/corpus/change/query \
	%D%/corpus/change/query-descriptors \
	%D%/corpus/change/refused \
	%D%/corpus/change/short \
	%D%/corpus/change/text-unended
