// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/incident_act.h"

const char *incident_act_name(enum incident_act act)
{
	static const char *const names[INCIDENT_ACTS] = {
		"none",	      "watch",		 "offline-page", "repair",
		"check-link", "update-firmware", "replace",	 "change-configuration"};

	return names[act];
}

const char *incident_act_words(enum incident_act act)
{
	static const char *const words[INCIDENT_ACTS] = {
		[ACT_NONE] = "nothing",
		[ACT_WATCH] = "watch it",
		[ACT_OFFLINE_PAGE] = "take its pages out of use",
		[ACT_REPAIR] = "repair the place",
		[ACT_CHECK_LINK] = "check the link, and reseat the device",
		[ACT_UPDATE_FIRMWARE] = "update the firmware",
		[ACT_REPLACE] = "replace the device",
		[ACT_CHANGE_CONFIGURATION] = "change the configuration",
	};

	return words[act];
}

struct advice {
	enum incident_act act;
	const char *reason;
};

/* A request of the device is more specific than what is usual for the kind. */
static struct advice advice_by_flags(const struct incident *i)
{
	if (i->flags & EVENT_FLAG_REPLACE)
		return (struct advice){ACT_REPLACE, "The device itself asks to be replaced."};
	/* Records of other kinds name no place that could be repaired. */
	if (i->flags & EVENT_FLAG_MAINTENANCE &&
	    (i->kind == INCIDENT_MEDIA_UNCORRECTABLE || i->kind == INCIDENT_MEDIA_CORRECTED))
		return (struct advice){ACT_REPAIR,
				       "The device asks for maintenance of that place."};
	return (struct advice){ACT_NONE, NULL};
}

/* Findings are no evidence for more than these; further steps are in their words. */
static struct advice advice_for_finding(const struct incident *i)
{
	switch (i->advised) {
	case ACT_CHANGE_CONFIGURATION:
		return (struct advice){
			ACT_CHANGE_CONFIGURATION,
			"Memory cannot be used, or not as it is meant to be, as it is configured now."};
	case ACT_UPDATE_FIRMWARE:
		return (struct advice){ACT_UPDATE_FIRMWARE,
				       "The machine's firmware describes its memory wrongly."};
	case ACT_REPLACE:
		return (struct advice){ACT_REPLACE,
				       "The device itself reports that it cannot be relied on."};
	default:
		return (struct advice){ACT_WATCH,
				       "No one change is advised; the finding says what is known."};
	}
}

static struct advice advice_for_uncorrectable(const struct incident *i, bool has_page)
{
	if (i->fatal)
		return (struct advice){ACT_REPLACE,
				       "A record of it is fatal: the device cannot be relied on."};
	if (i->anchor.type == ANCHOR_MANY)
		return (struct advice){
			ACT_REPLACE,
			"Data is lost at more places of the device than are counted apart."};
	if (!incident_is_loss_known(i))
		return (struct advice){
			ACT_WATCH,
			"Whether data is lost is not known: the report has no severity; look for other reports of that time."};
	if (!has_page)
		return (struct advice){
			ACT_WATCH,
			"The page is not known exactly, and no page is taken out of use on a guess."};
	return (struct advice){ACT_OFFLINE_PAGE,
			       "Data at the address is lost, and a program that uses it ends."};
}

static struct advice advice_for_corrected(const struct incident *i, bool has_page)
{
	if (i->fatal)
		return (struct advice){ACT_REPLACE,
				       "A record of it is fatal: the device cannot be relied on."};
	if (i->recurring && has_page && i->anchor.type != ANCHOR_MANY)
		return (struct advice){
			ACT_OFFLINE_PAGE,
			"The device counts more errors than it should; while they are corrected, moving the page loses nothing."};
	return (struct advice){
		ACT_WATCH,
		"Errors are corrected, and their number alone predicts nothing; the incident closes by itself when none follows for 24 hours."};
}

static struct advice advice_by_kind(const struct incident *i, enum incident_place place,
				    bool has_page)
{
	const bool is_critical = i->severity == EVENT_CRITICAL;

	switch (i->kind) {
	case INCIDENT_MEDIA_UNCORRECTABLE:
		return advice_for_uncorrectable(i, has_page);
	case INCIDENT_MEDIA_CORRECTED:
		return advice_for_corrected(i, has_page);
	case INCIDENT_POISON:
		if (has_page)
			return (struct advice){
				ACT_OFFLINE_PAGE,
				"Data at the address is lost until the poison is cleared."};
		return (struct advice){
			ACT_WATCH,
			"The page is not known exactly, and no page is taken out of use on a guess."};
	case INCIDENT_LINK:
		if (is_critical || place != PLACE_LINK)
			return (struct advice){
				ACT_CHECK_LINK,
				"Transfers to the device failed; its media did not."};
		return (struct advice){
			ACT_WATCH,
			"Errors of the link are corrected; when they continue, check the link."};
	case INCIDENT_WEAR:
		if (is_critical)
			return (struct advice){ACT_REPLACE,
					       "The device reports that its life is used."};
		return (struct advice){ACT_WATCH, "The device wears out; plan its replacement."};
	case INCIDENT_TEMPERATURE:
		return (struct advice){ACT_WATCH,
				       "The temperature left its range; check the cooling."};
	case INCIDENT_CAPACITY:
		return (struct advice){
			ACT_WATCH, "The state of the media changed; see the health of the device."};
	case INCIDENT_CONFIGURATION:
		return (struct advice){
			ACT_WATCH,
			"An access was not allowed or had no memory behind it; check which program or device uses the address. The media did not fail."};
	default:
		return (struct advice){
			ACT_WATCH,
			"The device reports a change; see its health, or ask its vendor about the record."};
	}
}

enum incident_act incident_act_of(const struct incident *i, enum incident_place place,
				  bool has_page, const char **ret_reason)
{
	struct advice a = {ACT_NONE, "The incident has ended."};

	if (incident_is_open(i))
		a = i->advised ? advice_for_finding(i) : advice_by_flags(i);
	if (a.act == ACT_NONE && incident_is_open(i))
		a = advice_by_kind(i, place, has_page);
	*ret_reason = a.reason;
	return a.act;
}

enum incident_act incident_act_foreseen(const struct incident *i)
{
	char evidence[PLACE_EVIDENCE_MAX];
	const char *reason;

	return incident_act_of(i, incident_place_of(i, evidence), i->n_pages > 0, &reason);
}

/* Incidents that have ended come last: there is nothing to do about them. */
int incident_urgency(const struct incident *a, enum incident_act act_a, const struct incident *b,
		     enum incident_act act_b)
{
	const bool a_open = incident_is_open(a), b_open = incident_is_open(b);

	if (a_open != b_open)
		return a_open ? -1 : 1;
	if (a->severity != b->severity)
		return a->severity > b->severity ? -1 : 1;
	if (a->state != b->state)
		return a->state < b->state ? -1 : 1;
	if ((act_a > ACT_WATCH) != (act_b > ACT_WATCH))
		return act_a > ACT_WATCH ? -1 : 1;
	if (a->last_seq != b->last_seq)
		return a->last_seq > b->last_seq ? -1 : 1;
	return (a->id < b->id) - (a->id > b->id);
}
