// SPDX-License-Identifier: LGPL-2.1-or-later
#include "capture/capture_private.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/tree_check.h"
#include "common/array.h"
#include "common/cleanup.h"

static int member_order(const void *a, const void *b)
{
	return strcmp(((const struct member *)a)->path, ((const struct member *)b)->path);
}

static void member_free(void *p)
{
	struct member *m = p;

	free(m->path);
	free(m->data);
	free(m);
}

static struct member *member_new(const char *path, enum member_kind kind, mode_t permissions,
				 const void *data, size_t len)
{
	struct member *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	*m = (struct member){
		.path = strdup(path),
		.kind = kind,
		.permissions = permissions,
		.data = data ? malloc(len + 1) : NULL,
		.len = len,
	};
	if (!m->path || (data && !m->data)) {
		member_free(m);
		return NULL;
	}
	if (data) {
		memcpy(m->data, data, len);
		m->data[len] = '\0';
	}
	return m;
}

struct member *capture_set_find(const struct capture_set *set, const char *path)
{
	struct member key = {.path = (char *)path};
	void *const *node = tfind(&key, &set->tree, member_order);

	return node ? *node : NULL;
}

static bool add_parent(struct capture_set *set, const char *path)
{
	const char *slash = strrchr(path, '/');
	_cleanup_free_ char *parent = NULL;

	if (!slash)
		return true;
	parent = strndup(path, (size_t)(slash - path));
	return parent && capture_set_add(set, parent, MEMBER_DIRECTORY, 0755, NULL, 0);
}

struct member *capture_set_add(struct capture_set *set, const char *path, enum member_kind kind,
			       mode_t permissions, const void *data, size_t len)
{
	struct member *m = capture_set_find(set, path);

	if (m)
		return m;
	m = member_new(path, kind, permissions, data, len);
	if (!m || !tsearch(m, &set->tree, member_order)) {
		if (m)
			member_free(m);
		set->out_of_memory = true;
		return NULL;
	}
	set->n++;
	if (!add_parent(set, path)) {
		set->out_of_memory = true;
		return NULL;
	}
	return m;
}

struct visit {
	int (*fn)(struct member *m, void *userdata);
	void *userdata;
	int r;
};

static void visit_node(const void *node, VISIT which, void *closure)
{
	struct visit *v = closure;

	if ((which == postorder || which == leaf) && v->r >= 0)
		v->r = v->fn(*(struct member *const *)node, v->userdata);
}

int capture_set_foreach(const struct capture_set *set, int (*fn)(struct member *m, void *userdata),
			void *userdata)
{
	struct visit v = {.fn = fn, .userdata = userdata};

	twalk_r(set->tree, visit_node, &v);
	return v.r;
}

void capture_set_follow(struct capture_set *set, const char *path)
{
	char **more = reallocarray(set->follow, set->n_follow + 1, sizeof(*more));

	if (more) {
		set->follow = more;
		more[set->n_follow] = strdup(path);
	}
	if (more && more[set->n_follow])
		set->n_follow++;
	else
		set->out_of_memory = true;
}

void capture_set_missed(struct capture_set *set, const char *path, const char *why)
{
	struct capture_result *res = set->result;
	char **more = reallocarray(res->missed, res->n_missed + 1, sizeof(*more));

	if (more) {
		res->missed = more;
		if (asprintf(&more[res->n_missed], "%s: %s", path, why) >= 0) {
			(void)tree_printable(more[res->n_missed++]);
			return;
		}
	}
	set->out_of_memory = true;
}

void capture_set_done(struct capture_set *set)
{
	tdestroy(set->tree, member_free);
	for (size_t i = 0; i < set->n_follow; i++)
		free(set->follow[i]);
	free(set->follow);
	set->tree = NULL;
	set->follow = NULL;
	set->n_follow = 0;
}

void capture_result_done(struct capture_result *r)
{
	for (size_t i = 0; i < r->n_missed; i++)
		free(r->missed[i]);
	free(r->missed);
	*r = (struct capture_result){0};
}
