// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/core/changing.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"

struct changing_item {
	char *object;
	const char *what;
};

DEFINE_ARRAY(struct changing_item, changing_items);

struct changing {
	pthread_mutex_t lock; /* guards `items` */
	struct changing_items items;
};

struct changing *changing_new(void)
{
	struct changing *c = calloc(1, sizeof(*c));

	if (c)
		(void)pthread_mutex_init(&c->lock, NULL);
	return c;
}

struct changing *changing_free(struct changing *c)
{
	if (!c)
		return NULL;
	ARRAY_FOREACH(i, &c->items)
		free(i->object);
	changing_items_done(&c->items);
	(void)pthread_mutex_destroy(&c->lock);
	free(c);
	return NULL;
}

/* With the lock held. */
static struct changing_item *changing_find(struct changing *c, const char *object)
{
	ARRAY_FOREACH(i, &c->items)
		if (str_equal(i->object, object))
			return i;
	return NULL;
}

/* With the lock held. Return: 0 or -ENOMEM. */
static int changing_add(struct changing *c, const char *object, const char *what)
{
	char *copy = strdup(object);
	struct changing_item *i = copy ? changing_items_add(&c->items) : NULL;

	if (!i) {
		free(copy);
		return -ENOMEM;
	}
	*i = (struct changing_item){copy, what};
	return 0;
}

int changing_begin(struct changing *c, const char *object, const char *what, const char **ret_other)
{
	const struct changing_item *other;
	int r;

	(void)pthread_mutex_lock(&c->lock);
	other = changing_find(c, object);
	if (other)
		*ret_other = other->what;
	r = other ? -EBUSY : changing_add(c, object, what);
	(void)pthread_mutex_unlock(&c->lock);
	return r;
}

void changing_end(struct changing *c, const char *object)
{
	struct changing_item *i;

	(void)pthread_mutex_lock(&c->lock);
	i = changing_find(c, object);
	if (i) {
		free(i->object);
		*i = c->items.items[--c->items.n];
	}
	(void)pthread_mutex_unlock(&c->lock);
}
