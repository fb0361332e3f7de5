// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/finding_text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/names.h"
#include "common/quantity.h"

static const char *const reasons[FINDING_REASONS] = {
	[REASON_NO_CXL_BUS] =
		"the kernel has no CXL bus (/sys/bus/cxl is absent); check that it is built with CONFIG_CXL_BUS, and that cxl_acpi and cxl_pci are loaded",
	[REASON_NO_CEDT] =
		"firmware describes no CXL memory (there is no ACPI table CEDT); check that CXL is enabled in the firmware setup",
	[REASON_EMPTY_CXL_BUS] =
		"the kernel's CXL bus is empty; check that the module cxl_acpi is loaded, and look in the kernel log for a failure of its probe",
	[REASON_NO_CEDT_TABLE] = "there is no ACPI table CEDT, which lists them",
	[REASON_CEDT_UNREADABLE] = "the ACPI table CEDT, which lists them, cannot be read here",
	[REASON_HANDLER_PRESENT] = "firmware has the PRM handler that translates DPA to SPA",
	[REASON_NO_PRMT] =
		"firmware has no ACPI table PRMT, so there is no PRM handler that translates DPA to SPA",
	[REASON_PRMT_UNREADABLE] =
		"the ACPI table PRMT cannot be read, so it is unknown whether firmware has a PRM handler",
	[REASON_PRMT_DAMAGED] = "the ACPI table PRMT is damaged and is not used",
	[REASON_NO_HANDLER] =
		"the ACPI table PRMT names no handler EE41B397-25D4-452C-AD54-48C6E3480B94, the one that translates DPA to SPA",
	[REASON_HANDLER_WITHOUT_ADDRESS] =
		"the ACPI table PRMT names the handler that translates DPA to SPA, but gives 0x0 as its address, so it cannot be called",
	[REASON_MEMORY_UNUSABLE] = "its memory cannot be used",
	[REASON_MEMORY_DECODED] = "committed decoders map its memory without it",
};

const char *finding_reason_text(enum finding_reason reason)
{
	return reasons[reason];
}

/* ---- formatting --------------------------------------------------------------------------------
 */

struct sentence {
	char *text; /* FINDING_TEXT_MAX bytes */
	size_t n;
	const struct finding *finding;
};

static void sentence_add_bytes(struct sentence *s, const char *bytes, size_t n)
{
	size_t left = FINDING_TEXT_MAX - 1 - s->n;

	n = n < left ? n : left;
	memcpy(s->text + s->n, bytes, n);
	s->n += n;
	s->text[s->n] = '\0';
}

/* Text of an argument. */
static void sentence_add(struct sentence *s, const char *text)
{
	size_t start = s->n;

	sentence_add_bytes(s, text, strlen(text));
	for (char *p = s->text + start; *p; p++)
		if (*p == '\n')
			*p = '?';
}

static void sentence_add_number(struct sentence *s, const char *prefix, uint64_t n, bool hex)
{
	char text[24];

	(void)snprintf(text, sizeof(text), hex ? "%" PRIx64 : "%" PRIu64, n);
	sentence_add(s, prefix);
	sentence_add(s, text);
}

/* "2 mem1 (decoder5.0) 0x1000-0x1fff", as far as the item has that. */
static void names_add_item(struct names *names, const struct finding_item *i)
{
	char position[24] = "", detail[64] = "", range[RANGE_TEXT_MAX + 1] = "";

	if (i->position.present)
		(void)snprintf(position, sizeof(position), "%" PRIu64 " ", i->position.value);
	if (i->detail)
		(void)snprintf(detail, sizeof(detail), " (%s)", i->detail);
	if (i->start.present) {
		range[0] = ' ';
		(void)range_text(i->start, i->size, range + 1);
	}
	if (!i->name && position[0])
		position[strlen(position) - 1] = '\0';
	names_add(names, "%s%s%s%s", position, i->name ? i->name : "", detail, range);
}

static void sentence_add_list(struct sentence *s, const struct finding_item *list)
{
	struct names names = {0};

	for (; list; list = list->next)
		names_add_item(&names, list);
	sentence_add(s, names_end(&names));
}

static void sentence_add_time(struct sentence *s, uint64_t ns)
{
	time_t seconds = (time_t)(ns / 1000000000);
	char text[32] = "";
	struct tm tm;

	if (gmtime_r(&seconds, &tm))
		(void)strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
	sentence_add(s, text);
}

