// SPDX-License-Identifier: LGPL-2.1-or-later
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/event_list.h"
#include "cli/output.h"
#include "cli/triage_incident.h"

static void print_what_happened(const struct triage_incident *t)
{
	char text[INCIDENT_WHAT_TEXT_MAX];

	out("%s", incident_what_text(&t->incident, &t->finding, text));
}

/* "mem2 (0000:0d:00.0, slot 2, serial 0xabc)" */
static void print_device(const struct triage_incident *t)
{
	const struct incident *i = &t->incident;
	const char *host = triage_pci_host(t);

	if (!i->device[0] && t->finding.object[0]) {
		out("%s", t->finding.object);
		return;
	}
	if (!t->now.memdev && t->below) {
		out("the port %s above %s", i->host, t->below->name);
		return;
	}
	if (!t->now.memdev && !i->device[0] && t->n_devices > 1) {
		out("parts of %zu devices", t->n_devices);
		return;
	}
	out("%s", t->now.memdev	       ? t->now.memdev->name
		  : i->device[0]       ? i->device
		  : t->is_other_memory ? "memory of the host that is no CXL memory"
				       : "an unknown device");
	if (!host[0])
		return;
	out(" (%s", host);
	if (t->now.memdev && t->now.memdev->slot)
		out(", slot %s", t->now.memdev->slot);
	if (i->serial)
		out(", serial 0x%" PRIx64, i->serial);
	out(")");
}

static const char *last_text(const struct incident *i, char text[EVENT_TIME_TEXT_MAX])
{
	if (!i->last_ns)
		return "at an unknown time";
	return event_time_text(OPT_U64(i->last_ns), text);
}

static void print_pages(const struct triage_incident *t)
{
	const struct incident *i = &t->incident;

	if (!i->n_pages && !t->is_unproven)
		return;
	if (!t->now.n_pages) {
		out(", page not known exactly");
		return;
	}
	out(", page 0x%" PRIx64, t->now.pages[0]);
	if (t->now.n_pages > 1)
		out(" and %s%zu more", i->more_pages ? "at least " : "", t->now.n_pages - 1);
}

/* An address alone is a place, too. */
static void print_place(const struct triage_incident *t)
{
	const bool has_pages = t->incident.n_pages || t->is_unproven;

	if (t->now.place != PLACE_UNKNOWN)
		out(", %s", incident_place_name(t->now.place));
	else if (!has_pages)
		out(", place unknown");
	print_pages(t);
}

/* In one line: a text, and commands after it. */
static void print_next(const struct triage_incident *t)
{
	const char *line = t->finding.next;
	bool is_first = true;

	if (!line[0] || !incident_is_open(&t->incident))
		return;
	out(" ");
	while (line[0]) {
		const int n = (int)strcspn(line, "\n");

		out("%s%.*s", is_first ? "Next: " : " ", n, line);
		line += n + (line[n] == '\n');
		is_first = false;
	}
}

static void print_act(const struct triage_incident *t)
{
	char text[INCIDENT_ACT_TEXT_MAX];

	out("%s. %s", incident_act_text(&t->now, text), t->now.reason);
	print_next(t);
}

void triage_print_list(const struct triage_list *list)
{
	char text[EVENT_TIME_TEXT_MAX];

	if (!list->n)
		return;
	for (size_t k = 0; k < list->n; k++) {
		const struct triage_incident *t = &list->items[k];
		const struct incident *i = &t->incident;

		out_styled(i->severity == EVENT_CRITICAL ? STYLE_BAD : STYLE_PLAIN, "%s",
			   event_severity_word(i->severity));
		if (i->id)
			out("  %" PRIu64 "  ", i->id);
		else
			out("  -  ");
		print_device(t);
		out(": ");
		print_what_happened(t);
		if (!incident_is_only_found(i)) {
			print_place(t);
			out(", last %s", last_text(i, text));
		} else if (i->first_ns) {
			out(", since %s", event_time_text(OPT_U64(i->first_ns), text));
		}
		if (i->id && i->state != INCIDENT_OPEN)
			out(", %s", incident_state_name(i->state));
		out_end();
	}
	out("To do about the first: ");
	print_act(&list->items[0]);
	out_end();
}

void triage_print_nothing(void)
{
	out("Nothing is open.");
	out_end();
}

void triage_print_unrecorded(bool captured)
{
	out(captured
		    ? "Errors are not recorded in this capture: only problems of the configuration and of the devices' health are known. Next: cxl-spa triage on the host, where cxl-redfishd runs."
		    : "Errors of this host are not recorded, because cxl-redfishd has no log here: only problems of the configuration and of the devices' health are known. Next: systemctl enable --now cxl-redfishd; what the kernel's log has: journalctl -k -b | cxl-spa triage --this-boot -");
	out_end();
}

static void begin(const char *title)
{
	out_styled(STYLE_NAME, "%-7s", title);
}

