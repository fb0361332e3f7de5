/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_SWITCH_CHANGE_H
#define CXLR_MAILBOX_SWITCH_CHANGE_H

/*
 * One change of a switch, or of a device behind it, as plain data, and how it is made: what must
 * hold is read before, the command is sent, its return code checked, and the result read back.
 * Whether a change may be made is decided elsewhere (model/fabric_use.h).
 *
 * A change that failed has left everything as it was, unless the error says otherwise. Only for
 * workers: it waits for the switch.
 *
 * Sources: CXL 3.2 7.6.7.1.3 (port control), 7.6.7.2.2 to 7.6.7.2.4 (bind, unbind, AER),
 * 7.6.7.4.3 (LD allocations), 7.6.7.4.5, 7.6.7.4.8, 7.6.7.4.10 (QoS).
 */

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "common/opt.h"
#include "mailbox/cci.h"
#include "mailbox/fmapi.h"
#include "mailbox/fmapi_dcd.h"
#include "mailbox/switch_change_send.h"

enum {
	SWITCH_CHANGE_LDS_MAX = 8, /* of one change: fit in the payload of any mailbox */
	/*
	 * A host that removes a device in a managed way, as Linux does, waits for 5 s after it was
	 * asked, and then for the device's users.
	 */
	SWITCH_CHANGE_MS = 30000,
	/* PERST is asserted for that long; PCI Express (CEM) demands 100 us, a switch may need
	 * more until it has asserted it. */
	SWITCH_PERST_MS = 100,
};

enum switch_change_kind {
	SWITCH_RESET_PORT, /* PERST is asserted and deasserted */
	SWITCH_RESET_PPB,
	SWITCH_BIND,
	SWITCH_UNBIND,
	SWITCH_GENERATE_AER,
	SWITCH_SET_LD_ALLOCATIONS,
	SWITCH_SET_QOS_CONTROL, /* this one and those that follow take memory from no host */
	SWITCH_SET_ALLOCATED_BW,
	SWITCH_SET_BW_LIMIT,
	SWITCH_SET_DC_REGION, /* of all hosts; refused by a device as long as one has capacity */
};

/* Fields of QoS Control that a change sets; the others keep what they have. */
enum {
	QOS_EGRESS_CONGESTION = 1 << 0,
	QOS_THROUGHPUT_REDUCTION = 1 << 1,
	QOS_MODERATE_PERCENT = 1 << 2,
	QOS_SEVERE_PERCENT = 1 << 3,
	QOS_SAMPLE_INTERVAL = 1 << 4,
	QOS_REQ_CMP_BASIS = 1 << 5,
	QOS_COMPLETION_INTERVAL = 1 << 6,
};

struct switch_change {
	enum switch_change_kind kind;
	char name[CCI_NAME_MAX]; /* of the switch's mailbox */
	uint64_t serial;	 /* of the switch, which is compared; 0: it has none */
	uint8_t port;		 /* physical; of all kinds but SWITCH_GENERATE_AER */
	uint8_t vcs, vppb;	 /* SWITCH_BIND, SWITCH_UNBIND, SWITCH_GENERATE_AER */
	/* SWITCH_BIND and SWITCH_UNBIND: FMAPI_NO_LD or an LD; SWITCH_SET_…_BW…: an LD; the first
	 * of SWITCH_SET_LD_ALLOCATIONS; SWITCH_SET_DC_REGION: a host, whose region is compared. */
	uint16_t ld;
	union {
		enum fmapi_unbind option;
		struct fmapi_aer aer; /* with vcs and vppb once more */
		struct {
			bool create; /* only if the LDs have no memory */
			size_t n;
			struct fmapi_ld_allocation lds[SWITCH_CHANGE_LDS_MAX];
		} allocations;
		struct {
			unsigned int fields; /* QOS_… */
			struct fmapi_qos_control values;
		} qos;
		uint8_t fraction; /* of bandwidth, in 256ths */
		struct {
			uint8_t number;
			uint64_t block; /* bytes; 0: as it is */
			struct opt_bool sanitized;
		} dc_region;
	};
};

/*
 * switch_change_run() - make the change
 * @e: names the command, the object, the cause, and what was left changed
 *
 * A vPPB is bound only if it is unbound, and unbound only if it is bound to the port and the LD of
 * the change. Return codes Retry Required and Busy are retried some times.
 *
 * Return: 0; -EINVAL: a value is out of its range; -EIO: the switch or the device refused it, or
 * reports something else afterwards; -ESTALE: the mailbox is another switch's, or the vPPB has
 * another binding now, or an LD has memory; -ETIMEDOUT: it was not completed before the deadline,
 * and the effect is not known; -ECANCELED: likewise; or an error of cci_send().
 */
int switch_change_run(const struct switch_change_context *x, const struct switch_change *c,
		      struct error *e);

/*
 * switch_change_dynamic() - offer dynamic capacity to a host of the device on a port, or ask for it
 *
 * The host has neither accepted nor released anything when this returns, unless the request is
 * forced.
 *
 * Return: 0; -EIO: the device refused it; -EMSGSIZE: it has more extents than fit in the payload of
 * the mailbox; otherwise as switch_change_run().
 */
int switch_change_dynamic(const struct switch_change_context *x, uint8_t port, bool release,
			  const struct fmapi_dc_request *q, struct error *e);

#endif
