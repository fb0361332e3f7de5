/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_REPORT_ANSWER_H
#define CXLR_EVENTS_REPORT_ANSWER_H

/*
 * The addresses of a report (report.h): of a record by trace_answer.h; of a report that names a
 * system address the device and its address. That was another one in another boot, so that it has
 * two, too: then and now. Where the report does not vouch for all bits of its address, a device is
 * named only if it has all addresses that these may be.
 *
 * Any thread; waits for firmware only with a timeout.
 */

#include "events/report.h"
#include "events/trace_answer.h"

enum report_address {
	REPORT_BY_DPA, /* of a record: all of `trace` */
	/* by_spa of prm/answer.h: in trace.from, trace.then.answer and trace.now.answer only. */
	REPORT_BY_SPA,
	REPORT_NO_ADDRESS, /* only `memdev` */
};

struct report_answer {
	enum report_address by;
	struct trace_answer trace;
	/* With REPORT_BY_SPA: why it is not proven that this host has memory there, a clause; NULL:
	 * it has; static. */
	const char *no_memory;
	bool is_other_memory;	     /* the same: it has, and that is no CXL memory */
	const struct memdev *memdev; /* the device, of the snapshot; NULL: not of this host, or not
				      * one alone */
	/* The device above which the function of REPORT_PCIE is a port; NULL: none. */
	const struct memdev *below;
	bool no_cxl; /* the same: neither the host nor the report says that it is a CXL device */
};

/* The reason of `no_cxl`, a clause about the function. */
extern const char report_no_cxl[];

/* report_address_of() - which kind of address it has */
enum report_address report_address_of(const struct report *r);

/*
 * report_answer() - the answer to a report that is not malformed
 *
 * As trace_answer(), which it calls for records with an address.
 */
int report_answer(const struct event_mapping *m, struct translator *translator,
		  const struct report *r, bool this_boot, struct firmware_timeout *timeout,
		  struct report_answer *ret);

#endif
