// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The agent of the Sunfish core in the delivery: its row of the state database, and the answers.
#include <stdio.h>
#include <stdlib.h>

#include "redfish/eventing/delivery_private.h"

enum { AGAIN_MS = 1000 }; /* until the row is read again */

/* ---- the row of the state database --------------------------------------------------------------
 */

static void make_name(char ret[static SUNFISH_NAME_MAX])
{
	uint8_t bytes[SUNFISH_NAME_MAX / 2];

	arc4random_buf(bytes, sizeof(bytes));
	for (size_t i = 0; i < sizeof(bytes); i++)
		(void)snprintf(ret + 2 * i, 3, "%02x", bytes[i]);
}

/* The first time, events begin with the present one. Return: whether the row is known. */
bool delivery_core_open(struct delivery *d, uint64_t newest)
{
	struct state_sunfish row = {.generation = 1, .cursor = newest};
	bool opened;

	(void)pthread_mutex_lock(&d->es->lock);
	opened = d->es->sunfish.opened || !sunfish_agent_is_on(&d->es->sunfish);
	(void)pthread_mutex_unlock(&d->es->lock);
	if (opened)
		return true;
	make_name(row.name);
	if (state_open_sunfish(d->es->state, &row, &row, NULL) < 0) {
		delivery_look_again(d, d->now_ms + AGAIN_MS);
		return false;
	}
	(void)pthread_mutex_lock(&d->es->lock);
	sunfish_agent_take_row(&d->es->sunfish, &row, newest);
	(void)pthread_mutex_unlock(&d->es->lock);
	return true;
}

/* The row that is stored is the one that others see, as each change holds `change`. */
static void put_row(struct event_service *es, enum state_durability durability)
{
	struct state_sunfish row;
	bool opened;

	(void)pthread_mutex_lock(&es->change);
	(void)pthread_mutex_lock(&es->lock);
	row = es->sunfish.row;
	opened = es->sunfish.opened;
	(void)pthread_mutex_unlock(&es->lock);
	if (opened && state_put_sunfish(es->state, durability, &row, NULL) == 0) {
		(void)pthread_mutex_lock(&es->lock);
		es->sunfish.stored = row.cursor;
		(void)pthread_mutex_unlock(&es->lock);
	}
	(void)pthread_mutex_unlock(&es->change);
}

bool delivery_core_unsaved(struct event_service *es)
{
	bool unsaved;

	(void)pthread_mutex_lock(&es->lock);
	unsaved = es->sunfish.opened && es->sunfish.stored != es->sunfish.row.cursor;
	(void)pthread_mutex_unlock(&es->lock);
	return unsaved;
}

void delivery_core_save(struct event_service *es, enum state_durability durability)
{
	if (delivery_core_unsaved(es))
		put_row(es, durability);
}

/* ---- answers ------------------------------------------------------------------------------------
 */

void delivery_take_core_answer(struct delivery *d, const struct push_answer *answer)
{
	bool changes;

	(void)pthread_mutex_lock(&d->es->lock);
	changes = sunfish_agent_answer(&d->es->sunfish, answer, d->now_ms);
	(void)pthread_mutex_unlock(&d->es->lock);
	if (changes)
		put_row(d->es, STATE_DURABLE);
}

void delivery_lose_core(struct delivery *d, const char *why)
{
	(void)pthread_mutex_lock(&d->es->lock);
	sunfish_agent_lost(&d->es->sunfish, why, d->now_ms);
	(void)pthread_mutex_unlock(&d->es->lock);
}