static void print_what(const struct triage_incident *t)
{
	const struct incident *i = &t->incident;

	begin("What:");
	out("%s; ", event_severity_word(i->severity));
	print_what_happened(t);
	if (!i->id && !t->is_recorded)
		out("; no log of errors is kept");
	else if (!i->id)
		out("; the log has no incident of it");
	else
		out("; incident %" PRIu64 ", %s", i->id, incident_state_name(i->state));
	if (i->state == INCIDENT_CLOSED && incident_end_text(i->end))
		out(": %s", incident_end_text(i->end));
	if (i->previous)
		out(", it was incident %" PRIu64 " before", i->previous);
	out_end();
}

static void print_where(const struct triage_incident *t)
{
	begin("Where:");
	print_device(t);
	out("; %s", incident_place_name(t->now.place));
	if (t->now.evidence[0])
		out(" (%s)", t->now.evidence);
	print_pages(t);
	if (t->component[0])
		out("; component %s", t->component);
	out_end();
}

static const char *log_host_text(enum triage_host host)
{
	return host == TRIAGE_OTHER_HOST ? "another one: the log has another machine id"
					 : "not known: the log does not say whose it is";
}

static const char *host_text(const struct triage_incident *t)
{
	if (t->no_memory)
		return t->no_memory;
	if (t->host == TRIAGE_THIS_HOST)
		return "this one";
	if (t->is_of_log)
		return log_host_text(t->host);
	return t->host == TRIAGE_OTHER_HOST ? "another one: this host has no such device"
					    : "not known: the report does not prove whose it is";
}

void triage_print_log_host(enum triage_host host)
{
	if (host == TRIAGE_THIS_HOST)
		return;
	begin("Host:");
	out("%s", log_host_text(host));
	out_end();
}

static void print_host(const struct triage_incident *t)
{
	const struct incident *i = &t->incident;

	begin("Host:");
	out("%s", host_text(t));
	if (t->is_of_log && t->host != TRIAGE_THIS_HOST && t->now.memdev)
		out("; a device with its serial number is here now");
	if (t->host == TRIAGE_THIS_HOST && !t->now.memdev && i->device[0] &&
	    !t->reported_page.present && !t->is_unproven)
		out("; the device is not there now");
	out_end();
}

static void print_since(const struct incident *i)
{
	char text[EVENT_TIME_TEXT_MAX];

	out(incident_is_open(i) ? "it is there now" : "it is not there now");
	if (i->count > 1)
		out("; it came %" PRIu64 " times", i->count);
	if (i->first_ns)
		out("; first %s", event_time_text(OPT_U64(i->first_ns), text));
	if (i->count > 1 && i->last_ns)
		out(", last %s", event_time_text(OPT_U64(i->last_ns), text));
	out_end();
}

static void print_often(const struct triage_incident *t)
{
	const struct incident *i = &t->incident;
	const struct incident_rate rate = incident_rate(i, t->age);
	const char *least = i->count_is_minimum ? "at least " : "";
	char text[EVENT_TIME_TEXT_MAX];

	begin("Often:");
	if (!i->id) {
		out("not known: only this text says it");
		out_end();
		return;
	}
	if (incident_is_only_found(i)) {
		print_since(i);
		return;
	}
	out("%s%" PRIu64 " in the last hour, %" PRIu64 " in 24 hours, %" PRIu64 " in 7 days", least,
	    rate.h1, rate.h24, rate.d7);
	if (i->first_ns)
		out("; first %s", event_time_text(OPT_U64(i->first_ns), text));
	if (i->last_ns)
		out(", last %s", event_time_text(OPT_U64(i->last_ns), text));
	if (!i->any_live)
		out("; all before this boot, at times that are not known");
	if (!t->age_is_now)
		out("; the rates end with the log");
	out_end();
}

/* Whether an error of the kind is of an address. */
static bool has_address(const struct triage_incident *t)
{
	switch (t->incident.kind) {
	case INCIDENT_LINK:
	case INCIDENT_TEMPERATURE:
	case INCIDENT_WEAR:
	case INCIDENT_CAPACITY:
	case INCIDENT_MAINTENANCE:
		return t->now.certainty[0] != 'u';
	default:
		return true;
	}
}

static void print_sure(const struct triage_incident *t)
{
	const char *source = answer_source_name(t->now.source);

	if (incident_is_only_found(&t->incident)) {
		out(t->incident.kind == INCIDENT_CONFIGURATION ? "the host's configuration shows it"
							       : "the device itself reports it");
		return;
	}
	if (!has_address(t)) {
		out("errors of this kind have no address");
		return;
	}
	out("the address is %s%s%s",
	    t->now.certainty[0] == 'e'	 ? "exact"
	    : t->now.certainty[0] == 'i' ? "an interval"
					 : "not known",
	    source ? ", by " : "", source ? source : "");
	if (t->doubt && !t->now.n_pages)
		out(": %s", t->doubt);
}

void triage_print(const struct triage_incident *t)
{
	print_what(t);
	print_where(t);
	print_host(t);
	print_often(t);
	begin("Do:");
	print_act(t);
	out_end();
	begin("Sure:");
	print_sure(t);
	out_end();
}
