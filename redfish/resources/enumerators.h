/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_ENUMERATORS_H
#define CXLR_REDFISH_RESOURCES_ENUMERATORS_H

/*
 * Enumerators for rows of one or more files, see struct resource_type; and the way back from a URI
 * to its object. They read the view only; any thread that holds a reference on it.
 */

#include "redfish/core/resource_table.h"

int enumerate_fabric(const struct view *v, const struct resource_type *t,
		     struct resource_index *ix);
int enumerate_initiators(const struct view *v, const struct resource_type *t,
			 struct resource_index *ix);
int enumerate_memdevs(const struct view *v, const struct resource_type *t,
		      struct resource_index *ix);
/* Memdevs that are no parts of an MLD, which is one module with one PCIe device. */
int enumerate_modules(const struct view *v, const struct resource_type *t,
		      struct resource_index *ix);
/* The partitions of modules. */
int enumerate_partitions(const struct view *v, const struct resource_type *t,
			 struct resource_index *ix);
int enumerate_remote_devices(const struct view *v, const struct resource_type *t,
			     struct resource_index *ix);
int enumerate_remote_lds(const struct view *v, const struct resource_type *t,
			 struct resource_index *ix);
int enumerate_switches(const struct view *v, const struct resource_type *t,
		       struct resource_index *ix);
int enumerate_vcs(const struct view *v, const struct resource_type *t, struct resource_index *ix);
int enumerate_windows(const struct view *v, const struct resource_type *t,
		      struct resource_index *ix);

/* For `has` of rows with enumerate_initiators(): sockets, or host bridges of unknown ones. */
bool initiator_is_socket(const void *initiator);
bool initiator_is_adapter(const void *initiator);

/*
 * memdev_at() - the memory device that a resource of this host is about
 * @uri: of the resource, as clients see it
 * @schema: of the resource, as "Memory"
 *
 * Return: NULL when no such resource has the URI, or it is another host's; also for NULL.
 */
const struct memdev *memdev_at(const struct view *v, const char *uri, const char *schema);

#endif
