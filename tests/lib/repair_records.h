/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_REPAIR_RECORDS_H
#define CXLR_TESTS_LIB_REPAIR_RECORDS_H

/* DRAM records that ask for a repair, and records of one that was made, for tests of the worklist.
 */

#include "events/store.h"

/* Makes the record one that asks for maintenance of a place with all its parts. */
void record_ask_repair(struct stored_event *ev, uint64_t serial, uint64_t dpa,
		       unsigned int op_class, unsigned int op_subclass);

/* Makes a record that asked for a sparing the one that it was made. */
void record_report_sparing(struct stored_event *ev);

#endif
