/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_OBJECT_H
#define CXLR_CLI_OBJECT_H

/*
 * The object that an operand of list or explain names: every name that list prints is one. It
 * belongs to the snapshot, or to the fabric.
 */

#include "cli/operands.h"
#include "common/error.h"
#include "model/switch_port.h"
#include "sysfs/host.h"

enum object_kind {
	OBJECT_HOST, /* "host": all of it */
	OBJECT_MEMDEV,
	OBJECT_REGION,
	OBJECT_DECODER, /* a window, too */
	OBJECT_PORT,	/* roots, host bridges, switches, endpoints */
	OBJECT_DPORT,
	OBJECT_DAX_DEVICE,
	OBJECT_DAX_REGION,
	OBJECT_FUNCTION, /* a PCI function without a memdev */
	OBJECT_RANGE,	 /* of system addresses; object_find() finds none */

	/* A switch with a mailbox, and its parts. */
	OBJECT_SWITCH,
	OBJECT_SWITCH_PORT, /* a physical port */
	OBJECT_LD,
	OBJECT_VCS,
	OBJECT_VPPB,
};

enum { OBJECT_NAME_MAX = SWITCH_NAME_MAX };

struct object {
	enum object_kind kind;
	const char *name;	    /* of the kernel, or of the fabric (switch_port.h); not NULL */
	char text[OBJECT_NAME_MAX]; /* holds the name of a dax region, or of the fabric */
	union {
		const struct memdev *memdev;
		const struct region *region;
		const struct decoder *decoder;
		const struct port *port; /* of OBJECT_DPORT: the port that it belongs to */
		const struct dax_device *dax_device;
		const struct dax_region *dax_region;
		const struct unclaimed_function *function;
		const struct fabric_switch *sw;
		const struct fabric_port *switch_port;
		const struct fabric_ld *ld;
		const struct fabric_vcs *vcs;
		const struct fabric_vppb *vppb;
		struct address_range range;
	};
	const struct dport *dport; /* of OBJECT_DPORT */
};

/*
 * object_find() - the object that an operand names
 * @f: with the mailboxes of switches; NULL without
 * @s: "host", a memory device as operand_memdev() accepts it, a kernel name, the device that a port
 * is, or the name of a switch with a mailbox, or of a part of it
 *
 * Return: 0; or a negative errno with the reason in @e when there is none, or several.
 */
int object_find(const struct host *host, const struct fabric *f, const char *s, struct object *ret,
		struct error *e);

#endif
