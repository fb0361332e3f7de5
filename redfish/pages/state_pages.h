/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_STATE_PAGES_H
#define CXLR_REDFISH_STATE_PAGES_H

/*
 * Remembered pages in the state database. Threads and errors are those of state.h. Changes are
 * durable when the call returns, but for a result, and the reservation of a page that is put out
 * again: where the loss of power takes these, the boot that they are about has ended.
 *
 * A write to the kernel is reserved before it and settled after it. The limits are decided upon and
 * the reservation is made in one transaction, so that neither two callers nor an end of the process
 * in the middle take out more pages than the limits.
 */

#include "redfish/pages/remembered_page.h"
#include "redfish/state/state.h"

/* The page that is to be taken out, and where it is now. */
struct page_wish {
	const char *device, *user;
	uint64_t serial, dpa, length; /* a range as struct remembered_page has it */
	enum page_cause cause;
	bool hard, again, only_free;
	uint64_t incident;
	uint64_t spa, block, node;   /* of its page, which begins there, by the mapping of now */
	uint64_t node_pages;	     /* 0: not known */
	uint64_t alias, alias_block; /* of its alias; SPA 0: it has none */
	/* The entry as it was read before, only to be faster; NULL: none. */
	const struct remembered_page *known;
};

/* Return: 0; -EINVAL for a range or a place that is none. */
int page_wish_check(const struct page_wish *w, struct error *e);

struct page_reservation {
	uint64_t id; /* of the range; 0 when it was not reserved */
	enum page_verdict verdict;
	int error; /* 0; -ENOENT: it was to be put out again, and was forgotten or brought back */
};

/*
 * state_reserve_pages() - remember the ranges, and count the writes as made, unless a limit forbids
 * it; each counts for those after it
 * @ret: @n; PAGE_MAY_GO where it was reserved. An entry that is not put out again because of a
 *       limit has the reason from now on
 *
 * Return: 0 with all of @ret; -EINVAL as page_wish_check(), or the error of the database, and
 * nothing is reserved.
 */
int state_reserve_pages(struct state *st, const struct page_wish *w, size_t n,
			const struct page_limits *l, const struct page_moment *now,
			struct page_reservation *ret, struct error *e);

/*
 * state_settle_page() - the result of a write that was reserved
 * @state: REMEMBERED_OUT, REFUSED, FAILED or UNVERIFIABLE
 * @text: cut to REMEMBERED_TEXT_MAX
 *
 * A page that was brought back meanwhile stays so. Return: 0; -ENOENT: it was forgotten meanwhile.
 */
int state_settle_page(struct state *st, uint64_t id, enum remembered_state state, const char *text,
		      const struct page_moment *now, struct error *e);

struct page_settlement {
	uint64_t id;
	enum remembered_state state;
	const char *text;
	uint64_t online_us; /* as in struct remembered_page */
};

/* state_settle_pages() - those of several; one that was forgotten meanwhile is left out */
int state_settle_pages(struct state *st, const struct page_settlement *s, size_t n,
		       const struct page_moment *now, struct error *e);

/* state_return_page() - it is not put out again; @text: when that takes effect. -ENOENT: no such
 * one */
int state_return_page(struct state *st, uint64_t id, const char *text, struct error *e);

/*
 * state_forget_old_pages() - remove entries that were remembered long ago
 * @age_ns: how long the host has run since; time while it was off does not count
 * @text: why one whose page may be out in this boot stays until it has ended
 * @ret_n: how many were removed, or return then
 */
int state_forget_old_pages(struct state *st, uint64_t age_ns, const char *text,
			   const struct page_moment *now, size_t *ret_n, struct error *e);

/* state_forget_page() - remove the entry. Its writes still count. -ENOENT: no such one */
int state_forget_page(struct state *st, uint64_t id, struct error *e);

/*
 * state_forget_place() - remove the entries of a page that is in use again
 * @dpa: any byte of it
 * @spa: in this boot; entries of other ranges in the same page go, too
 */
int state_forget_place(struct state *st, const char *device, uint64_t dpa, uint64_t spa,
		       const struct page_moment *now, struct error *e);

/*
 * state_import_pages() - remember those that are not known yet, all or none
 * @limit_total: of all together
 * @ret_added: how many were new
 *
 * Their ids, states, places and boots are not used. Return: 0; -EINVAL; -EDQUOT over the limit.
 */
int state_import_pages(struct state *st, const struct remembered_pages *list,
		       unsigned int limit_total, size_t *ret_added, struct error *e);

/* state_read_pages() - all of them, by id; PAGE_LIMIT_TOTAL_MAX at most. @ret: added to */
int state_read_pages(struct state *st, struct remembered_pages *ret, struct error *e);

/* state_find_pages() - those of a device whose ranges begin at these addresses; @ret: added to */
int state_find_pages(struct state *st, const char *device, const uint64_t *dpas, size_t n,
		     struct remembered_pages *ret, struct error *e);

/* When a list was read: any change of an entry, by any process, ends it. Zeros: it was not. */
struct pages_version {
	uint64_t own;	 /* changes by this process */
	uint64_t others; /* PRAGMA data_version of SQLite */
};

/*
 * state_read_changed_pages() - the same, unless @list has them
 * @version: of @list, and both are set when entries have changed since; @list is left as it was
 * when it fails
 */
int state_read_changed_pages(struct state *st, struct pages_version *version,
			     struct remembered_pages *list, struct error *e);

/* The remembered pages of a device, by their state. */
struct page_tally {
	char device[STABLE_ID_MAX + 1];
	uint64_t n[REMEMBERED_STATES];
};
DEFINE_ARRAY(struct page_tally, page_tallies);

/* state_count_pages() - in the order of the devices' names; @ret: added to */
int state_count_pages(struct state *st, struct page_tallies *ret, struct error *e);

/* state_read_page() - one of them; -ENOENT */
int state_read_page(struct state *st, uint64_t id, struct remembered_page *ret, struct error *e);

/* state_find_sharer() - another one, not brought back, by which the same page is out in the boot of
 * @of; *ret_id is 0 when there is none */
int state_find_sharer(struct state *st, const struct remembered_page *of, uint64_t *ret_id,
		      struct error *e);

/*
 * The mark of the page policy: since which entry of the event log it is on, and up to which one it
 * has decided.
 */
struct policy_mark {
	uint32_t mode;			       /* of the policy; 0: off, and nothing else counts */
	uint64_t since;			       /* the newest entry when it was switched on */
	uint64_t decided;		       /* the last entry that was decided about */
	uint64_t store;			       /* inode of the log's file */
	uint8_t boot_id[REMEMBERED_BOOT_SIZE]; /* when it was switched on */
	uint64_t boottime_ns;		       /* likewise, CLOCK_BOOTTIME */
};

/* state_read_policy() - zeros when it was never on */
int state_read_policy(struct state *st, struct policy_mark *ret, struct error *e);

/* state_put_policy() - keep it */
int state_put_policy(struct state *st, enum state_durability durability,
		     const struct policy_mark *mark, struct error *e);

#endif
