/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_PORT_LINK_H
#define CXLR_REDFISH_RESOURCES_PORT_LINK_H

/*
 * The link of a port, and what is at its other end: by the host's configuration space and, of a
 * switch's physical port, by the switch's mailbox.
 *
 * Where both know a value, the mailbox's is shown: it is that of the physical port, while the host
 * sees a bridge, which may be virtual. The host's values, where they differ, are in Oem.
 *
 * Reads the view only; any thread that holds a reference on it.
 */

#include "common/json_writer.h"
#include "model/fabric.h"

/* Speeds, widths, LinkConfiguration, LinkState and LinkStatus; all that is known. */
void put_port_link_state(const struct fabric_port *p, struct json_writer *w);

/* The members of the object "CXL" that a switch or the host reports of the link. */
void put_port_cxl_link(const struct fabric_port *p, struct json_writer *w);

/* Whether put_port_cxl_link() writes a member. */
bool port_has_cxl_link(const struct fabric_port *p);

/* Members of Oem/CXLHost: Mailbox, HostView and VPPB; nothing without the mailbox. */
void put_port_link_oem(const struct fabric_port *p, struct json_writer *w);

/* Return: "CXL" or "PCIe"; NULL when it is not known. */
const char *port_protocol(const struct fabric_port *p);

/* Return: the port or device at the other end; NULL when it is not known. */
const struct fabric_port *port_first_peer(const struct fabric_port *p);

/* The one link of a host bridge whose device is attached to the root (CXL 3.2 9.11). */
bool port_is_restricted(const struct fabric_port *p);

bool port_is_of_switch(const struct fabric_port *p);

/* "Links": the other end of the link, and the Endpoints at both. */
void put_port_links(const struct fabric_port *p, struct json_writer *w);

#endif
