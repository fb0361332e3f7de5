// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/core/registry.h"

#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "events/event_advice.h"
#include "redfish/core/odata.h"
#include "redfish/core/registry_version.h"

static const struct registry registries[] = {
	{BASE_REGISTRY, BASE_REGISTRY ".1", "Base Message Registry"},
	{OWN_REGISTRY_NAME, OWN_REGISTRY_ID, "CXL Host Message Registry"},
	{"ResourceEvent.1.4", "ResourceEvent.1.4.3", "Resource Event Message Registry"},
	{TASK_EVENT_REGISTRY, TASK_EVENT_REGISTRY ".5", "Task Event Message Registry"},
	{"LogService.1.1", "LogService.1.1.0", "Log Service Message Registry"},
};

enum {
	REGISTRY_BASE,
	REGISTRY_OWN,
	REGISTRY_RESOURCE_EVENT,
	REGISTRY_TASK_EVENT,
	REGISTRY_LOG_SERVICE,
};

struct entry {
	unsigned int registry;
	enum health_level severity;
	const char *key;
	const char *text;
	const char *resolution; /* NULL for events, see events/event_advice.h */
	/* Members of our own messages only. */
	const char *message_id;
	const char *description;
	const char *arguments[REGISTRY_ARGS_MAX]; /* what %1, %2, … stand for */
};

#define OWN(key_, severity_)                                                                       \
	.registry = REGISTRY_OWN, .key = key_, .message_id = OWN_REGISTRY_NAME "." key_,           \
	.severity = severity_

#define TASK_EVENT(key_, severity_)                                                                \
	.registry = REGISTRY_TASK_EVENT, .key = key_, .severity = severity_, .resolution = "None."

/* Arguments of events. */
#define ARG_DEVICE                                                                                 \
	"The Id of the memory device, and in parentheses, where known, the kernel's name and PCI " \
	"address of it when it was recorded."
#define ARG_DPA	       "The device physical address, or unknown."
#define ARG_SPA	       "The system physical address, the interval that contains it, or unknown."
#define ARG_LOG	       "The device's log that contained the record."
#define ARG_PORT       "The port's PCI function."
#define ARG_PORT_ID    "The Id of the physical port."
#define ARG_SWITCH_LOG "The switch's log that contains the record."
#define ARG_STATUS     "The status register of the CXL RAS capability."
#define ARG_WORDS      "The event and its place in the device, in words, or unknown."
#define ARG_ERRORS     "The errors, in words, or unknown."
#define ARG_ADDRESS                                                                                \
	{                                                                                          \
		ARG_DEVICE, ARG_DPA, ARG_SPA, ARG_LOG, ARG_WORDS                                   \
	}
#define REPEAT "Look at the resource, and resubmit the request if it is still needed."
#define ARG_AMOUNT                                                                                 \
	{                                                                                          \
		"The number that was processed.", "The number of all.", "The kind of the objects." \
	}
#define ARG_OBJECT  "The kernel's name of the region, window or memory device."
#define ARG_USER    "The user, or - for a client that needs no login."
#define ARG_CLIENT  "The address of the client, or the user of a local socket."
#define ARG_SESSION "The URI of the session."
#define ARG_REQUEST                                                                                \
	{                                                                                          \
		"The HTTP method.", "The URI.", ARG_USER, ARG_CLIENT,                              \
			"The HTTP status, and the MessageId or the Location of the answer."        \
	}
#define WATCH	     EVENT_ADVICE_WATCH
#define TO_DO	     "See ActText and ActReason of the incident."
#define ARG_INCIDENT "The number of the incident, which is the Id of its LogEntry."
#define ARG_INCIDENT_DEVICE                                                                        \
	"The Id of the Memory, with its kernel's name and its slot as far as they are known."
#define ARG_OF_INCIDENT                                                                            \
	ARG_INCIDENT_DEVICE, "How many errors it had, and of which kind.",                         \
		"The place of the fault, as the incident has it."
#define ARG_ACT		  "The act, as an order."
#define ARG_PAGE_DECISION "The page, and whether it is taken out of use, or why not."
#define ARG_END		  "The reason: resolved, or why it was closed."
#define INCIDENT_IS_NEW	  "Indicates that a device had an event that belongs to no open incident."
#define PAGE_IS_NOT_SO                                                                             \
	"Indicates that Linux was asked to take a page of memory out of use, or to bring it back, and that the page, or its alias, is not as it was asked for."
#define INCIDENT_IS_WORSE                                                                          \
	"Indicates that the severity of an incident rose, its place became wider, or more is to be done about it.  It is sent at most once a minute for each incident."

