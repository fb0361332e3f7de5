// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/eventing/sunfish_destination.h"

#include <errno.h>
#include <stdio.h>

#include "common/strutil.h"
#include "redfish/eventing/destinations.h"
#include "redfish/service/core_peer.h"

void event_service_set_sunfish(struct event_service *es, const struct sunfish_settings *s)
{
	(void)pthread_mutex_lock(&es->lock);
	sunfish_agent_configure(&es->sunfish, s);
	(void)pthread_mutex_unlock(&es->lock);
	event_bus_publish(es->bus, 0);
}

void event_service_sunfish(struct event_service *es, struct sunfish_status *ret)
{
	(void)pthread_mutex_lock(&es->lock);
	*ret = es->sunfish.status;
	(void)pthread_mutex_unlock(&es->lock);
}

bool sunfish_destination_is(struct event_service *es, const char *id)
{
	bool is_on;

	if (!str_equal(id, SUNFISH_SERVER))
		return false;
	(void)pthread_mutex_lock(&es->lock);
	is_on = sunfish_agent_is_on(&es->sunfish);
	(void)pthread_mutex_unlock(&es->lock);
	return is_on;
}

static void put_properties(struct json_writer *w, const struct sunfish_agent *a)
{
	const bool fails = a->status.reason[0] != '\0';

	put_string(w, "Name", "Core of Sunfish");
	put_format(w, "Destination", "%s/EventListener", a->settings.core);
	put_string(w, "Protocol", "Redfish");
	put_string(w, "Context", a->row.source);
	put_string(w, "SubscriptionType", "RedfishEvent");
	put_string(w, "EventFormatType", "Event");
	put_string(w, "DeliveryRetryPolicy", "RetryForeverWithBackoff");
	put_bool(w, "VerifyCertificate", true);
	put_object(w, "Status");
	put_string(w, "State",
		   a->status.state == SUNFISH_STATE_SERVING ? "Enabled" : "StandbyOffline");
	put_string(w, "Health", fails ? "Warning" : "OK");
	put_end(w);
}

int sunfish_destination_put(struct event_service *es, struct json_writer *w)
{
	(void)pthread_mutex_lock(&es->lock);
	put_properties(w, &es->sunfish);
	(void)pthread_mutex_unlock(&es->lock);
	return 0;
}

/* Return: 0, or -EINVAL with the message. */
static int check_body(const json_t *given, const char **ret_id, struct message *m)
{
	const char *id = json_string_value(json_object_get(given, "Context")), *name;
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)given, name, value) {
		if (str_equal(name, "Context"))
			continue;
		message_set(m, MESSAGE_PROPERTY_NOT_WRITABLE, name, NULL, NULL);
		message_set_property(m, name);
		return -EINVAL;
	}
	*ret_id = id;
	if (id && sunfish_id_is_sane(id))
		return 0;
	message_set(m, MESSAGE_PROPERTY_VALUE_FORMAT_ERROR, id ? id : "null", "Context", NULL);
	message_set_property(m, "Context");
	return -EINVAL;
}

/* Stored first: the core does not send it again. */
static int assign(struct event_service *es, const char *id)
{
	struct state_sunfish row;
	bool opened, is_on;
	int r;

	(void)pthread_mutex_lock(&es->lock);
	row = es->sunfish.row;
	opened = es->sunfish.opened;
	is_on = sunfish_agent_is_on(&es->sunfish);
	(void)pthread_mutex_unlock(&es->lock);
	if (!is_on || !opened)
		return is_on ? -EBUSY : -ENOENT;
	(void)snprintf(row.source, sizeof(row.source), "%s", id);
	r = state_put_sunfish(es->state, STATE_DURABLE, &row, NULL);
	if (r < 0)
		return r;
	(void)pthread_mutex_lock(&es->lock);
	sunfish_agent_assign(&es->sunfish, id);
	(void)pthread_mutex_unlock(&es->lock);
	event_bus_publish(es->bus, 0);
	return 0;
}

int sunfish_destination_change(struct event_service *es, const json_t *given,
			       struct message *ret_message)
{
	const char *id;
	int r = check_body(given, &id, ret_message);

	if (r < 0)
		return r;
	(void)pthread_mutex_lock(&es->change);
	r = assign(es, id);
	(void)pthread_mutex_unlock(&es->change);
	return r;
}

bool event_service_connection_method(struct event_service *es, char ret[static SUNFISH_METHOD_MAX])
{
	bool found;

	(void)pthread_mutex_lock(&es->lock);
	found = es->sunfish.opened && sunfish_agent_is_on(&es->sunfish);
	if (found)
		sunfish_agent_method(&es->sunfish, ret);
	(void)pthread_mutex_unlock(&es->lock);
	return found;
}

void event_service_core_agent(struct event_service *es, bool copies,
			      char ret[static CORE_AGENT_MAX])
{
	const struct sunfish_agent *a = &es->sunfish;

	ret[0] = '\0';
	(void)pthread_mutex_lock(&es->lock);
	if (a->row.source[0] && (a->has_offered || !copies))
		(void)snprintf(ret, CORE_AGENT_MAX, SUNFISH_SOURCES "/%s", a->row.source);
	(void)pthread_mutex_unlock(&es->lock);
}
