/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_REGISTRY_H
#define CXLR_REDFISH_REGISTRY_H

/*
 * Messages of conditions: the registry of our own, CXLHost, and what is used of DMTF's.
 *
 * One table holds the templates. The registry document that is served and the text of every
 * condition are both made of it, so that they cannot differ. All of it is constant.
 */

#include "common/json_writer.h"

/* Refusals have a table of their own, messages.c. */
#define BASE_REGISTRY "Base.1.22"

enum registry_message {
	REGISTRY_FIRMWARE_UNAVAILABLE,
	REGISTRY_FIRMWARE_SLOW,
	REGISTRY_FIRMWARE_ANSWER_REJECTED,
	REGISTRY_FIRMWARE_ERROR,

	/* Get Health Info, Media Status (CXL 3.2 table 8-148), in the order of enum mailbox_media.
	 */
	REGISTRY_MEDIA_NOT_READY,
	REGISTRY_WRITE_PERSISTENCY_LOST,
	REGISTRY_ALL_DATA_LOST,
	REGISTRY_WRITE_PERSISTENCY_LOSS_ON_POWER_LOSS,
	REGISTRY_WRITE_PERSISTENCY_LOSS_ON_SHUTDOWN,
	REGISTRY_WRITE_PERSISTENCY_LOSS_IMMINENT,
	REGISTRY_ALL_DATA_LOSS_ON_POWER_LOSS,
	REGISTRY_ALL_DATA_LOSS_ON_SHUTDOWN,
	REGISTRY_ALL_DATA_LOSS_IMMINENT,

	/* Get Health Info, Health Status and Additional Status. */
	REGISTRY_MAINTENANCE_NEEDED,
	REGISTRY_PERFORMANCE_DEGRADED,
	REGISTRY_REPLACEMENT_NEEDED,
	REGISTRY_CAPACITY_DEGRADED,
	REGISTRY_LIFE_USED_WARNING,
	REGISTRY_LIFE_USED_CRITICAL,
	REGISTRY_TEMPERATURE_WARNING,
	REGISTRY_TEMPERATURE_CRITICAL,
	REGISTRY_CORRECTED_ERRORS_WARNING, /* when the threshold is not known */
	REGISTRY_MORE_DEVICES,		   /* how many */
	REGISTRY_DEVICE_NOT_ANSWERING,

	/* Of DMTF's registries. */
	REGISTRY_WARNING_THRESHOLD_EXCEEDED, /* property, threshold */
	REGISTRY_CONDITION_IN_RELATED_RESOURCE,
	REGISTRY_MESSAGES,
};

enum { REGISTRY_ARGS_MAX = 2 };

/* In the order of their gravity. */
enum health { HEALTH_OK, HEALTH_WARNING, HEALTH_CRITICAL };

/* Return: Redfish's word. */
const char *health_name(enum health health);

/* Return: how grave the message is, by its registry. */
enum health registry_severity(enum registry_message id);

struct condition {
	enum registry_message id;
	const char *args[REGISTRY_ARGS_MAX]; /* as many as the message has */
	const char *resolution; /* when one is known that is more to the point; NULL otherwise */
	enum health severity;	/* raised above the registry's, never lowered */
	const char *origin; /* URI of the resource it comes from; NULL when it is this one's own */
};

/* An item of "Conditions". */
void put_condition(const struct condition *c, struct json_writer *w);

/*
 * message_text() - a pattern with its arguments in place
 * @text: receives it, cut at its size
 * @pattern: "…%1…%2…", one digit each
 * @args: those that the pattern names
 */
void message_text(char *text, size_t size, const char *pattern, const char *const *args);

/* Return: how many arguments a pattern has. */
size_t message_n_args(const char *pattern);

#endif