static const struct entry entries[REGISTRY_MESSAGES] = {
	[REGISTRY_SANITIZING] =
		{
			OWN("Sanitizing", HEALTH_OK),
			.text = "The device erases its contents; its memory cannot be used until it has ended.",
			.description =
				"Indicates that a memory device carries out a sanitize operation.",
			.resolution = "Wait for its end.",
		},

	[REGISTRY_MORE_DEVICES] =
		{
			OWN("MoreDevices", HEALTH_WARNING),
			.text = "Number of further devices with conditions, which are not listed here: %1.",
			.description = "Indicates that not all devices with conditions are listed.",
			.arguments = {"The number of devices."},
			.resolution = "See the Status of each Memory.",
		},

	[REGISTRY_STATUS_NOT_KNOWN] =
		{
			OWN("StatusNotKnown", HEALTH_WARNING),
			.text = "The %2 of resource '%1' is not known any more.",
			.description =
				"Indicates that a property of the Status of a resource had a value, and has none now, because it could not be read.  The earlier value is not valid any more.",
			.arguments = {"The URI of the resource.",
				      "The name of the property: Health, HealthRollup or State."},
			.resolution =
				"Read the resource.  If the property stays absent, look in the Status of the Manager and in the service's journal for what cannot be read.",
		},

	[REGISTRY_GENERAL_MEDIA_EVENT] =
		{
			OWN("GeneralMediaEvent", HEALTH_WARNING),
			.text = "%1 logged a general media event at device address %2, system address %3, in its %4 log: %5.",
			.description = "Indicates a CXL general media event record.",
			.arguments = ARG_ADDRESS,
		},
	[REGISTRY_DRAM_EVENT] =
		{
			OWN("DRAMEvent", HEALTH_WARNING),
			.text = "%1 logged a DRAM event at device address %2, system address %3, in its %4 log: %5.",
			.description = "Indicates a CXL DRAM event record.",
			.arguments = ARG_ADDRESS,
		},
	[REGISTRY_MEMORY_MODULE_EVENT] =
		{
			OWN("MemoryModuleEvent", HEALTH_WARNING),
			.text = "%1 logged a change of its health in its %2 log: %3.",
			.description = "Indicates a CXL memory module event record.",
			.arguments = {ARG_DEVICE, ARG_LOG, ARG_WORDS},
		},
	[REGISTRY_MEMORY_SPARING_EVENT] =
		{
			OWN("MemorySparingEvent", HEALTH_OK),
			.text = "%1 logged in its %2 log that it replaced a part of its memory by spare memory, or tried to: %3.",
			.description = "Indicates a CXL memory sparing event record.",
			.arguments = {ARG_DEVICE, ARG_LOG, ARG_WORDS},
		},
	[REGISTRY_GENERIC_EVENT] =
		{
			OWN("UnknownRecord", HEALTH_WARNING),
			.text = "%1 logged a record of type %2, which the kernel does not decode, in its %3 log.",
			.description =
				"Indicates a record of a CXL event log of a type that the kernel does not know.",
			.arguments = {ARG_DEVICE, "The UUID of the record's type, or unknown.",
				      ARG_LOG},
		},
	[REGISTRY_POISON_EVENT] =
		{
			OWN("PoisonEvent", HEALTH_WARNING),
			.text = "%1 has poison at device address %2, system address %3: %4.",
			.description =
				"Indicates an address that is in the device's poison list, or at which poison was injected on request.",
			.arguments =
				{ARG_DEVICE, ARG_DPA, ARG_SPA,
				 "Whether it was read from the device's poison list or injected on request, or unknown; then its source and flags."},
		},
	[REGISTRY_POISON_CLEARED] =
		{
			OWN("PoisonCleared", HEALTH_OK),
			.text = "Poison of %1 at device address %2, system address %3, was cleared on request.",
			.description =
				"Indicates that poison was cleared.  Earlier entries about a range that is cleared completely are resolved.",
			.arguments = {ARG_DEVICE, ARG_DPA, ARG_SPA},
		},
	[REGISTRY_LOG_OVERFLOW] =
		{
			OWN("LogOverflow", HEALTH_WARNING),
			.text = "The %2 log of %1 overflowed.  Number of lost records: %3.",
			.description = "Indicates that an event log of a device was full.",
			.arguments = {ARG_DEVICE, ARG_LOG, "The number of records, or unknown."},
		},
	[REGISTRY_CORRECTABLE_ERROR] =
		{
			OWN("CorrectableError", HEALTH_WARNING),
			.text = "The CXL link of %1 had correctable errors: %3 (status %2).",
			.description = "Indicates correctable CXL protocol errors of a device.",
			.arguments = {ARG_DEVICE, ARG_STATUS, ARG_ERRORS},
		},
	[REGISTRY_UNCORRECTABLE_ERROR] =
		{
			OWN("UncorrectableError", HEALTH_CRITICAL),
			.text = "The CXL link of %1 had uncorrectable errors: %3 (status %2).",
			.description = "Indicates uncorrectable CXL protocol errors of a device.",
			.arguments = {ARG_DEVICE, ARG_STATUS, ARG_ERRORS},
		},
	[REGISTRY_PORT_CORRECTABLE_ERROR] =
		{
			OWN("PortCorrectableError", HEALTH_WARNING),
			.text = "The CXL port %1 had correctable errors: %3 (status %2).",
			.description = "Indicates correctable CXL protocol errors of a port.",
			.arguments = {ARG_PORT, ARG_STATUS, ARG_ERRORS},
		},
	[REGISTRY_PORT_UNCORRECTABLE_ERROR] =
		{
			OWN("PortUncorrectableError", HEALTH_CRITICAL),
			.text = "The CXL port %1 had uncorrectable errors: %3 (status %2).",
			.description = "Indicates uncorrectable CXL protocol errors of a port.",
			.arguments = {ARG_PORT, ARG_STATUS, ARG_ERRORS},
		},
	[REGISTRY_OTHER_EVENT] =
		{
			OWN("OtherEvent", HEALTH_WARNING),
			.text = "The kernel reported the event %1 for %2.",
			.description =
				"Indicates an event of the kernel's CXL drivers that this service does not know.",
			.arguments = {"The kernel's name of the event.",
				      "The device as in other messages, or unknown."},
		},
	[REGISTRY_RECORDS_LOST] =
		{
			OWN("RecordsLost", HEALTH_WARNING),
			.text = "Records were lost in %1 before they could be stored.  Number of lost records: %2.",
			.description =
				"Indicates that the kernel's trace ring or a queue of the service was full.",
			.arguments = {"The trace ring of a CPU, or the queue of the service.",
				      "The number of records, or unknown."},
		},
	[REGISTRY_RECORDS_LOST_AT_END] =
		{
			OWN("RecordsLostAtEnd", HEALTH_WARNING),
			.text = "%1 records of CPU %2 were lost when the service ended.",
			.description =
				"Indicates that the kernel gave records to the service, which ended before it had stored them, or to another reader of its trace instance while the service did not run.",
			.arguments = {"The number of records.", "The number of the CPU."},
		},
	[REGISTRY_ENTRIES_UNREADABLE] =
		{
			OWN("EntriesUnreadable", HEALTH_WARNING),
			.text = "Entries of the log cannot be read, because its file is damaged.  Their number is at most %1.",
			.description =
				"Indicates entries that were stored and cannot be read any more.  This entry has the place of the first of them.",
			.arguments = {"The number of entries, or unknown."},
		},

	[REGISTRY_INCIDENT] =
		{
			OWN("Incident", HEALTH_WARNING),
			.text = "%1 had %2; place: %3.",
			.description = "Indicates events of one device that belong together.",
			.arguments = {ARG_OF_INCIDENT},
			.resolution = TO_DO,
		},
	[REGISTRY_INCIDENT_OPENED] =
		{
			OWN("IncidentOpened", HEALTH_WARNING),
			.text = "Incident %1 of %2 was opened: %3; place: %4.",
			.description = INCIDENT_IS_NEW,
			.arguments = {ARG_INCIDENT, ARG_OF_INCIDENT},
			.resolution = TO_DO,
		},
	[REGISTRY_INCIDENT_WORSENED] =
		{
			OWN("IncidentWorsened", HEALTH_WARNING),
			.text = "Incident %1 of %2 became worse: %3; place: %4; to do: %5.",
			.description = INCIDENT_IS_WORSE,
			.arguments = {ARG_INCIDENT, ARG_OF_INCIDENT, ARG_ACT},
			.resolution = TO_DO,
		},
	[REGISTRY_INCIDENT_CLOSED] =
		{
			OWN("IncidentClosed", HEALTH_OK),
			.text = "Incident %1 of %2 has ended: %3.",
			.description = "Indicates that an incident was resolved or closed.",
			.arguments = {ARG_INCIDENT, ARG_INCIDENT_DEVICE, ARG_END},
			.resolution = "None.",
		},
	[REGISTRY_INCIDENT_PAGE] =
		{
			OWN("IncidentPage", HEALTH_WARNING),
			.text = "Incident %1 of %2: %3.",
			.description =
				"Indicates a decision of the page policy, or who is on a page when an incident becomes critical.",
			.arguments = {ARG_INCIDENT, ARG_INCIDENT_DEVICE, ARG_PAGE_DECISION},
			.resolution = TO_DO,
		},

	[REGISTRY_SWITCH_PORT_EVENT] =
		{
			OWN("SwitchPortEvent", HEALTH_OK),
			.text = "Port %1 of the switch reported %2, in the %3 log of the switch.",
			.description = "Indicates a CXL physical switch event record.",
			.arguments = {ARG_PORT_ID, "The event, in words.", ARG_SWITCH_LOG},
			.resolution = "See the Port.",
		},
	[REGISTRY_VIRTUAL_SWITCH_EVENT] =
		{
			OWN("VirtualSwitchEvent", HEALTH_OK),
			.text = "vPPB %1 of virtual switch %2 reported %3, in the %4 log of the switch.",
			.description = "Indicates a CXL virtual switch event record.",
			.arguments = {"The number of the vPPB.", "The Id of the virtual switch.",
				      "The event, in words.", ARG_SWITCH_LOG},
			.resolution = "See the VirtualPCI2PCIBridge.",
		},
	[REGISTRY_MLD_PORT_EVENT] =
		{
			OWN("MLDPortEvent", HEALTH_WARNING),
			.text = "The multi-logical device on port %1 of the switch sent a message about: %2.  The record is in the %3 log of the switch.",
			.description = "Indicates a CXL MLD port event record.",
			.arguments = {ARG_PORT_ID, "The kind of the error.", ARG_SWITCH_LOG},
			.resolution = WATCH,
		},
	[REGISTRY_SWITCH_RECORD] =
		{
			OWN("UnknownSwitchRecord", HEALTH_WARNING),
			.text = "The switch has a record of type %1, which this service does not decode, in its %2 log.",
			.description =
				"Indicates a record of the event log of a switch of a type that this service does not know.",
			.arguments = {"The UUID of the record's type.", ARG_SWITCH_LOG},
			.resolution = "Ask the switch's vendor what the record means.",
		},

	[REGISTRY_PROPERTY_TOO_LONG] =
		{
			OWN("PropertyTooLong", HEALTH_WARNING),
			.text = "The value of the property %1 has %2 bytes; at most %3 are possible.",
			.description =
				"Indicates that the value of a property is longer than the service accepts.",
			.arguments = {"The name of the property.",
				      "The number of bytes of the value.",
				      "The largest possible number."},
			.resolution = "Shorten the value of the property and resubmit the request.",
		},
	[REGISTRY_SUBSCRIPTION_TOO_LONG] =
		{
			OWN("SubscriptionTooLong", HEALTH_WARNING),
			.text = "The subscription has %1 bytes; at most %2 are possible.",
			.description =
				"Indicates that the properties of an event subscription, as the service keeps them, are longer than it accepts.",
			.arguments = {"The number of bytes of the subscription.",
				      "The largest possible number."},
			.resolution =
				"Remove or shorten properties of the subscription and resubmit the request.",
		},
	[REGISTRY_SUBSCRIPTIONS_TOO_LONG] =
		{
			OWN("SubscriptionsTooLong", HEALTH_CRITICAL),
			.text = "With this change all subscriptions together have %1 bytes; at most %2 are possible.",
			.description =
				"Indicates that the properties of all event subscriptions together would be longer than the service accepts.",
			.arguments = {"The number of bytes of all subscriptions.",
				      "The largest possible number."},
			.resolution =
				"Delete or shorten other subscriptions and resubmit the request.",
		},
	[REGISTRY_EVENTS_NOT_DELIVERABLE] =
		{
			OWN("EventsNotDeliverable", HEALTH_CRITICAL),
			.text = "The service cannot post events to subscribers: %1.",
			.description =
				"Indicates that the program that posts events cannot be run.",
			.arguments = {"Why it cannot be run."},
			.resolution =
				"Resolve the cause named in the message and resubmit the request, or use the stream of server-sent events.",
		},
	[REGISTRY_SUBSCRIPTION_DISABLED] =
		{
			OWN("SubscriptionDisabled", HEALTH_WARNING),
			.text = "The service delivers no events to this subscription: %1.",
			.description =
				"Indicates that the service has disabled a subscription because it is not allowed any more.",
			.arguments = {"Why it is not allowed."},
			.resolution =
				"Resolve the cause named in the message and resume the subscription, or delete it.",
		},
	[REGISTRY_DESTINATION_NOT_ALLOWED] =
		{
			OWN("DestinationNotAllowed", HEALTH_WARNING),
			.text = "Events cannot be posted to %1: the address %2 is not allowed by the key push-allow of the configuration.",
			.description =
				"Indicates that the destination of a subscription is at an address to which events may not be posted.",
			.arguments = {"The URL of the destination.", "The address."},
			.resolution =
				"Subscribe another destination, or have the address added to push-allow.",
		},
	[REGISTRY_TEST_EVENT_NOT_DELIVERED] =
		{
			OWN("TestEventNotDelivered", HEALTH_WARNING),
			.text = "Number of subscriptions that the test event was not delivered to: %1.  The first of them is %2: %3.",
			.description =
				"Indicates that subscribers have not accepted a test event.  They get it later, as their DeliveryRetryPolicy says.",
			.arguments = {"The number of subscriptions.",
				      "The Id of the first of them.",
				      "Why it was not delivered to this one."},
			.resolution =
				"Check that the Destination of the subscription is reachable from this host and accepts POST requests.",
		},
	[REGISTRY_NOT_CHANGEABLE] =
		{
			OWN("NotChangeable", HEALTH_WARNING),
			.text = "The resource cannot be changed: %1.",
			.description =
				"Indicates that a resource that could be changed elsewhere cannot be changed here.",
			.arguments = {"Why it cannot be changed."},
			.resolution =
				"Resolve the cause named in the message, if that is possible.",
		},
	[REGISTRY_MEMORY_IN_USE] =
		{
			OWN("MemoryInUse", HEALTH_WARNING),
			.text = "The change would take memory from a host that uses it: %1.",
			.description =
				"Indicates that a change of the fabric was rejected because of the memory that it would take from a host.",
			.arguments = {"The users of the memory, as far as they are known."},
			.resolution =
				"Release the memory on the host that uses it and resubmit the request.  An Administrator can force the change.",
		},
	[REGISTRY_SWITCH_CHANGE_FAILED] =
		{
			OWN("SwitchChangeFailed", HEALTH_WARNING),
			.text = "The change by the switch %1 was not made or not verified: %2.",
			.description =
				"Indicates that a switch, or a device behind it, did not make a change, or that its result is not known.",
			.arguments = {"The PCI address of the switch's mailbox.", "Why."},
			.resolution =
				"Look at the resource, and resubmit the request if it is still needed.",
		},
	[REGISTRY_CHANGE_REFUSED] =
		{
			OWN("ChangeRefused", HEALTH_WARNING),
			.text = "The change was refused: %1.",
			.description =
				"Indicates that a change of the host's CXL memory was refused before anything was changed.",
			.arguments = {"The change, and the cause."},
			.resolution =
				"Resolve the cause named in the message and resubmit the request.",
		},
	[REGISTRY_CHANGE_UNDONE] =
		{
			OWN("ChangeUndone", HEALTH_WARNING),
			.text = "The change failed and was undone: %1.",
			.description =
				"Indicates that a step of a change of the host's CXL memory failed, and that what was changed before is as it was.",
			.arguments = {"The change, the step that failed, and the cause."},
			.resolution =
				"Resolve the cause named in the message and resubmit the request.",
		},
	[REGISTRY_CHANGE_INCOMPLETE] =
		{
			OWN("ChangeIncomplete", HEALTH_CRITICAL),
			.text = "The change failed, and not all of it could be undone: %1.",
			.description =
				"Indicates that a step of a change of the host's CXL memory failed, and that a part of it is left.",
			.arguments =
				{"The change, the step that failed, the cause, and the part that is left."},
			.resolution =
				"See the Conditions of the resource.  Resubmit the request, or delete what is left.",
		},
	[REGISTRY_CHANGE_UNKNOWN] =
		{
			OWN("ChangeUnknown", HEALTH_WARNING),
			.text = "It is not known whether the change was made: %1.",
			.description =
				"Indicates that a change of the host's CXL memory was requested, and that no result of it was received.",
			.arguments = {"The change, and why its result is not known."},
			.resolution = REPEAT,
		},
	[REGISTRY_CHANGE_IN_PROGRESS] =
		{
			OWN("ChangeInProgress", HEALTH_WARNING),
			.text = "%1 is being changed by another request: %2.",
			.description =
				"Indicates that a change of the host's CXL memory was refused because another one of the same object has not ended.",
			.arguments = {ARG_OBJECT, "The change of the other request."},
			.resolution =
				"Wait until the other change has ended, see the tasks; then look at the resource, and resubmit the request if it is still needed.",
		},
	[REGISTRY_UPLOAD_REFUSED] =
		{
			OWN("UploadRefused", HEALTH_WARNING),
			.text = "The body was refused: %1.",
			.description =
				"Indicates that the body of a multipart HTTP push update could not be received.",
			.arguments = {"Why it was refused."},
			.resolution =
				"Resolve the cause named in the message, and resubmit the request.",
		},
	[REGISTRY_FIRMWARE_WRITTEN] =
		{
			OWN("FirmwareWritten", HEALTH_OK),
			.text = "A firmware image was written to %1: %2.",
			.description = "Indicates that a device has received a firmware image.",
			.arguments = {"The name of the device.",
				      "The slot of the image, and when it is in force."},
			.resolution = "None.",
		},
	[REGISTRY_RAW_COMMAND_SENT] =
		{
			OWN("RawCommandSent", HEALTH_OK),
			.text = "A raw command was sent to %1: %2.",
			.description =
				"Indicates that a device was changed by a command that Linux has no name for.",
			.arguments = {"The name of the device.", "The effects of the command."},
			.resolution =
				"None.  The first raw command since the start of the kernel taints it (W).",
		},
	[REGISTRY_MEDIA_SCANNED] =
		{
			OWN("MediaScanned", HEALTH_OK),
			.text = "The media of %1 was scanned: %2.",
			.description =
				"Indicates that a memory device has scanned its media for poison.",
			.arguments = {"The name of the device.", "The poison that was found."},
			.resolution =
				"Look at the entries of the log of the device, if there are any.",
		},
	[REGISTRY_PAGES_MAY_RETURN] =
		{
			OWN("PagesMayReturn", HEALTH_OK),
			.text = "A place of %1 was repaired, and pages of it are to stay out of use, at DPA %2.",
			.description =
				"Indicates that pages, which were taken out of use for errors at a place that is repaired now, may be brought back.",
			.arguments = {"The name of the device.",
				      "The first device physical address of each page."},
			.resolution =
				"Bring each of them back with the action CXLHostMemory.OnlinePage of the device, or cxl-spa page online, if the repair is trusted.",
		},
	[REGISTRY_PAGE_STAYS_OUT] =
		{
			OWN("PageStaysOut", HEALTH_OK),
			.text = "Entry %1 is resolved, but its page is still out of use.  %2",
			.description =
				"Indicates that a page of memory could not be brought back into use in this boot.",
			.arguments = {"The Id of the entry.",
				      "When the page is in use again, and why not now."},
			.resolution = "None.",
		},
	[REGISTRY_PAGE_FAILED] =
		{
			OWN("PageFailed", HEALTH_WARNING),
			.text = "The page is not in the requested state: %1.",
			.description = PAGE_IS_NOT_SO,
			.arguments = {"The device, the page with its state, and the reason."},
			.resolution =
				"See the entry of the page in the log HardwareIsolation, and the use of the page by DescribePage.",
		},
	[REGISTRY_PAGES_OUT_OF_USE] =
		{
			OWN("PagesOutOfUse", HEALTH_WARNING),
			.text = "%1 had %2.",
			.description =
				"Indicates that memory was taken out of its present use while pages of it were out of use.",
			.arguments =
				{"The name of the region.",
				 "The pages, by what is remembered, and what becomes of them."},
			.resolution =
				"See the log HardwareIsolation, and the state of the memory blocks.",
		},
	[REGISTRY_DIAGNOSTICS_NOT_AVAILABLE] =
		{
			OWN("DiagnosticDataNotAvailable", HEALTH_WARNING),
			.text = "The diagnostic data is not available: %1.",
			.description =
				"Indicates that diagnostic data was not collected, or cannot be downloaded.",
			.arguments = {"Why it is not available."},
			.resolution =
				"Resolve the cause named in the message, and collect it again.",
		},

	[REGISTRY_AUDIT_CHANGE] =
		{
			OWN("RequestCompleted", HEALTH_OK),
			.text = "%1 of %2 by %3 from %4: %5.",
			.description = "Indicates a request of a client that was accepted.",
			.arguments = ARG_REQUEST,
			.resolution = "None.",
		},
	[REGISTRY_AUDIT_REJECTED] =
		{
			OWN("RequestRejected", HEALTH_WARNING),
			.text = "%1 of %2 by %3 from %4 was rejected: %5.",
			.description =
				"Indicates a request of a client that was rejected, or failed.",
			.arguments = ARG_REQUEST,
			.resolution = "Check that the user may make the request.",
		},
	[REGISTRY_AUDIT_LOGIN] =
		{
			OWN("LoggedIn", HEALTH_OK),
			.text = "%1 logged in from %2 by %3.",
			.description =
				"Indicates a login without a session.  Further requests with the same credentials have no entry for an hour.",
			.arguments = {ARG_USER, ARG_CLIENT,
				      "The means, as password or certificate."},
			.resolution = "None.",
		},
	[REGISTRY_AUDIT_LOGIN_FAILED] =
		{
			OWN("LoginFailed", HEALTH_WARNING),
			.text = "Logins to the account %1 from %2 failed.  Their number is %3.",
			.description = "Indicates that credentials were rejected.",
			.arguments =
				{"The name of the account, or - if there is none of the name that was sent.",
				 ARG_CLIENT, "The number of logins since the last such entry."},
			.resolution = "Check that it is a user who tries to log in.",
		},
	[REGISTRY_AUDIT_SESSION_CREATED] =
		{
			OWN("SessionCreated", HEALTH_OK),
			.text = "The session %1 was created by %2 from %3.",
			.description = "Indicates a login that created a session.",
			.arguments = {ARG_SESSION, ARG_USER, ARG_CLIENT},
			.resolution = "None.",
		},
	[REGISTRY_AUDIT_SESSION_ENDED] =
		{
			OWN("SessionEnded", HEALTH_OK),
			.text = "The session %1 of %2 from %3 ended: %4.",
			.description =
				"Indicates the end of a session for another reason than a request.",
			.arguments = {ARG_SESSION, ARG_USER, ARG_CLIENT, "Why it ended."},
			.resolution = "None.",
		},
	[REGISTRY_AUDIT_LOCKED_OUT] =
		{
			OWN("AccountLockedOut", HEALTH_WARNING),
			.text = "The account %1 is locked out for clients at %2.",
			.description = "Indicates that too many logins failed.",
			.arguments = {"The name of the account.", ARG_CLIENT},
			.resolution = "Check that it is a user who tries to log in.",
		},
	[REGISTRY_AUDIT_CONFIGURATION] =
		{
			OWN("ConfigurationReloaded", HEALTH_OK),
			.text = "The configuration was read again: %1.",
			.description =
				"Indicates that the service has read its configuration on request.",
			.arguments = {"The result."},
			.resolution = "None.",
		},
	[REGISTRY_AUDIT_LOST] =
		{
			OWN("AuditRecordsLost", HEALTH_CRITICAL),
			.text = "Records of the audit log were lost.  Their number is %1: %2.",
			.description = "Indicates that records could not be stored.",
			.arguments = {"The number of records.", "Why, or - if it is not known."},
			.resolution = "See the log of the service, which has a line for each.",
		},
	[REGISTRY_AUDIT_DECISION] =
		{
			OWN("PageDecision", HEALTH_OK),
			.text = "The page policy has decided because of the incident %1: %2.",
			.description =
				"Indicates a decision of the page policy about a page, whether it was taken out of use or not.",
			.arguments = {"The URI of the LogEntry of the incident.",
				      "The page, the outcome, and its reason."},
			.resolution = "See the incident, and the log HardwareIsolation.",
		},
	[REGISTRY_AUDIT_UNAVAILABLE] =
		{
			OWN("AuditLogUnavailable", HEALTH_CRITICAL),
			.text = "Records of the audit log cannot be stored: %1.",
			.description = "Indicates that the audit log cannot be written.",
			.arguments = {"Why it cannot be written."},
			.resolution =
				"Resolve the cause named in the message.  Until then, records are queued in memory, up to a limit.",
		},
	[REGISTRY_AUDIT_INCOMPLETE] =
		{
			OWN("AuditLogIncomplete", HEALTH_WARNING),
			.text = "Records of the audit log were lost.  Their number is %1.",
			.description =
				"Indicates that records could not be stored since the service was started or the log was cleared.",
			.arguments = {"The number of records."},
			.resolution = "See the log of the service, which has a line for each.",
		},
	[REGISTRY_ACCOUNTS_NOT_WRITABLE] =
		{
			OWN("AccountsNotWritable", HEALTH_WARNING),
			.text = "Accounts and their policy cannot be changed: the service has no state directory to keep them in.",
			.description =
				"Indicates that the service was started without a state directory, so that its only account is that of its options.",
			.resolution = "Start cxl-redfishd with --state DIRECTORY.",
		},
	[REGISTRY_NO_ACCOUNT] =
		{
			OWN("NoAccount", HEALTH_WARNING),
			.text = "Nobody can log in: the service has no account.",
			.description =
				"Indicates that a login failed because there is no account at all.",
			.resolution =
				"Create an account as root on the Unix socket of the service, with a POST to its collection Accounts.",
		},
	[REGISTRY_LAST_ADMINISTRATOR] =
		{
			OWN("LastAdministrator", HEALTH_WARNING),
			.text = "The change would leave no account that is enabled, not locked and has the role Administrator.",
			.description =
				"Indicates that a change was rejected after which accounts could no longer be managed.",
			.resolution = "Create another account with the role Administrator first.",
		},
	[REGISTRY_PASSWORD_NOT_CHANGED] =
		{
			OWN("PasswordNotChanged", HEALTH_WARNING),
			.text = "The password is the one that must be changed.",
			.description =
				"Indicates that an account whose password must be changed was to get the same password again.",
			.resolution = "Choose another password and resubmit the request.",
		},
	[REGISTRY_CERTIFICATE_REJECTED] =
		{
			OWN("CertificateRejected", HEALTH_WARNING),
			.text = "The certificate, or the request for one, is not accepted: %1.",
			.description =
				"Indicates that a certificate cannot be used, or that a request for one cannot be made.",
			.arguments = {"The reason."},
			.resolution = "Correct what the reason names and resubmit the request.",
		},

	[REGISTRY_TASK_PROGRESS] =
		{
			OWN("TaskProgress", HEALTH_OK),
			.text = "%1 of %2 %3 were processed.",
			.description = "Indicates how much of a task is done.",
			.arguments = ARG_AMOUNT,
			.resolution = "None.",
		},
	[REGISTRY_TASK_INTERRUPTED] =
		{
			OWN("TaskInterrupted", HEALTH_WARNING),
			.text = "The service ended while the task was under way.  At least %1 of %2 %3 were processed, and the others may not have been.",
			.description =
				"Indicates a task that ended with the service, and how much of it was done.",
			.arguments = ARG_AMOUNT,
			.resolution = REPEAT,
		},
	[REGISTRY_TASK_RESULT_UNKNOWN] =
		{
			OWN("TaskResultUnknown", HEALTH_WARNING),
			.text = "The service ended while the task was under way.  The change may have been made or not.",
			.description = "Indicates a task that ended with the service.",
			.resolution = REPEAT,
		},
	[REGISTRY_TASK_NOT_BEGUN] =
		{
			OWN("TaskNotBegun", HEALTH_WARNING),
			.text = "The service ended before the task was begun.  Nothing was changed.",
			.description = "Indicates a task that was waiting when the service ended.",
			.resolution = "Resubmit the request.",
		},
	[REGISTRY_SUB_TASK_NOT_BEGUN] =
		{
			OWN("SubTaskNotBegun", HEALTH_WARNING),
			.text = "%1 was not changed, because the task ended before.",
			.description =
				"Indicates an object of a task that had failed, or was cancelled, before it was begun.",
			.arguments = {"The name of the object."},
			.resolution = "Look at the task, and resubmit the request.",
		},
	[REGISTRY_TASK_NOT_CANCELLABLE] =
		{
			OWN("TaskNotCancellable", HEALTH_WARNING),
			.text = "The task with Id %1 cannot be cancelled while it is running.",
			.description =
				"Indicates a request to delete a task that is running and cannot be ended early.",
			.arguments = {"The Id of the task."},
			.resolution = "Wait for the end of the task.",
		},

	[REGISTRY_TASK_STARTED] =
		{
			TASK_EVENT("TaskStarted", HEALTH_OK),
			.text = "The task with Id '%1' has started.",
		},
	[REGISTRY_TASK_COMPLETED] =
		{
			TASK_EVENT("TaskCompletedOK", HEALTH_OK),
			.text = "The task with Id '%1' has completed.",
		},
	[REGISTRY_TASK_ABORTED] =
		{
			TASK_EVENT("TaskAborted", HEALTH_CRITICAL),
			.text = "The task with Id '%1' has completed with errors.",
		},
	[REGISTRY_TASK_CANCELLED] =
		{
			TASK_EVENT("TaskCancelled", HEALTH_WARNING),
			.text = "Work on the task with Id '%1' was halted prior to completion due to an explicit request.",
		},
	[REGISTRY_TASK_REMOVED] =
		{
			TASK_EVENT("TaskRemoved", HEALTH_WARNING),
			.text = "The task with Id '%1' was removed.",
		},
	[REGISTRY_TASK_PROGRESS_CHANGED] =
		{
			TASK_EVENT("TaskProgressChanged", HEALTH_OK),
			.text = "The task with Id '%1' has changed to progress %2 percent complete.",
		},
	[REGISTRY_DIAGNOSTICS_COLLECTED] =
		{
			REGISTRY_LOG_SERVICE,
			HEALTH_OK,
			"DiagnosticDataCollected",
			.text = "'%1' diagnostic data collected.",
			.resolution = "None.",
		},
	[REGISTRY_CONDITION_IN_RELATED_RESOURCE] =
		{
			REGISTRY_BASE,
			HEALTH_WARNING,
			"ConditionInRelatedResource",
			.text = "One or more conditions exist in a related resource.  See the OriginOfCondition property.",
			.resolution =
				"See the conditions of the resource that OriginOfCondition names.",
		},
};

