# SPDX-License-Identifier: LGPL-2.1-or-later
noinst_LIBRARIES += libchange.a
libchange_a_SOURCES = \
	%D%/alerts.c \
	%D%/change.c %D%/change.h \
	%D%/client.c %D%/client.h \
	%D%/client_direct.c \
	%D%/client_helper.c \
	%D%/context.c %D%/context.h \
	%D%/dax_wait.c %D%/dax_wait.h \
	%D%/device.c %D%/device.h \
	%D%/device_mailbox.c %D%/device_mailbox.h \
	%D%/firmware.c \
	%D%/firmware_loader.c %D%/firmware_loader.h \
	%D%/key_store.c %D%/key_store.h \
	%D%/keys.c %D%/keys.h \
	%D%/light.c \
	%D%/lock.c %D%/lock.h \
	%D%/memdev_enabled.c \
	%D%/memory_access.c \
	%D%/memory_state.c %D%/memory_state.h \
	%D%/memory_steps.c %D%/memory_steps.h \
	%D%/nvdimm.c %D%/nvdimm.h \
	%D%/operations.h \
	%D%/overwrite.c \
	%D%/partitions.c \
	%D%/poison.c \
	%D%/poison_line.c %D%/poison_line.h \
	%D%/poison_list.c \
	%D%/protocol.h \
	%D%/region_create.c \
	%D%/region_destroy.c \
	%D%/region_objects.c %D%/region_objects.h \
	%D%/region_reasons.c \
	%D%/region_steps.c \
	%D%/repair.c \
	%D%/run.c %D%/run.h \
	%D%/scan_media.c \
	%D%/scan_results.c %D%/scan_results.h \
	%D%/scrub.c \
	%D%/security.c \
	%D%/sld_qos.c \
	%D%/steps.c %D%/steps.h \
	%D%/timestamp.c \
	%D%/timed_write.c %D%/timed_write.h

CHANGE_LINK = libchange.a $(MODEL_LINK) $(LIBCXL_LIBS) $(LIBDAXCTL_LIBS) $(CRYPT_LIBS) $(KEYUTILS_LIBS)
