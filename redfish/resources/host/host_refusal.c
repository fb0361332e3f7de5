// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/host/host_refusal.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/allow.h"
#include "common/array.h"
#include "redfish/service/body_check.h"
#include "redfish/service/service.h"

#define CHANGE_HELPER "cxl-redfish-change-helper"
#define PAGE_HELPER   "cxl-redfish-page-helper"

/* Constant: also renderers ask, on many threads. */
#define REASONS(option, helper)                                                                    \
	{                                                                                          \
		"such changes of this host are not allowed (--allow=" option ")",                  \
			helper ", which makes such changes, does not allow "                       \
			       "them (--allow=" option ")"                                         \
	}

static const struct {
	unsigned int bit;
	const char *reasons[2]; /* of the daemon, of the helper */
} permissions[] = {
	{ALLOW_REGIONS, REASONS("regions", CHANGE_HELPER)},
	{ALLOW_MEMORY, REASONS("memory", CHANGE_HELPER)},
	{ALLOW_PARTITIONS, REASONS("partitions", CHANGE_HELPER)},
	{ALLOW_SECURITY, REASONS("security", CHANGE_HELPER)},
	{ALLOW_FIRMWARE, REASONS("firmware", CHANGE_HELPER)},
	{ALLOW_ALERTS, REASONS("alerts", CHANGE_HELPER)},
	{ALLOW_POISON, REASONS("poison", CHANGE_HELPER)},
	{ALLOW_RAW, REASONS("raw", CHANGE_HELPER)},
	{ALLOW_SCRUB, REASONS("scrub", CHANGE_HELPER)},
	{ALLOW_REPAIR, REASONS("repair", CHANGE_HELPER)},
	{ALLOW_PAGES, REASONS("pages", PAGE_HELPER)},
	{ALLOW_HARD_PAGES, REASONS("hard-pages", PAGE_HELPER)},
};

static const char *reason_of(unsigned int bit, bool of_helper)
{
	for (size_t i = 0; i < ARRAY_SIZE(permissions); i++)
		if (permissions[i].bit == bit)
			return permissions[i].reasons[of_helper];
	return "there is no permission for such changes";
}

const char *host_unchangeable(const struct view *v, unsigned int bit)
{
	const struct changes_allowed *allowed = &v->inputs.changes_allowed;
	const bool of_pages = bit & ALLOW_PAGE_HELPER;

	if (v->host->root && v->host->root->captured)
		return "this is a captured host";
	if (!(allowed->configured & bit))
		return reason_of(bit, false);
	if (!(allowed->helper & (of_pages ? ALLOW_PAGE_HELPER : ALLOW_HOST)))
		return of_pages ? PAGE_HELPER ", which takes pages out of use, does not answer"
				: CHANGE_HELPER ", which makes changes, does not answer";
	return allowed->helper & bit ? NULL : reason_of(bit, true);
}

const char *host_unchangeable_now(const struct exchange *x, unsigned int bit)
{
	struct view_hold *hold = view_holder_take(x->service->view_holder);
	const char *why = host_unchangeable(hold ? view_of_hold(hold) : x->view, bit);

	(void)view_hold_release(hold);
	return why;
}

unsigned int host_change_status(int error)
{
	switch (error) {
	case -EINVAL:
	case -EOPNOTSUPP:
		return 400;
	case -EACCES:
	case -EKEYREJECTED:
		return 403;
	case -ENOENT:
		return 404;
	case -EBUSY:
	case -ENODEV:
	case -EPERM: /* not of the client: locked, Normalized, frozen */
	case -ESTALE:
		return 409;
	case -ENOSPC:
		return 507;
	case -ECANCELED:
	case -ENOTCONN: /* the helper was not reached, or is being stopped: try again */
	case -ESHUTDOWN:
		return 503;
	default:
		return 500;
	}
}

/* Whether a text has the name as a word: "mem1" is none of "mem12". */
static bool has_name(const char *text, const char *name)
{
	const size_t len = strlen(name);

	for (const char *at = strstr(text, name); at && len > 0; at = strstr(at + 1, name))
		if ((at == text || !isalnum((unsigned char)at[-1])) &&
		    !isalnum((unsigned char)at[len]))
			return true;
	return false;
}

void host_change_message(struct message *m, enum message_id id, const char *object, const char *why)
{
	const bool named = has_name(why, object);
	char text[MESSAGE_ARG_MAX];
	size_t len;

	(void)snprintf(text, sizeof(text), "%s%s%s", named ? "" : object, named ? "" : ": ", why);
	/* The end of a sentence of the registry, which has a full stop. */
	len = strlen(text);
	if (len > 0 && text[len - 1] == '.')
		text[len - 1] = '\0';
	message_set(m, id, text, NULL, NULL);
}

int host_change_refuse(struct exchange *x, const char *object, int code, const char *why,
		       const char *property)
{
	host_change_message(&x->message, MESSAGE_CHANGE_REFUSED, object, why);
	x->message.status = host_change_status(code);
	if (code == -EINVAL && property)
		body_point_to(x, property);
	return -EINVAL;
}