enum health_level registry_severity(enum registry_message id)
{
	return entries[id].severity;
}

bool message_id_matches(const char *text, size_t len, const char *id)
{
	const char *key = memrchr(text, '.', len), *id_key = strrchr(id, '.');
	size_t prefix = strcspn(id, ".");
	size_t key_len;

	if (!key || !id_key)
		return strlen(id) == len && memcmp(text, id, len) == 0;
	key_len = len - (size_t)(key - text);
	return prefix < len && text[prefix] == '.' && memcmp(text, id, prefix) == 0 &&
	       strlen(id_key) == key_len && memcmp(key, id_key, key_len) == 0;
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

const char *registry_message_id(enum registry_message id)
{
	return entries[id].message_id;
}

const char *registry_key(enum registry_message id)
{
	return entries[id].key;
}

const char *registry_text(enum registry_message id)
{
	return entries[id].text;
}

/* The resolution of an event is also shown by cxl-spa. */
const char *registry_resolution(enum registry_message id)
{
	const int type = (int)id - (int)REGISTRY_GENERAL_MEDIA_EVENT;
	const char *advice;

	if (type < 0 || type >= EVENT_TYPES)
		return entries[id].resolution;
	advice = event_type_advice((enum event_type)type);
	return advice ? advice : "None.";
}

static void put_message_of(const char *registry, const char *key, const char *pattern,
			   const char *const *args, struct json_writer *w)
{
	char text[PUT_FORMAT_MAX];

	message_text(text, sizeof(text), pattern, args);
	put_format(w, "MessageId", "%s.%s", registry, key);
	put_array(w, "MessageArgs");
	for (size_t i = 0; i < message_n_args(pattern); i++)
		put_string(w, NULL, args[i]);
	put_end(w);
	put_string(w, "Message", text);
}

void put_own_message(const char *key, const char *pattern, const char *const *args,
		     struct json_writer *w)
{
	put_message_of(OWN_REGISTRY_NAME, key, pattern, args, w);
}

void put_registry_message(enum registry_message id, const char *const *args, struct json_writer *w)
{
	const struct entry *e = &entries[id];

	put_message_of(registries[e->registry].name, e->key, e->text, args, w);
}

void put_condition(const struct condition *c, struct json_writer *w)
{
	const struct entry *e = &entries[c->id];
	enum health_level severity = c->severity > e->severity ? c->severity : e->severity;

	put_object(w, NULL);
	put_string(w, "Timestamp", c->timestamp);
	put_registry_message(c->id, c->args, w);
	put_string(w, "Severity", health_name(severity));
	put_string(w, "Resolution", c->resolution ? c->resolution : registry_resolution(c->id));
	if (c->origin)
		put_link(w, "OriginOfCondition", "%s", c->origin);
	if (c->log_entry)
		put_link(w, "LogEntry", "%s", c->log_entry);
	put_end(w);
}

/* "ParamTypes" and "ArgDescriptions" have one item for each argument. */
static void put_arguments(const struct registry_entry *e, struct json_writer *w)
{
	size_t n = message_n_args(e->text);

	put_number(w, "NumberOfArgs", n);
	if (n == 0)
		return;
	put_array(w, "ParamTypes");
	for (size_t i = 0; i < n; i++)
		put_string(w, NULL, "string");
	put_end(w);
	put_array(w, "ArgDescriptions");
	for (size_t i = 0; i < n; i++)
		put_string(w, NULL, e->arguments[i]);
	put_end(w);
}

void put_registry_entry(const struct registry_entry *e, struct json_writer *w)
{
	put_object(w, e->key);
	put_string(w, "Description", e->description);
	put_string(w, "Message", e->text);
	/* Deprecated, but still required by the schema. */
	put_string(w, "Severity", health_name(e->severity));
	put_string(w, "MessageSeverity", health_name(e->severity));
	put_arguments(e, w);
	put_string(w, "Resolution", e->resolution);
	put_end(w);
}

const struct registry *registry_at(size_t i)
{
	return i < ARRAY_SIZE(registries) ? &registries[i] : NULL;
}

bool registry_is_own(const struct registry *r)
{
	return r == &registries[REGISTRY_OWN];
}

void put_registry_entries(struct json_writer *w)
{
	for (size_t i = 0; i < ARRAY_SIZE(entries); i++) {
		const struct entry *e = &entries[i];
		struct registry_entry one = {
			.key = e->key,
			.severity = e->severity,
			.text = e->text,
			.description = e->description,
			.resolution = registry_resolution((enum registry_message)i),
			.arguments = e->arguments,
		};

		if (e->registry == REGISTRY_OWN)
			put_registry_entry(&one, w);
	}
}
