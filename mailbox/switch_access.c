// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox/switch_access.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mailbox/cci_helper.h"
#include "mailbox/cci_recorded.h"
#include "mailbox/switch_function.h"

struct switch_access {
	const struct switch_access_ops *ops;
	void *userdata;
	/* The ways below use these; their userdata is this struct. */
	const struct host_root *root;
	struct opener *opener;
	const char *which;
};

/* ---- a captured host --------------------------------------------------------------------------
 */

/* Whether a switch can be used shows when it is opened. */
static void put_names(char names[CCI_SWITCHES_MAX][CCI_NAME_MAX], size_t n,
		      struct switch_function ret[CCI_SWITCHES_MAX])
{
	for (size_t i = 0; i < n; i++) {
		ret[i] = (struct switch_function){0};
		memcpy(ret[i].name, names[i], sizeof(ret[i].name));
	}
}

static int recorded_list(void *userdata, struct switch_function ret[CCI_SWITCHES_MAX],
			 size_t *ret_n, bool *ret_may_change, struct error *e)
{
	const struct switch_access *a = userdata;
	char names[CCI_SWITCHES_MAX][CCI_NAME_MAX];

	(void)e;
	*ret_may_change = false;
	*ret_n = cci_recorded_list(a->root, names);
	put_names(names, *ret_n, ret);
	return 0;
}

static int recorded_open(void *userdata, const char *name, struct cci **ret, struct error *e)
{
	const struct switch_access *a = userdata;

	return cci_recorded_new(a->root, name, ret, e);
}

/* ---- the helper -------------------------------------------------------------------------------
 */

static int helper_list(void *userdata, struct switch_function ret[CCI_SWITCHES_MAX], size_t *ret_n,
		       bool *ret_may_change, struct error *e)
{
	const struct switch_access *a = userdata;

	*ret_n = 0;
	*ret_may_change = false;
	return cci_helper_list(a->opener, ret, ret_n, ret_may_change, e);
}

static int helper_open(void *userdata, const char *name, struct cci **ret, struct error *e)
{
	const struct switch_access *a = userdata;

	return cci_helper_new(a->opener, name, ret, e);
}

/* ---- this process -----------------------------------------------------------------------------
 */

static int direct_list(void *userdata, struct switch_function ret[CCI_SWITCHES_MAX], size_t *ret_n,
		       bool *ret_may_change, struct error *e)
{
	const struct switch_access *a = userdata;
	const struct switch_bus bus = {.root = a->root->dirfd};
	char names[CCI_SWITCHES_MAX][CCI_NAME_MAX];
	int r;

	*ret_n = 0;
	*ret_may_change = false;
	r = a->which ? switch_functions_find(&bus, a->which, names, ret_n, e) : 0;
	if (r == 0)
		put_names(names, *ret_n, ret);
	return r;
}

static int direct_open(void *userdata, const char *name, struct cci **ret, struct error *e)
{
	const struct switch_access *a = userdata;
	const struct switch_bus bus = {.root = a->root->dirfd};

	return a->which ? switch_function_open(&bus, name, ret, e)
			: error_set(e, ENOENT, "%s has no mailbox of a switch", name);
}

/* ---- any of them ------------------------------------------------------------------------------
 */

int switch_access_new_ops(const struct switch_access_ops *ops, void *userdata,
			  struct switch_access **ret)
{
	struct switch_access *a = calloc(1, sizeof(*a));

	if (!a)
		return -ENOMEM;
	a->ops = ops;
	a->userdata = userdata;
	*ret = a;
	return 0;
}

int switch_access_new(const struct host_root *root, struct opener *opener, const char *which,
		      struct switch_access **ret)
{
	static const struct switch_access_ops recorded = {recorded_list, recorded_open},
					      helper = {helper_list, helper_open},
					      direct = {direct_list, direct_open};
	const struct switch_access_ops *ops = opener ? &helper : &direct;
	int r = switch_access_new_ops(root->captured ? &recorded : ops, NULL, ret);

	if (r < 0)
		return r;
	(*ret)->userdata = *ret;
	(*ret)->root = root;
	(*ret)->opener = opener;
	(*ret)->which = which;
	return 0;
}

struct switch_access *switch_access_free(struct switch_access *a)
{
	free(a);
	return NULL;
}

int switch_access_list(struct switch_access *a, struct switch_function ret[CCI_SWITCHES_MAX],
		       size_t *ret_n, bool *ret_may_change, struct error *e)
{
	return a->ops->list(a->userdata, ret, ret_n, ret_may_change, e);
}

int switch_access_open(struct switch_access *a, const char *name, struct cci **ret, struct error *e)
{
	return a->ops->open(a->userdata, name, ret, e);
}
