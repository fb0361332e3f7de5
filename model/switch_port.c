// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/switch_port.h"

#include <stdio.h>

#include "common/array.h"

/* ---- values -----------------------------------------------------------------------------------
 */

static const char *name_of(const char *const *names, size_t n, unsigned int value)
{
	return value < n ? names[value] : NULL;
}

const char *switch_config_name(unsigned int config)
{
	static const char *const names[] = {
		[FMAPI_PORT_DISABLED] = "disabled",   [FMAPI_PORT_BINDING] = "binding",
		[FMAPI_PORT_UNBINDING] = "unbinding", [FMAPI_PORT_DSP] = "downstream",
		[FMAPI_PORT_USP] = "upstream",	      [FMAPI_PORT_FABRIC] = "fabric",
	};

	return name_of(names, ARRAY_SIZE(names), config);
}

const char *switch_device_type_name(unsigned int type)
{
	static const char *const names[] = {
		[FMAPI_DEVICE_NONE] = NULL,
		[FMAPI_DEVICE_PCIE] = "PCIe device",
		[FMAPI_DEVICE_TYPE1] = "type 1 device",
		[FMAPI_DEVICE_TYPE2] = "type 2 device or switch",
		[FMAPI_DEVICE_SLD] = "SLD",
		[FMAPI_DEVICE_MLD] = "MLD",
		[FMAPI_DEVICE_PBR] = "PBR component",
	};

	return name_of(names, ARRAY_SIZE(names), type);
}

const char *switch_ltssm_name(unsigned int ltssm)
{
	static const char *const names[] = {
		[FMAPI_LTSSM_DETECT] = "Detect",
		[FMAPI_LTSSM_POLLING] = "Polling",
		[FMAPI_LTSSM_CONFIGURATION] = "Configuration",
		[FMAPI_LTSSM_RECOVERY] = "Recovery",
		[FMAPI_LTSSM_L0] = "L0",
		[FMAPI_LTSSM_L0S] = "L0s",
		[FMAPI_LTSSM_L1] = "L1",
		[FMAPI_LTSSM_L2] = "L2",
		[FMAPI_LTSSM_DISABLED] = "Disabled",
		[FMAPI_LTSSM_LOOPBACK] = "Loopback",
		[FMAPI_LTSSM_HOT_RESET] = "HotReset",
	};

	return name_of(names, ARRAY_SIZE(names), ltssm);
}

const char *switch_vcs_state_name(unsigned int state)
{
	return state == FMAPI_VCS_ENABLED    ? "enabled"
	       : state == FMAPI_VCS_DISABLED ? "disabled"
					     : NULL;
}

const char *switch_binding_name(unsigned int binding)
{
	static const char *const names[] = {
		[FMAPI_UNBOUND] = "unbound",
		[FMAPI_BINDING] = "binding or unbinding",
		[FMAPI_BOUND_PORT] = "bound to a port",
		[FMAPI_BOUND_LD] = "bound to an LD",
		[FMAPI_BOUND_PID] = "bound to a PBR Id",
	};

	return name_of(names, ARRAY_SIZE(names), binding);
}

/* ---- links ------------------------------------------------------------------------------------
 */

enum switch_link switch_link_state(const struct fmapi_port *p)
{
	if (p->config != FMAPI_PORT_DSP && p->config != FMAPI_PORT_USP &&
	    p->config != FMAPI_PORT_FABRIC)
		return SWITCH_LINK_UNKNOWN;
	if (fmapi_port_has_device_type(p) && p->device_type == FMAPI_DEVICE_NONE &&
	    !(p->link_flags & FMAPI_LINK_PRESENT))
		return SWITCH_LINK_EMPTY;
	if (p->link_flags & (FMAPI_LINK_PERST | FMAPI_LINK_POWER_OFF))
		return SWITCH_LINK_DOWN;
	if (!switch_ltssm_name(p->ltssm))
		return SWITCH_LINK_UNKNOWN;
	return p->ltssm >= FMAPI_LTSSM_RECOVERY && p->ltssm <= FMAPI_LTSSM_L2 && p->width
		       ? SWITCH_LINK_UP
		       : SWITCH_LINK_DOWN;
}

/* ---- names ------------------------------------------------------------------------------------
 */

const char *switch_port_name(const struct fabric_port *p, char name[static SWITCH_NAME_MAX])
{
	(void)snprintf(name, SWITCH_NAME_MAX, "%s/%s", p->sw->id, p->id);
	return name;
}

const char *switch_ld_name(const struct fabric_ld *ld, char name[static SWITCH_NAME_MAX])
{
	const struct fabric_port *p = ld->device->port;

	(void)snprintf(name, SWITCH_NAME_MAX, "%s/%s/ld%s", p->sw->id, p->id, ld->id);
	return name;
}

const char *switch_vcs_name(const struct fabric_vcs *vcs, char name[static SWITCH_NAME_MAX])
{
	(void)snprintf(name, SWITCH_NAME_MAX, "%s/vcs%u", vcs->sw->id, vcs->reading->id);
	return name;
}

const char *switch_vppb_name(const struct fabric_vppb *vppb, char name[static SWITCH_NAME_MAX])
{
	(void)snprintf(name, SWITCH_NAME_MAX, "%s/vcs%u/vppb%u", vppb->vcs->sw->id,
		       vppb->vcs->reading->id, vppb->index);
	return name;
}

/* ---- parts ------------------------------------------------------------------------------------
 */

const struct fabric_port *switch_physical_port(const struct fabric_switch *sw,
					       const struct port_reading *reading)
{
	if (sw->port && sw->up.physical == reading)
		return &sw->up;
	for (size_t i = 0; i < sw->n_down; i++)
		if (sw->down[i].physical == reading)
			return &sw->down[i];
	for (size_t i = 0; i < sw->n_others; i++)
		if (sw->others[i].physical == reading)
			return &sw->others[i];
	return NULL;
}

bool switch_bindings_known(const struct fabric_switch *sw)
{
	if (sw->n_vcs == 0 || !sw->reading->has_switch || sw->n_vcs != sw->reading->sw.n_vcs)
		return false;
	for (size_t i = 0; i < sw->n_vcs; i++)
		if (!sw->vcs[i].reading->vppbs)
			return false;
	return true;
}

bool switch_is_unreadable(const struct fabric_switch *sw)
{
	return !sw->reading->has_identity && !sw->reading->has_switch && sw->reading->n_ports == 0;
}

struct opt_u64 switch_lds_size(const struct fabric_device *d)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < d->n_lds; i++) {
		struct opt_u64 size = d->lds[i].reading->size;

		if (!size.present || __builtin_add_overflow(sum, size.value, &sum))
			return (struct opt_u64){0};
	}
	return OPT_U64(sum);
}

struct opt_u64 switch_mld_free(const struct fabric_device *d)
{
	const struct opt_u64 used = switch_lds_size(d);
	const uint64_t size = d->reading->ld_info.memory_size;

	if (!d->reading->has_ld_info || !used.present)
		return (struct opt_u64){0};
	return OPT_U64(used.value < size ? size - used.value : 0);
}
