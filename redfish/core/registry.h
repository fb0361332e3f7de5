/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_REGISTRY_H
#define CXLR_REDFISH_REGISTRY_H

/*
 * Messages of events, requests and tasks: the registry of this service, CXLHost, and the messages
 * in use of DMTF's registries. CXLHost also has the messages of findings, which are in the table of
 * model/finding_rows.h, see redfish/resources/finding_message.h.
 *
 * One table holds the templates. The registry document and the text of every condition are both
 * made from it, so that they cannot differ. All of it is constant.
 */

#include <stdbool.h>
#include <stddef.h>

#include "common/json_writer.h"
#include "model/health_level.h"

/* Error messages have their own table, messages.c. */
#define BASE_REGISTRY "Base.1.22"

#define TASK_EVENT_REGISTRY "TaskEvent.1.0"

enum registry_message {
	/* Conditions that are no findings. */
	REGISTRY_MORE_DEVICES,	   /* how many */
	REGISTRY_STATUS_NOT_KNOWN, /* URI, property */
	REGISTRY_SANITIZING,

	/* Events, in the order of enum event_type; their arguments are made by event_message.c. */
	REGISTRY_GENERAL_MEDIA_EVENT,
	REGISTRY_DRAM_EVENT,
	REGISTRY_MEMORY_MODULE_EVENT,
	REGISTRY_MEMORY_SPARING_EVENT,
	REGISTRY_GENERIC_EVENT,
	REGISTRY_POISON_EVENT,
	REGISTRY_POISON_CLEARED,
	REGISTRY_LOG_OVERFLOW,
	REGISTRY_CORRECTABLE_ERROR,
	REGISTRY_UNCORRECTABLE_ERROR,
	REGISTRY_PORT_CORRECTABLE_ERROR,
	REGISTRY_PORT_UNCORRECTABLE_ERROR,
	REGISTRY_OTHER_EVENT,
	REGISTRY_RECORDS_LOST,
	REGISTRY_RECORDS_LOST_AT_END,
	REGISTRY_ENTRIES_UNREADABLE,

	/* Incidents; their arguments are made by incident_message.c. */
	REGISTRY_INCIDENT,
	REGISTRY_INCIDENT_OPENED,
	REGISTRY_INCIDENT_WORSENED,
	REGISTRY_INCIDENT_CLOSED,
	REGISTRY_INCIDENT_PAGE,

	/* Records of a switch's logs; their arguments are made by res_switch_log.c. */
	REGISTRY_SWITCH_PORT_EVENT,    /* port, what, log */
	REGISTRY_VIRTUAL_SWITCH_EVENT, /* vPPB, VCS, what, log */
	REGISTRY_MLD_PORT_EVENT,       /* port, what, log */
	REGISTRY_SWITCH_RECORD,	       /* UUID, log */

	/* Errors of requests, see messages.h. */
	REGISTRY_PROPERTY_TOO_LONG,	   /* property, bytes, limit */
	REGISTRY_SUBSCRIPTION_TOO_LONG,	   /* bytes, limit */
	REGISTRY_SUBSCRIPTIONS_TOO_LONG,   /* bytes, limit */
	REGISTRY_EVENTS_NOT_DELIVERABLE,   /* why */
	REGISTRY_SUBSCRIPTION_DISABLED,	   /* why */
	REGISTRY_DESTINATION_NOT_ALLOWED,  /* URL, address */
	REGISTRY_TEST_EVENT_NOT_DELIVERED, /* how many, the first, why */
	REGISTRY_ACCOUNTS_NOT_WRITABLE,
	REGISTRY_NO_ACCOUNT,
	REGISTRY_LAST_ADMINISTRATOR,
	REGISTRY_CERTIFICATE_REJECTED, /* why */
	REGISTRY_PASSWORD_NOT_CHANGED,

	REGISTRY_NOT_CHANGEABLE,       /* why */
	REGISTRY_MEMORY_IN_USE,	       /* why */
	REGISTRY_SWITCH_CHANGE_FAILED, /* switch, why */

	/* Changes of the host: the object's name, and why. */
	REGISTRY_CHANGE_REFUSED,
	REGISTRY_CHANGE_UNDONE,
	REGISTRY_CHANGE_INCOMPLETE,
	REGISTRY_CHANGE_UNKNOWN,
	REGISTRY_CHANGE_IN_PROGRESS,	    /* object, the change that is being made */
	REGISTRY_UPLOAD_REFUSED,	    /* why */
	REGISTRY_FIRMWARE_WRITTEN,	    /* device, where, and when it is in force */
	REGISTRY_RAW_COMMAND_SENT,	    /* device, its effects */
	REGISTRY_MEDIA_SCANNED,		    /* device, what was found */
	REGISTRY_PAGES_MAY_RETURN,	    /* device, addresses of pages */
	REGISTRY_PAGE_STAYS_OUT,	    /* entry, until when and why */
	REGISTRY_PAGE_FAILED,		    /* device, the state of its page, and why */
	REGISTRY_PAGES_OUT_OF_USE,	    /* region, the pages, and what becomes of them */
	REGISTRY_DIAGNOSTICS_NOT_AVAILABLE, /* why */

