# SPDX-License-Identifier: LGPL-2.1-or-later
noinst_LIBRARIES += libprm.a
libprm_a_SOURCES = \
	%D%/addresses.c %D%/addresses.h \
	%D%/answer.c %D%/answer.h %D%/answer_private.h \
	%D%/capture_machine.c \
	%D%/capture_pairs.c %D%/capture_pairs.h \
	%D%/cedt.c %D%/cedt.h \
	%D%/decoder_mapping.c %D%/decoder_mapping.h \
	%D%/emulated.c %D%/emulated.h \
	%D%/firmware.c %D%/firmware.h \
	%D%/firmware_cache.c \
	%D%/firmware_device.c \
	%D%/firmware_geometry.c \
	%D%/firmware_private.h \
	%D%/firmware_text.c \
	%D%/firmware_visit.c \
	%D%/firmware_worker.c \
	%D%/handler.c %D%/handler.h \
	%D%/handler_memdev.c %D%/handler_memdev.h \
	%D%/handler_pairs.c %D%/handler_pairs.h \
	%D%/handler_rules.c %D%/handler_rules.h \
	%D%/handler_types.h \
	%D%/interleave.c %D%/interleave.h \
	%D%/kmod/cxl_prm_uapi.h \
	%D%/map_types.h \
	%D%/maps.c %D%/maps.h \
	%D%/overlap.c %D%/overlap.h \
	%D%/prefetch.c \
	%D%/prmt.c %D%/prmt.h \
	%D%/provider.c %D%/provider.h \
	%D%/provider_decoder.c \
	%D%/provider_estimate.c \
	%D%/provider_handler.c \
	%D%/provider_prm.c \
	%D%/reason.c %D%/reason.h \
	%D%/region_map.c %D%/region_map.h \
	%D%/region_order.c %D%/region_order.h \
	%D%/route.c %D%/route.h \
	%D%/route_levels.c %D%/route_levels.h \
	%D%/spans.c \
	%D%/translate.c %D%/translate.h \
	%D%/translator.c \
	%D%/translator_text.c %D%/translator_text.h \
	%D%/unassigned.c \
	%D%/validate.c \
	%D%/verify.c %D%/verify.h \
	%D%/window_map.c %D%/window_map.h

PRM_LINK = libprm.a $(SYSFS_LINK) $(JANSSON_LIBS)

# The kernel module is not built with the rest, because it needs a kernel's headers, see kmod/README.md.
# Its sources are installed where DKMS finds them.
kmoddir = $(prefix)/src/cxl_prm-1.0.0
dist_kmod_DATA = \
	%D%/kmod/Kbuild \
	%D%/kmod/Makefile \
	%D%/kmod/README.md \
	%D%/kmod/call.c \
	%D%/kmod/cxl_prm.h \
	%D%/kmod/cxl_prm_uapi.h \
	%D%/kmod/device.c \
	%D%/kmod/dkms.conf \
	%D%/kmod/main.c \
	%D%/kmod/prmt.c
