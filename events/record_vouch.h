/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_RECORD_VOUCH_H
#define CXLR_EVENTS_RECORD_VOUCH_H

/* The fields of a record that the record itself vouches for. Pure functions; any thread. */

#include "events/record.h"

/*
 * event_record_vouch() - forget what is absent although a value is shown (events/record.h): fields
 * without their validity flag, times of 0, an hpa of all ones, a UUID of zeros
 */
void event_record_vouch(struct event_record *rec);

/*
 * event_record_mark_valid() - set the validity flags of the fields that the record has, where its
 * program prints those only that were valid
 */
void event_record_mark_valid(struct event_record *rec);

#endif
