/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_ENUMERATORS_H
#define CXLR_REDFISH_RESOURCES_ENUMERATORS_H

/*
 * Enumerators for rows of several files; see struct resource_type.
 */

#include "redfish/core/resource_table.h"

int enumerate_adapter_initiators(const struct view *v, const struct resource_type *t,
				 struct resource_index *ix);
int enumerate_fabric(const struct view *v, const struct resource_type *t,
		     struct resource_index *ix);
int enumerate_memdevs(const struct view *v, const struct resource_type *t,
		      struct resource_index *ix);
int enumerate_partitions(const struct view *v, const struct resource_type *t,
			 struct resource_index *ix);
int enumerate_socket_initiators(const struct view *v, const struct resource_type *t,
				struct resource_index *ix);
int enumerate_switches(const struct view *v, const struct resource_type *t,
		       struct resource_index *ix);
int enumerate_windows(const struct view *v, const struct resource_type *t,
		      struct resource_index *ix);

#endif