	/* Records of the audit log, in the order of enum audit_kind; their arguments are made by
	 * res_audit_log.c. */
	REGISTRY_AUDIT_CHANGE,		/* method, URI, user, address, result */
	REGISTRY_AUDIT_LOGIN,		/* user, address, means */
	REGISTRY_AUDIT_LOGIN_FAILED,	/* user, address, how many */
	REGISTRY_AUDIT_SESSION_CREATED, /* session, user, address */
	REGISTRY_AUDIT_SESSION_ENDED,	/* session, user, address, why */
	REGISTRY_AUDIT_LOCKED_OUT,	/* user, address */
	REGISTRY_AUDIT_CONFIGURATION,	/* result */
	REGISTRY_AUDIT_LOST,		/* how many, why */
	REGISTRY_AUDIT_DECISION,	/* incident, the page and the outcome */
	REGISTRY_AUDIT_REJECTED,	/* as REGISTRY_AUDIT_CHANGE, with an error */

	/* Conditions of the audit log. */
	REGISTRY_AUDIT_UNAVAILABLE, /* why */
	REGISTRY_AUDIT_INCOMPLETE,  /* how many */

	/* Messages of tasks. */
	REGISTRY_TASK_PROGRESS,	   /* done, total, unit */
	REGISTRY_TASK_INTERRUPTED, /* done, total, unit */
	REGISTRY_TASK_RESULT_UNKNOWN,
	REGISTRY_TASK_NOT_BEGUN,
	REGISTRY_SUB_TASK_NOT_BEGUN,   /* name of its object */
	REGISTRY_TASK_NOT_CANCELLABLE, /* Id */

	/* Messages of DMTF's registries. */
	REGISTRY_TASK_STARTED, /* Id, as of the following */
	REGISTRY_TASK_COMPLETED,
	REGISTRY_TASK_ABORTED,
	REGISTRY_TASK_CANCELLED,
	REGISTRY_TASK_REMOVED,
	REGISTRY_TASK_PROGRESS_CHANGED, /* Id, percent */
	REGISTRY_DIAGNOSTICS_COLLECTED, /* DiagnosticDataType; of DMTF */
	REGISTRY_CONDITION_IN_RELATED_RESOURCE,
	REGISTRY_MESSAGES,
};

enum { REGISTRY_ARGS_MAX = 5 };

/* Return: the severity of the message in its registry. */
enum health_level registry_severity(enum registry_message id);

struct condition {
	enum registry_message id;
	const char *args[REGISTRY_ARGS_MAX]; /* as many as the message has */
	const char *resolution;		     /* more specific than the registry's; NULL without */
	enum health_level severity;	     /* raised above the registry's, never lowered */
	const char *origin; /* URI of the resource that it originates from; NULL: this resource */
	const char *log_entry; /* URI of a LogEntry about it; NULL without */
	const char *timestamp; /* when it occurred, RFC 3339; NULL unknown */
};

/* An item of "Conditions". */
void put_condition(const struct condition *c, struct json_writer *w);

/* Return: the MessageId of one of our own messages, "CXLHost.1.0.PoisonEvent". */
const char *registry_message_id(enum registry_message id);

/* Return: the same without its registry, "PoisonEvent"; for any message. */
const char *registry_key(enum registry_message id);

/* Return: the pattern of the message's text, see message_text(). */
const char *registry_text(enum registry_message id);

/* Return: the resolution of the message. */
const char *registry_resolution(enum registry_message id);

/* MessageId, MessageArgs and Message; @args: as many as the message has. */
void put_registry_message(enum registry_message id, const char *const *args, struct json_writer *w);

/*
 * message_id_matches() - whether a client's MessageId is that of a message, of any version
 * @text: "CXLHost.1.0.DRAMEvent", or "CXLHost.DRAMEvent"; @len bytes
 * @id: "CXLHost.1.0.DRAMEvent"
 *
 * A client may know the registry by an earlier version, in which the message is the same.
 */
bool message_id_matches(const char *text, size_t len, const char *id);

/*
 * message_text() - a pattern with its arguments in place
 * @text: receives it, cut at its size
 * @pattern: "…%1…%2…", one digit each
 * @args: those that the pattern names
 */
void message_text(char *text, size_t size, const char *pattern, const char *const *args);

/* Return: how many arguments a pattern has. */
size_t message_n_args(const char *pattern);

/* One message registry, as it is listed. */
struct registry {
	const char *name; /* the first part of its MessageIds */
	const char *id;
	const char *title;
};

/* Return: the @i-th registry in use; NULL after the last. */
const struct registry *registry_at(size_t i);

/* Whether the registry is the one that this service defines and serves. */
bool registry_is_own(const struct registry *r);

/* As put_registry_message(), for a message of CXLHost that is in another table. */
void put_own_message(const char *key, const char *pattern, const char *const *args,
		     struct json_writer *w);

/* A message as the registry document has it. */
struct registry_entry {
	const char *key;
	enum health_level severity;
	const char *text;
	const char *description;
	const char *resolution;
	const char *const *arguments; /* what %1, %2, … stand for */
};

void put_registry_entry(const struct registry_entry *e, struct json_writer *w);

/* Each message of this table that belongs to CXLHost, with put_registry_entry(). */
void put_registry_entries(struct json_writer *w);

#endif
