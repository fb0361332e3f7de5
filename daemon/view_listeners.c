// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/view_listeners.h"

#include <errno.h>

#include "common/array.h"
#include "common/log.h"
#include "common/strutil.h"
#include "redfish/eventing/resource_event.h"
#include "redfish/core/resource_table.h"
#include "redfish/core/system_id.h"
#include "redfish/view/view.h"

enum { CHANGES_LOGGED_MAX = 32 };

/* ---- firmware ---- */

/*
 * After the walk, so that no answer from before the change is kept; and before a request sees the
 * new topology, so that none is answered from the old one. On the same host all answers stay
 * valid, and firmware that has become slow or fails is not queried for them again.
 */
static void forget_answers(void *userdata, const struct view *before, const struct view *now,
			   unsigned int changed)
{
	(void)now;
	if (before && changed & VIEW_INPUT_BIT(VIEW_INPUT_TOPOLOGY))
		firmware_invalidate(userdata);
}

/* ---- the log ---- */

static bool list_contains(const char *const *list, size_t n, const char *s)
{
	for (size_t i = 0; i < n; i++)
		if (str_equal(list[i], s))
			return true;
	return false;
}

/* Each note is logged when it is new, not again after each walk. */
static void log_new(const char *const *now, size_t n_now, const char *const *before,
		    size_t n_before, const char *prefix)
{
	for (size_t i = 0; i < n_now; i++)
		if (!list_contains(before, n_before, now[i]))
			log_warning("%s%s", prefix, now[i]);
}

static void log_notes(const struct view *before, const struct view *now)
{
	const char *const *notes, *const *old = NULL;
	size_t n, n_old = 0;

	notes = translator_notes(now->translator, &n);
	if (before)
		old = translator_notes(before->translator, &n_old);
	log_new(notes, n, old, n_old, "");
	log_new(now->host->notes, now->host->n_notes, before ? before->host->notes : NULL,
		before ? before->host->n_notes : 0, "");
	log_new(now->host->denied, now->host->n_denied, before ? before->host->denied : NULL,
		before ? before->host->n_denied : 0, "no permission to read: ");
}

/* The state of firmware is logged at the start and when it changes, on hosts that need it. */
static void log_firmware(const struct view *before, const struct view *now)
{
	const struct firmware_status *status = &now->inputs.firmware;

	if (!now->needs_firmware ||
	    (before && before->needs_firmware && before->inputs.firmware.state == status->state))
		return;
	if (status->state == FIRMWARE_READY)
		log_info("%s", status->text);
	else
		log_warning("%s", status->text);
}

/*
 * A device has many resources; the log names those that a client begins with, which are not in its
 * chassis.
 */
static void log_change(void *userdata, enum view_change change, const struct resource *r)
{
	static const char *const logged[] = {"Memory", "MemoryDomain", "MemoryChunks", "Switch"};
	char shown[SHOWN_URI_MAX];
	size_t *n = userdata;

	if (!list_contains(logged, ARRAY_SIZE(logged), r->type->schema) ||
	    str_after_prefix(r->uri, URI_CHASSES "/"))
		return;
	if ((*n)++ < CHANGES_LOGGED_MAX)
		log_info("%s: %s", change == RESOURCE_CREATED ? "created" : "removed",
			 system_id_show(r->uri, shown));
}

static void log_resources(const struct view *before, const struct view *now)
{
	size_t n = 0;

	view_compare(before, now, log_change, &n);
	if (n > CHANGES_LOGGED_MAX)
		log_info("further resources that were created or removed: %zu",
			 n - CHANGES_LOGGED_MAX);
	log_info("the topology was read again");
}

static void log_view(void *userdata, const struct view *before, const struct view *now,
		     unsigned int changed)
{
	const bool topology = changed & VIEW_INPUT_BIT(VIEW_INPUT_TOPOLOGY);

	(void)userdata;
	log_firmware(before, now);
	if (topology)
		log_notes(before, now);
	if (topology && before)
		log_resources(before, now);
	else if (topology)
		log_info("the topology was read: %zu CXL memory device%s, %zu region%s",
			 now->host->n_memdevs, now->host->n_memdevs == 1 ? "" : "s",
			 now->host->n_regions, now->host->n_regions == 1 ? "" : "s");
}

/* ---- subscribers ---- */

static void send_resource_events(void *userdata, const struct view *before, const struct view *now,
				 unsigned int changed)
{
	const struct service *s = userdata;

	(void)changed;
	notify_resource_events(s->event_service, before, now);
}

int view_listeners_add(struct publisher *p, struct service *service, struct firmware *firmware,
		       struct error *e)
{
	const struct publisher_listener listeners[] = {
		{.before_swap = forget_answers, .userdata = firmware},
		{.after_swap = log_view},
		{.after_swap = send_resource_events, .userdata = service},
	};

	for (size_t i = 0; i < ARRAY_SIZE(listeners); i++)
		if (publisher_listen(p, &listeners[i]) < 0)
			return error_set(e, ENOMEM, "out of memory");
	return 0;
}
