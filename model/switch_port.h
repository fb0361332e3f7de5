/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_SWITCH_PORT_H
#define CXLR_MODEL_SWITCH_PORT_H

/*
 * The report of a switch's mailbox on a physical port, for people: the state of its link, and the
 * names of values and of the parts of a switch.
 *
 * Functions read their arguments only; any thread.
 *
 * Source: Get Physical Port State, CXL 3.2 7.6.7.1.2.
 */

#include "model/fabric.h"

enum switch_link {
	SWITCH_LINK_UNKNOWN, /* the port is not in use, or its LTSSM state is reserved */
	SWITCH_LINK_EMPTY,   /* no device is connected */
	SWITCH_LINK_DOWN,    /* the negotiated width and speed are not valid */
	SWITCH_LINK_UP,
};

enum switch_link switch_link_state(const struct fmapi_port *p);

/* Return: static; NULL of a reserved value. */
const char *switch_config_name(unsigned int config);	/* enum fmapi_port_config */
const char *switch_device_type_name(unsigned int type); /* NULL of FMAPI_DEVICE_NONE, too */
const char *switch_ltssm_name(unsigned int ltssm);	/* "HotReset" */
const char *switch_vcs_state_name(unsigned int state);
const char *switch_binding_name(unsigned int binding);

/*
 * Names of the parts of a switch, of the Ids in Redfish: "switch-0000-0d-00.0/D1", its LD
 * "…/D1/ld0", "…/vcs0" and "…/vcs0/vppb1".
 *
 * Return: @name.
 */
enum { SWITCH_NAME_MAX = STABLE_ID_MAX + 32 };
const char *switch_port_name(const struct fabric_port *p, char name[static SWITCH_NAME_MAX]);
const char *switch_ld_name(const struct fabric_ld *ld, char name[static SWITCH_NAME_MAX]);
const char *switch_vcs_name(const struct fabric_vcs *vcs, char name[static SWITCH_NAME_MAX]);
const char *switch_vppb_name(const struct fabric_vppb *vppb, char name[static SWITCH_NAME_MAX]);

/* Return: the port of the switch that is @reading; NULL when its Id belongs to another one. */
const struct fabric_port *switch_physical_port(const struct fabric_switch *sw,
					       const struct port_reading *reading);

/* Return: whether all virtual switches and their vPPBs are known, so that none binds what no
 * vPPB is bound to. */
bool switch_bindings_known(const struct fabric_switch *sw);

/* Return: whether nothing could be read through the mailbox. */
bool switch_is_unreadable(const struct fabric_switch *sw);

/* Return: how much memory the LDs of an MLD have together; absent when one of them is unknown. */
struct opt_u64 switch_lds_size(const struct fabric_device *d);

/* Return: how much of the memory of an MLD is allocated to no LD, 0 when they have more than there
 * is; absent when not known. */
struct opt_u64 switch_mld_free(const struct fabric_device *d);

#endif
