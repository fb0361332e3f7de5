# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The agent of a Sunfish core: its state, and what is registered and offered.
noinst_LIBRARIES += libredfish_sunfish.a
libredfish_sunfish_a_SOURCES = \
	%D%/state_sunfish.c %D%/state_sunfish.h \
	%D%/sunfish_agent.c %D%/sunfish_agent.h \
	%D%/sunfish_offer.c %D%/sunfish_offer.h \
	%D%/sunfish_settings.c %D%/sunfish_settings.h
