// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/eventing/sent_statuses.h"

#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/strutil.h"
#include "events/store.h"
#include "events/store_reader.h"
#include "redfish/core/resource_table.h"

/* The resource and the part of its Status that a message is about. */
struct subject {
	char key[RESOURCE_URI_MAX + 8];
	const char *text, *severity;
};

static const char *string_in(const json_t *record, const char *key)
{
	return json_string_value(json_object_get(record, key));
}

/* Return: whether the message is about a Status; the strings are those of @message. */
static bool subject_of(const json_t *message, struct subject *ret)
{
	const json_t *record = json_object_get(message, "Record");
	const char *origin = string_in(json_object_get(record, "OriginOfCondition"), "@odata.id");
	const char *id = string_in(record, "MessageId");
	const char *property =
		json_string_value(json_array_get(json_object_get(record, "MessageArgs"), 1));
	const char *name = id ? strrchr(id, '.') : NULL;
	bool is_state;

	ret->text = string_in(record, "Message");
	ret->severity = string_in(record, "MessageSeverity");
	if (!origin || !name || !ret->text ||
	    !str_equal(string_in(record, "EventType"), "StatusChange"))
		return false;
	is_state = str_equal(name, ".ResourceStateChanged") || str_equal(property, "State");
	(void)snprintf(ret->key, sizeof(ret->key), "%s#%s", origin, is_state ? "State" : "Health");
	return true;
}

static int status_add(void *userdata, uint64_t seq, const char *body, size_t len)
{
	json_t *message = json_loadb(body, len, JSON_REJECT_DUPLICATES, NULL);
	struct subject about;

	(void)seq;
	if (message && subject_of(message, &about))
		(void)json_object_set_new(userdata, about.key, json_string(about.text));
	json_decref(message);
	return 0;
}

json_t *sent_statuses_read(const char *path)
{
	struct store_reader *r;
	json_t *sent;
	int result;

	if (store_reader_open(path, &r, NULL) < 0)
		return NULL;
	sent = json_object();
	result = store_read_messages(r, 0, STORE_MESSAGES_MAX, status_add, sent, NULL);
	(void)store_reader_close(r);
	if (result >= 0)
		return sent;
	json_decref(sent);
	return NULL;
}

bool sent_status_differs(const json_t *sent, const char *body)
{
	json_t *message = json_loads(body, JSON_REJECT_DUPLICATES, NULL);
	struct subject about;
	bool ret = true;

	if (sent && message && subject_of(message, &about)) {
		const char *last = string_in(sent, about.key);

		ret = last ? !str_equal(last, about.text) : !str_equal(about.severity, "OK");
	}
	json_decref(message);
	return ret;
}
