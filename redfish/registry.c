// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/registry.h"

#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "redfish/resources.h"

#define OWN_VERSION "1.0.0"
#define OWN_ID	    "CXLHost." OWN_VERSION

/* DMTF's are named by their public URIs, and ours is served. */
static const struct registry {
	const char *name; /* as MessageIds begin */
	const char *id;
	const char *title;
} registries[] = {
	{BASE_REGISTRY, BASE_REGISTRY ".1", "Base Message Registry"},
	{"CXLHost.1.0", OWN_ID, "CXL Host Message Registry"},
	{"ResourceEvent.1.4", "ResourceEvent.1.4.3", "Resource Event Message Registry"},
};

enum { REGISTRY_BASE, REGISTRY_OWN, REGISTRY_RESOURCE_EVENT };

struct entry {
	unsigned int registry;
	enum health severity;
	const char *key;
	const char *text;
	const char *resolution;
	/* Of our own: for the document. */
	const char *description;
	const char *argument; /* what %1 stands for */
};

#define OWN(key_, severity_) .registry = REGISTRY_OWN, .key = key_, .severity = severity_

#define STOP_USING "Move data away from the device, and replace it."
#define SAVE_DATA                                                                                  \
	"Save what must be kept to another place before the next loss of power or shutdown."
#define LOOK_AT_METRICS "Look at the device's MemoryMetrics."

