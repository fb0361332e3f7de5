/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_FABRIC_LINKS_H
#define CXLR_REDFISH_FABRIC_LINKS_H

/*
 * Links to the objects of model/fabric.h. The writers of one object take it as `const void *`, so
 * that put_fabric_list() can call them.
 */

#include "common/json_writer.h"
#include "model/fabric.h"
#include "redfish/core/resource_index.h"

typedef void fabric_link_fn(struct json_writer *w, const void *object);

/* The URI of a struct fabric_port: of its Port, or of the VPPB that a bridge of the host is. */
void port_uri(const struct fabric_port *p, char ret[static RESOURCE_URI_MAX]);

fabric_link_fn put_port_link; /* struct fabric_port */
/*
 * struct fabric_port: its Endpoint, or several of an MLD; nothing for a switch's, but for the
 * upstream port of another host.
 */
fabric_link_fn put_endpoint_link;
fabric_link_fn put_ld_endpoint_link;	  /* struct fabric_ld: its Endpoint */
fabric_link_fn put_ld_link;		  /* struct fabric_ld: its CXLLogicalDevice */
fabric_link_fn put_device_chassis_link;	  /* struct fabric_device: its Chassis */
fabric_link_fn put_initiator_link;	  /* struct fabric_initiator: its Endpoint */
fabric_link_fn put_switch_endpoint_links; /* struct fabric_switch: all Endpoints at its ports */
fabric_link_fn put_switch_link;		  /* struct fabric_switch */
fabric_link_fn put_window_link;		  /* struct decoder: its MemoryDomain */

/* An array of what is written for one object. */
void put_fabric_one(struct json_writer *w, const char *key, const void *object,
		    fabric_link_fn *put);

/* An array of links to all elements of the list; nothing if the list is empty. */
void put_fabric_list(struct json_writer *w, const char *key, const struct fabric_list *list,
		     fabric_link_fn *put);

#endif
