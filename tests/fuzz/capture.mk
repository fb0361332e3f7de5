# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Any bytes as an archive; run by scripts/fuzz.
fuzz_programs += fuzz_capture
fuzz_capture_LDFLAGS = $(AM_LDFLAGS) $(fuzz_ldflags)
fuzz_capture_SOURCES = %D%/fuzz_capture.c
fuzz_capture_LDADD = $(CAPTURE_LINK) $(fuzz_main)
EXTRA_DIST += \
	%D%/corpus/capture/bad-names.tar \
	%D%/corpus/capture/cut.tar \
	%D%/corpus/capture/cut.tar.zst \
	%D%/corpus/capture/device.tar \
	%D%/corpus/capture/dot-dot.tar \
	%D%/corpus/capture/escaping-link.tar \
	%D%/corpus/capture/fifo.tar \
	%D%/corpus/capture/gnu-long.tar \
	%D%/corpus/capture/hard-link.tar \
	%D%/corpus/capture/host.tar \
	%D%/corpus/capture/host.tar.zst \
	%D%/corpus/capture/pax-sparse.tar.zst \
	%D%/corpus/capture/pax.tar \
	%D%/corpus/capture/through-link.tar