static const struct entry entries[REGISTRY_MESSAGES] = {
	[REGISTRY_FIRMWARE_UNAVAILABLE] =
		{OWN("FirmwareUnavailable", HEALTH_WARNING),
		 .text = "Addresses have no exact translation: %1.",
		 .description = "Indicates that the host's firmware is needed to translate "
				"addresses and cannot be asked.",
		 .argument = "Why firmware cannot be asked.",
		 .resolution = "Do away with the reason that the message names."},
	[REGISTRY_FIRMWARE_SLOW] =
		{OWN("FirmwareSlow", HEALTH_WARNING),
		 .text = "Addresses may have no exact translation: %1.",
		 .description = "Indicates that the host's firmware takes long to translate "
				"addresses.",
		 .argument = "What is slow.",
		 .resolution = "Ask the machine's vendor for firmware with a sound PRM handler."},
	[REGISTRY_FIRMWARE_ANSWER_REJECTED] =
		{OWN("FirmwareAnswerRejected", HEALTH_WARNING),
		 .text = "Firmware gave an answer that cannot be true: %1.",
		 .description = "Indicates that the host's firmware translated an address to one "
				"that the device cannot have.",
		 .argument = "The first such answer.",
		 .resolution = "Ask the machine's vendor for firmware with a sound PRM handler."},
	[REGISTRY_FIRMWARE_ERROR] =
		{OWN("FirmwareError", HEALTH_WARNING),
		 .text = "Firmware had an error for an address: %1.",
		 .description = "Indicates that the host's firmware could not translate an address "
				"that a memory device has.",
		 .argument = "The device, the address and the error.",
		 .resolution = "Look at the Oem property Firmware of each Memory for what is "
			       "affected."},

	[REGISTRY_MEDIA_NOT_READY] =
		{OWN("MediaNotReady", HEALTH_CRITICAL), .text = "The device's media is not ready.",
		 .description = "Indicates that the media of a memory device is not ready for use.",
		 .resolution = "Reset the device.  If that does not help, replace it."},
	[REGISTRY_WRITE_PERSISTENCY_LOST] =
		{OWN("WritePersistencyLost", HEALTH_CRITICAL),
		 .text = "The device can no longer persist writes.",
		 .description = "Indicates that a memory device can no longer persist what is "
				"written to it.  What was persisted is kept.",
		 .resolution = STOP_USING},
	[REGISTRY_ALL_DATA_LOST] =
		{OWN("AllDataLost", HEALTH_CRITICAL), .text = "All data in the device is lost.",
		 .description = "Indicates that all data in a memory device is lost.",
		 .resolution = "Restore the data from another place, and replace the device."},
	[REGISTRY_WRITE_PERSISTENCY_LOSS_ON_POWER_LOSS] =
		{OWN("WritePersistencyLossOnPowerLoss", HEALTH_WARNING),
		 .text = "The device will no longer persist writes after a loss of power.",
		 .description = "Indicates that a memory device will lose the ability to persist "
				"writes when power is lost.",
		 .resolution = SAVE_DATA},
	[REGISTRY_WRITE_PERSISTENCY_LOSS_ON_SHUTDOWN] =
		{OWN("WritePersistencyLossOnShutdown", HEALTH_WARNING),
		 .text = "The device will no longer persist writes after a shutdown.",
		 .description = "Indicates that a memory device will lose the ability to persist "
				"writes when the host is shut down.",
		 .resolution = SAVE_DATA},
	[REGISTRY_WRITE_PERSISTENCY_LOSS_IMMINENT] =
		{OWN("WritePersistencyLossImminent", HEALTH_CRITICAL),
		 .text = "The device is about to lose the ability to persist writes.",
		 .description = "Indicates that a memory device may lose the ability to persist "
				"writes at any time.",
		 .resolution = STOP_USING},
	[REGISTRY_ALL_DATA_LOSS_ON_POWER_LOSS] =
		{OWN("AllDataLossOnPowerLoss", HEALTH_WARNING),
		 .text = "The device will lose all data when power is lost.",
		 .description = "Indicates that a memory device will lose all data when power is "
				"lost.",
		 .resolution = SAVE_DATA},
	[REGISTRY_ALL_DATA_LOSS_ON_SHUTDOWN] =
		{OWN("AllDataLossOnShutdown", HEALTH_WARNING),
		 .text = "The device will lose all data when the host is shut down.",
		 .description =
			 "Indicates that a memory device will lose all data when the host is "
			 "shut down.",
		 .resolution = SAVE_DATA},
	[REGISTRY_ALL_DATA_LOSS_IMMINENT] =
		{OWN("AllDataLossImminent", HEALTH_CRITICAL),
		 .text = "The device is about to lose all data.",
		 .description = "Indicates that a memory device may lose all data at any time.",
		 .resolution = STOP_USING},

	[REGISTRY_MAINTENANCE_NEEDED] =
		{OWN("MaintenanceNeeded", HEALTH_WARNING), .text = "The device needs maintenance.",
		 .description = "Indicates that a memory device asks for maintenance.",
		 .resolution = "Do the maintenance that the device's vendor describes."},
	[REGISTRY_PERFORMANCE_DEGRADED] =
		{OWN("PerformanceDegraded", HEALTH_WARNING),
		 .text = "The device's performance has degraded.",
		 .description = "Indicates that the performance of a memory device has degraded.",
		 .resolution = LOOK_AT_METRICS},
	[REGISTRY_REPLACEMENT_NEEDED] =
		{OWN("ReplacementNeeded", HEALTH_CRITICAL),
		 .text = "The device needs to be replaced.",
		 .description = "Indicates that a memory device asks to be replaced.",
		 .resolution = STOP_USING},
	[REGISTRY_CAPACITY_DEGRADED] =
		{OWN("CapacityDegraded", HEALTH_WARNING),
		 .text = "The device's capacity has degraded.",
		 .description = "Indicates that a memory device has less capacity than it had.",
		 .resolution = "Plan to replace the device."},
	[REGISTRY_LIFE_USED_WARNING] =
		{OWN("LifeUsedWarning", HEALTH_WARNING),
		 .text = "The used part of the device's life is beyond its warning threshold.",
		 .description = "Indicates that a memory device is worn beyond the threshold at "
				"which it warns.",
		 .resolution = "Plan to replace the device."},
	[REGISTRY_LIFE_USED_CRITICAL] =
		{OWN("LifeUsedCritical", HEALTH_CRITICAL),
		 .text = "The used part of the device's life is beyond its critical threshold.",
		 .description = "Indicates that a memory device is at the end of its life.",
		 .resolution = STOP_USING},
	[REGISTRY_TEMPERATURE_WARNING] =
		{OWN("TemperatureWarning", HEALTH_WARNING),
		 .text = "The device's temperature is beyond a warning threshold.",
		 .description = "Indicates that the temperature of a memory device is above or "
				"below the thresholds at which it warns.",
		 .resolution = "Check the cooling of the device."},
	[REGISTRY_TEMPERATURE_CRITICAL] =
		{OWN("TemperatureCritical", HEALTH_CRITICAL),
		 .text = "The device's temperature is beyond a critical threshold.",
		 .description = "Indicates that the temperature of a memory device is above or "
				"below its critical thresholds.",
		 .resolution = "Check the cooling of the device."},
	[REGISTRY_CORRECTED_ERRORS_WARNING] =
		{OWN("CorrectedErrorsWarning", HEALTH_WARNING),
		 .text = "%1 is beyond the device's warning threshold.",
		 .description = "Indicates that a memory device corrected more errors than its "
				"warning threshold, the value of which is not known.",
		 .argument = "The property that counts the errors.", .resolution = LOOK_AT_METRICS},
	[REGISTRY_MORE_DEVICES] =
		{OWN("MoreDevices", HEALTH_WARNING),
		 .text = "Conditions exist in %1 more memory devices.",
		 .description = "Indicates that more memory devices have conditions than are "
				"listed one by one.",
		 .argument = "The number of those that are not listed.",
		 .resolution = "Look at the Status of each Memory."},
	[REGISTRY_DEVICE_NOT_ANSWERING] =
		{OWN("DeviceNotAnswering", HEALTH_WARNING), .text = "The device does not answer.",
		 .description = "Indicates that a memory device does not answer commands, so that "
				"what it would say of itself is not known.",
		 .resolution = "Look at the kernel's log for what the device waits for.  If that "
			       "does not help, reset the device."},

	[REGISTRY_WARNING_THRESHOLD_EXCEEDED] =
		{REGISTRY_RESOURCE_EVENT, HEALTH_WARNING, "ResourceWarningThresholdExceeded",
		 .text = "The resource property %1 has exceeded its warning threshold of value %2.",
		 .resolution = LOOK_AT_METRICS},
	[REGISTRY_CONDITION_IN_RELATED_RESOURCE] =
		{REGISTRY_BASE, HEALTH_WARNING, "ConditionInRelatedResource",
		 .text = "One or more conditions exist in a related resource.  See the "
			 "OriginOfCondition property.",
		 .resolution = "Look at the conditions of the resource that OriginOfCondition "
			       "names."},
};

