/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CHANGE_OPERATIONS_H
#define CXLR_CHANGE_OPERATIONS_H

/*
 * The operations of change_run(), one file each; private to change/. Each is called with the
 * locks of its objects held and the host as it is now, and fills in @ret when it fails, by
 * change_result_set(), and what it made. Return: 0 or a negative errno, as ret->error.
 */

#include "change/context.h"

typedef int change_operation(const struct change_context *x, const struct change *c,
			     const struct host *host, struct change_result *ret);

change_operation change_region_create, change_region_destroy;	  /* region_*.c */
change_operation change_memory_online, change_memory_offline;	  /* memory_state.c */
change_operation change_memdev_enabled;				  /* memdev_enabled.c */
change_operation change_light;					  /* light.c */
change_operation change_partitions, change_alerts, change_poison; /* each its file */
change_operation change_poison_list;				  /* poison_list.c */
change_operation change_security, change_overwrite;		  /* security.c, overwrite.c */
change_operation change_firmware, change_timestamp;		  /* each its file */
change_operation change_qos_read, change_throttling;		  /* sld_qos.c */
change_operation change_scan_media;				  /* scan_media.c */
change_operation change_scrub, change_ecs, change_region_scrub;	  /* scrub.c */
change_operation change_repair;					  /* repair.c */

/* The reason of -ENXIO, which Linux gives for each code of the mailbox that has no errno of its
 * own. */
#define CHANGE_DEVICE_REFUSES                                                                      \
	"the device refuses it, or is busy with another operation; see the kernel log"

#endif
