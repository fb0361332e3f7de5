/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CXL_PRM_H
#define CXL_PRM_H

#include <linux/kref.h>
#include <linux/types.h>
#include <linux/uuid.h>
#include <linux/workqueue.h>

#include "cxl_prm_uapi.h"

/* CXL DPA to system physical address, EE41B397-25D4-452C-AD54-48C6E3480B94 */
#define CXL_PRM_DPA_SPA_GUID                                                \
	GUID_INIT(0xee41b397, 0x25d4, 0x452c, 0xad, 0x54, 0x48, 0xc6, 0xe3, \
		  0x48, 0x0b, 0x94)

/**
 * struct cxl_prm_request - one CXL_PRM_TRANSLATE
 * @kref: held by the waiting program and, while it is processed, by the
 *        worker: either can release it first
 * @work: the worker's
 * @submitted: it was given to the worker
 * @abandoned: there is no waiter, make no further call
 * @done: entries that have their results; the worker releases, others acquire
 * @count: all entries
 * @entries: read by both; results are written by the worker alone
 */
struct cxl_prm_request {
	struct kref kref;
	struct work_struct work;
	bool submitted;
	bool abandoned;
	u32 done;
	u32 count;
	struct cxl_prm_entry entries[] __counted_by(count);
};

/* main.c */
void cxl_prm_put_request(struct cxl_prm_request *req);

/* prmt.c */
enum cxl_prm_reason cxl_prm_find_handler(void);

/* device.c */
int cxl_prm_check_entry(const struct cxl_prm_entry *entry);

/* call.c */
int cxl_prm_call_init(unsigned int rate, unsigned int burst,
		      enum cxl_prm_reason handler);
void cxl_prm_call_exit(void);
int cxl_prm_run(struct cxl_prm_request *req);
void cxl_prm_get_state(struct cxl_prm_info *info);

#endif /* CXL_PRM_H */
