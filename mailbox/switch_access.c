// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox/switch_access.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mailbox/cci_helper.h"
#include "mailbox/cci_recorded.h"
#include "mailbox/switch_function.h"

struct switch_access {
	const struct host_root *root;
	struct opener *opener; /* NULL: directly */
	const char *which;
};

int switch_access_new(const struct host_root *root, struct opener *opener, const char *which,
		      struct switch_access **ret)
{
	struct switch_access *a = calloc(1, sizeof(*a));

	if (!a)
		return -ENOMEM;
	a->root = root;
	a->opener = opener;
	a->which = which;
	*ret = a;
	return 0;
}

struct switch_access *switch_access_free(struct switch_access *a)
{
	free(a);
	return NULL;
}

/* Without the helper. Whether a switch can be used shows when it is opened. */
static int list_names(const struct switch_access *a, char ret[CCI_SWITCHES_MAX][CCI_NAME_MAX],
		      size_t *ret_n, struct error *e)
{
	const struct switch_bus bus = {.root = a->root->dirfd};

	*ret_n = a->root->captured ? cci_recorded_list(a->root, ret) : 0;
	if (a->root->captured || !a->which)
		return 0;
	return switch_functions_find(&bus, a->which, ret, ret_n, e);
}

int switch_access_list(struct switch_access *a, struct switch_function ret[CCI_SWITCHES_MAX],
		       size_t *ret_n, bool *ret_may_change, struct error *e)
{
	char names[CCI_SWITCHES_MAX][CCI_NAME_MAX];
	int r;

	*ret_may_change = false;
	*ret_n = 0;
	if (!a->root->captured && a->opener)
		return cci_helper_list(a->opener, ret, ret_n, ret_may_change, e);
	r = list_names(a, names, ret_n, e);
	for (size_t i = 0; r >= 0 && i < *ret_n; i++) {
		ret[i] = (struct switch_function){0};
		memcpy(ret[i].name, names[i], sizeof(ret[i].name));
	}
	return r;
}

int switch_access_open(struct switch_access *a, const char *name, struct cci **ret, struct error *e)
{
	const struct switch_bus bus = {.root = a->root->dirfd};

	if (a->root->captured)
		return cci_recorded_new(a->root, name, ret, e);
	if (a->opener)
		return cci_helper_new(a->opener, name, ret, e);
	if (a->which)
		return switch_function_open(&bus, name, ret, e);
	return error_set(e, ENOENT, "%s has no mailbox of a switch", name);
}
