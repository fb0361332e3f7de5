// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/core/change_claims.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"

struct change_claim_item {
	char *object;
	const char *what;
};

DEFINE_ARRAY(struct change_claim_item, change_claim_items);

struct change_claims {
	pthread_mutex_t lock; /* guards `items` */
	struct change_claim_items items;
};

struct change_claims *change_claims_new(void)
{
	struct change_claims *c = calloc(1, sizeof(*c));

	if (c)
		(void)pthread_mutex_init(&c->lock, NULL);
	return c;
}

struct change_claims *change_claims_free(struct change_claims *c)
{
	if (!c)
		return NULL;
	ARRAY_FOREACH(i, &c->items)
		free(i->object);
	change_claim_items_done(&c->items);
	(void)pthread_mutex_destroy(&c->lock);
	free(c);
	return NULL;
}

/* With the lock held. */
static struct change_claim_item *change_claims_find(struct change_claims *c, const char *object)
{
	ARRAY_FOREACH(i, &c->items)
		if (str_equal(i->object, object))
			return i;
	return NULL;
}

/* With the lock held. Return: 0 or -ENOMEM. */
static int change_claims_add(struct change_claims *c, const char *object, const char *what)
{
	char *copy = strdup(object);
	struct change_claim_item *i = copy ? change_claim_items_add(&c->items) : NULL;

	if (!i) {
		free(copy);
		return -ENOMEM;
	}
	*i = (struct change_claim_item){copy, what};
	return 0;
}

int change_claim(struct change_claims *c, const char *object, const char *what,
		 const char **ret_other)
{
	const struct change_claim_item *other;
	int r;

	(void)pthread_mutex_lock(&c->lock);
	other = change_claims_find(c, object);
	if (other)
		*ret_other = other->what;
	r = other ? -EBUSY : change_claims_add(c, object, what);
	(void)pthread_mutex_unlock(&c->lock);
	return r;
}

void change_claim_end(struct change_claims *c, const char *object)
{
	struct change_claim_item *i;

	(void)pthread_mutex_lock(&c->lock);
	i = change_claims_find(c, object);
	if (i) {
		free(i->object);
		*i = c->items.items[--c->items.n];
	}
	(void)pthread_mutex_unlock(&c->lock);
}