static void sentence_add_arg(struct sentence *s, const struct finding_arg *a)
{
	char size[SIZE_TEXT_MAX], range[RANGE_TEXT_MAX];

	switch (a->type) {
	case FINDING_ARG_NONE:
		return;
	case FINDING_ARG_NAME:
	case FINDING_ARG_TEXT:
		sentence_add(s, a->text);
		return;
	case FINDING_ARG_REASON:
		sentence_add(s, finding_reason_text(a->reason));
		return;
	case FINDING_ARG_NUMBER:
	case FINDING_ARG_ENTRY:
	case FINDING_ARG_INCIDENT:
		sentence_add_number(s, "", a->number, false);
		return;
	case FINDING_ARG_HEX:
		sentence_add_number(s, "0x", a->number, true);
		return;
	case FINDING_ARG_SIZE:
		sentence_add(s, size_text(a->range.size, size));
		return;
	case FINDING_ARG_RANGE:
		sentence_add(s, range_text(a->range.start, a->range.size, range));
		return;
	case FINDING_ARG_LIST:
		sentence_add_list(s, a->list);
		return;
	case FINDING_ARG_EVENT_TYPE:
		sentence_add(s, event_type_name(a->event_type));
		return;
	case FINDING_ARG_TIME:
		sentence_add_time(s, a->number);
		return;
	case FINDING_ARG_SEVERITY:
		sentence_add(s, health_name(a->severity));
		return;
	}
}

const char *finding_arg_text(const struct finding_arg *a, char text[static FINDING_TEXT_MAX])
{
	struct sentence s = {.text = text};

	text[0] = '\0';
	sentence_add_arg(&s, a);
	return text;
}

/* @p: behind '%'. Return: behind the reference to the argument. */
static const char *sentence_add_reference(struct sentence *s, const char *p)
{
	const struct finding_arg *a = &s->finding->args[*p++ - '1'];
	const char *bar, *end;

	if (*p != '{') {
		sentence_add_arg(s, a);
		return p;
	}
	bar = strchr(p, '|');
	end = strchr(bar, '}');
	if (a->number == 1)
		sentence_add_bytes(s, p + 1, (size_t)(bar - p - 1));
	else
		sentence_add_bytes(s, bar + 1, (size_t)(end - bar - 1));
	return end + 1;
}

/* Return: whether no argument between @p and @end is absent. */
static bool has_arguments(const struct finding *f, const char *p, const char *end)
{
	for (; p < end; p++)
		if (*p == '%' && f->args[p[1] - '1'].type == FINDING_ARG_NONE)
			return false;
	return true;
}

const char *finding_sentence(const struct finding *f, char text[static FINDING_TEXT_MAX])
{
	struct sentence s = {.text = text, .finding = f};
	const char *p = finding_row(f->code)->text;

	text[0] = '\0';
	while (*p) {
		size_t plain = strcspn(p, "%[]");

		sentence_add_bytes(&s, p, plain);
		p += plain;
		if (*p == '%')
			p = sentence_add_reference(&s, p + 1);
		else if (*p == '[' && !has_arguments(f, p, strchr(p, ']')))
			p = strchr(p, ']') + 1;
		else if (*p)
			p++;
	}
	return text;
}

/* Return: whether a clause is about a log entry. */
static bool is_of_entry(const struct finding_row *row, const char *p, const char *end)
{
	for (; p < end; p++)
		if (*p == '%' && (row->args[p[1] - '1'].type == FINDING_ARG_ENTRY ||
				  row->args[p[1] - '1'].type == FINDING_ARG_TIME))
			return true;
	return false;
}

const char *finding_pattern(enum finding_code code, char text[static FINDING_TEXT_MAX])
{
	const struct finding_row *row = finding_row(code);
	struct sentence s = {.text = text};
	const char *p = row->text;

	text[0] = '\0';
	while (*p) {
		size_t plain = strcspn(p, "[]");

		sentence_add_bytes(&s, p, plain);
		p += plain;
		if (*p == '[' && is_of_entry(row, p, strchr(p, ']')))
			p = strchr(p, ']') + 1;
		else if (*p)
			p++;
	}
	sentence_add_bytes(&s, ".", 1);
	if (text[0] >= 'a' && text[0] <= 'z')
		text[0] = (char)(text[0] - 'a' + 'A');
	return text;
}

const char *finding_next_step(const struct finding *f, const struct finding *end,
			      char text[static FINDING_NEXT_MAX])
{
	const char *fixed = finding_row(f->code)->next;
	char sentence[FINDING_TEXT_MAX];
	size_t used = 0;

	for (f++; f < end && finding_level(f->code) == FINDING_ADVICE; f++)
		if (used < FINDING_NEXT_MAX)
			used += (size_t)snprintf(text + used, FINDING_NEXT_MAX - used, "%s%s",
						 used ? "\n" : "", finding_sentence(f, sentence));
	if (!used && fixed)
		used = (size_t)snprintf(text, FINDING_NEXT_MAX, "%s", fixed);
	return used ? text : NULL;
}