const char *health_name(enum health health)
{
	static const char *const names[] = {"OK", "Warning", "Critical"};

	return names[health];
}

enum health registry_severity(enum registry_message id)
{
	return entries[id].severity;
}

void message_text(char *text, size_t size, const char *pattern, const char *const *args)
{
	size_t n = 0;

	for (const char *s = pattern; *s && n < size - 1; s++) {
		if (*s == '%') {
			const char *arg = args[*++s - '1'];
			size_t len = strnlen(arg, size - 1 - n);

			memcpy(text + n, arg, len);
			n += len;
		} else {
			text[n++] = *s;
		}
	}
	text[n] = '\0';
}

size_t message_n_args(const char *pattern)
{
	size_t n = 0;

	for (; *pattern; pattern++)
		n += *pattern == '%';
	return n;
}

void put_condition(const struct condition *c, struct json_writer *w)
{
	const struct entry *e = &entries[c->id];
	enum health severity = c->severity > e->severity ? c->severity : e->severity;
	char text[PUT_FORMAT_MAX];

	message_text(text, sizeof(text), e->text, c->args);
	put_object(w, NULL);
	put_format(w, "MessageId", "%s.%s", registries[e->registry].name, e->key);
	put_array(w, "MessageArgs");
	for (size_t i = 0; i < message_n_args(e->text); i++)
		put_string(w, NULL, c->args[i]);
	put_end(w);
	put_string(w, "Message", text);
	put_string(w, "Severity", health_name(severity));
	put_string(w, "Resolution", c->resolution ? c->resolution : e->resolution);
	if (c->origin)
		put_link(w, "OriginOfCondition", "%s", c->origin);
	put_end(w);
}

int enumerate_registries(const struct view *v, const struct resource_type *t,
			 struct resource_index *ix)
{
	int r = 0;

	(void)v;
	for (size_t i = 0; i < ARRAY_SIZE(registries) && r >= 0; i++)
		r = resource_add(ix, t, &registries[i], (const char *const[]){registries[i].id});
	return r;
}

void render_registry_file(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct registry *registry = r->object;

	(void)v;
	put_string(w, "Name", registry->title);
	put_string(w, "Registry", registry->name);
	put_array(w, "Languages");
	put_string(w, NULL, "en");
	put_end(w);
	put_array(w, "Location");
	put_object(w, NULL);
	put_string(w, "Language", "en");
	if (registry == &registries[REGISTRY_OWN])
		put_string(w, "Uri", URI_OWN_REGISTRY);
	else
		put_format(w, "PublicationUri", "https://redfish.dmtf.org/registries/%s.json",
			   registry->id);
	put_end(w);
	put_end(w);
}

/* "ParamTypes" and "ArgDescriptions" have one item for each argument; ours have one at most. */
static void put_argument(const struct entry *e, struct json_writer *w)
{
	put_number(w, "NumberOfArgs", message_n_args(e->text));
	if (!e->argument)
		return;
	put_array(w, "ParamTypes");
	put_string(w, NULL, "string");
	put_end(w);
	put_array(w, "ArgDescriptions");
	put_string(w, NULL, e->argument);
	put_end(w);
}

static void put_entry(const struct entry *e, struct json_writer *w)
{
	put_object(w, e->key);
	put_string(w, "Description", e->description);
	put_string(w, "Message", e->text);
	/* Deprecated, but still required by the schema. */
	put_string(w, "Severity", health_name(e->severity));
	put_string(w, "MessageSeverity", health_name(e->severity));
	put_argument(e, w);
	put_string(w, "Resolution", e->resolution);
	put_end(w);
}

void render_own_registry(const struct view *v, const struct resource *r, struct json_writer *w)
{
	(void)v;
	put_object(w, NULL);
	put_string(w, "@odata.type", r->type->odata_type);
	put_string(w, "Id", OWN_ID);
	put_string(w, "Name", registries[REGISTRY_OWN].title);
	put_string(w, "Description", "What may need attention in a host's CXL memory");
	put_string(w, "Language", "en");
	put_string(w, "RegistryPrefix", "CXLHost");
	put_string(w, "RegistryVersion", OWN_VERSION);
	put_string(w, "OwningEntity", PACKAGE_NAME);
	put_object(w, "Messages");
	for (size_t i = 0; i < ARRAY_SIZE(entries); i++)
		if (entries[i].registry == REGISTRY_OWN)
			put_entry(&entries[i], w);
	put_end(w);
	put_end(w);
}
