// SPDX-License-Identifier: LGPL-2.1-or-later
//
// One event a line, in the columns that fit.
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/event_list.h"
#include "cli/output.h"
#include "common/array.h"
#include "common/strutil.h"
#include "events/event_extents.h"
#include "events/event_strings.h"
#include "events/event_words.h"

enum {
	CELL_MAX = 2048,     /* at least OUT_WIDTH_MAX */
	WIDTH_UNKNOWN = 140, /* columns of a line that is not cut */
};

/* One line. */
struct line {
	const struct event_columns *columns;
	unsigned int used;
	unsigned int missing; /* characters that columns on the left took too many */
};

/* What a cell is made of. */
struct shown_event {
	const struct event_columns *columns;
	const struct stored_event *ev;
	const char *slot;
};

const char *event_time_text(struct opt_u64 ns, char text[EVENT_TIME_TEXT_MAX])
{
	if (!ns.present)
		return "-";
	event_time(ns.value, text);
	return text;
}

/* ---- cells -------------------------------------------------------------------------------------
 */

__attribute__((format(printf, 2, 3))) static void add(char *cell, const char *fmt, ...)
{
	const size_t n = strlen(cell);
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(cell + n, CELL_MAX - n, fmt, ap);
	va_end(ap);
}

static void cell_entry(const struct shown_event *s, char *cell)
{
	if (s->ev->seq)
		add(cell, "%" PRIu64, s->ev->seq);
}

/* The time of day to the second; the device's, with a star; or seconds by the trace clock. */
static void cell_time(const struct shown_event *s, char *cell)
{
	const struct event_record *rec = &s->ev->record;
	const struct opt_u64 time = event_time_of(rec);
	char text[EVENT_TIME_TEXT_MAX];

	if (time.present)
		add(cell, "%.19s%c", event_time_text(time, text), rec->wall_ns.present ? 'Z' : '*');
	else
		add(cell, "%" PRIu64 ".%09" PRIu64 " s", rec->time_ns / 1000000000,
		    rec->time_ns % 1000000000);
}

static void cell_severity(const struct shown_event *s, char *cell)
{
	add(cell, "%s", event_severity_word(s->ev->severity));
}

static void cell_type(const struct shown_event *s, char *cell)
{
	const struct event_record *rec = &s->ev->record;

	add(cell, "%s", rec->type == EVENT_OTHER ? rec->event : event_type_name(rec->type));
}

static void cell_memdev(const struct shown_event *s, char *cell)
{
	add(cell, "%s", s->ev->record.memdev);
}

static void cell_pci(const struct shown_event *s, char *cell)
{
	add(cell, "%s", s->ev->record.host);
}

static void cell_slot(const struct shown_event *s, char *cell)
{
	if (s->slot)
		add(cell, "%s", s->slot);
}

static void cell_serial(const struct shown_event *s, char *cell)
{
	const struct opt_u64 serial = event_number(&s->ev->record, FIELD_SERIAL);

	if (serial.present)
		add(cell, "0x%" PRIx64, serial.value);
}

static void cell_id(const struct shown_event *s, char *cell)
{
	add(cell, "%s", s->ev->device);
}

static void add_range(char *cell, uint64_t first, uint64_t last)
{
	add(cell, "0x%" PRIx64, first);
	if (last > first)
		add(cell, "-0x%" PRIx64, last);
}

static void cell_dpa(const struct shown_event *s, char *cell)
{
	const struct event_record *rec = &s->ev->record;
	const struct opt_u64 dpa = event_number(rec, FIELD_DPA);

	if (dpa.present)
		add_range(cell, dpa.value,
			  event_dpa_last(dpa.value, event_number(rec, FIELD_DPA_LENGTH).value));
}

static void cell_spa(const struct shown_event *s, char *cell)
{
	const struct event_answer *a = &s->ev->answer;

	if (a->has_spa)
		add_range(cell, a->spa, a->exact ? a->spa : a->spa_last);
	else if (event_number(&s->ev->record, FIELD_DPA).present)
		add(cell, "no SPA");
}

static void cell_source(const struct shown_event *s, char *cell)
{
	if (s->ev->answer.has_spa)
		add(cell, "%s", answer_source_name(s->ev->answer.source));
}

static void cell_region(const struct shown_event *s, char *cell)
{
	add(cell, "%s", s->ev->answer.region);
}

static void cell_node(const struct shown_event *s, char *cell)
{
	if (s->ev->answer.numa_node.present)
		add(cell, "%d", s->ev->answer.numa_node.value);
}

static void cell_dax(const struct shown_event *s, char *cell)
{
	add(cell, "%s", s->ev->answer.dax);
}

static void add_loss(const struct event_record *rec, char *cell)
{
	if (rec->type == EVENT_UNREADABLE)
		add(cell,
		    "up to %" PRIu64 " entr%s of the log cannot be read: its file is damaged; ",
		    rec->lost.value, rec->lost.value == 1 ? "y" : "ies");
	if (rec->type != EVENT_LOST)
		return;
	if (rec->lost.present)
		add(cell, "%" PRIu64 " record%s lost", rec->lost.value, plural_s(rec->lost.value));
	else
		add(cell, "an unknown number of records lost");
	if (event_cpu(rec).present)
		add(cell, " in the trace ring of CPU %u; ", rec->cpu);
	else
		add(cell, " in the service's %s; ", rec->event);
}

/* The states of the device come first; with all columns, what to do about them, too. */
static void add_flags(const struct shown_event *s, char *cell)
{
	const struct event_record *rec = &s->ev->record;
	const struct event_flag *flag;

	for (size_t i = 0; (flag = event_flag_at(i)); i++) {
		if (!(event_flags_of(rec) & flag->bit))
			continue;
		add(cell, "%s", flag->words);
		if (flag->advice && s->columns->wide)
			add(cell, ": %s ", flag->advice);
		else
			add(cell, "; ");
	}
}

/* What happened; of the record, then why there is no exact address. */
static void cell_event(const struct shown_event *s, char *cell)
{
	const struct event_answer *a = &s->ev->answer;
	char words[EVENT_WORDS_TEXT_MAX];
	size_t n;

	add_flags(s, cell);
	add_loss(&s->ev->record, cell);
	event_words_text(&s->ev->record, words);
	if (words[0])
		add(cell, "%s; ", words);
	if (a->n_extents > 1)
		add(cell, "in %u extents; ", a->n_extents);
	if (a->reason[0])
		add(cell, "%s; ", a->reason);
	if (s->columns->wide && s->ev->record.other_fields[0])
		add(cell, "%s; ", s->ev->record.other_fields);
	n = strlen(cell);
	while (n && (cell[n - 1] == ' ' || cell[n - 1] == ';'))
		cell[--n] = '\0';
}

/* ---- columns ----------------------------------------------------------------------------------
 */

/* In their order on a line; each but the last is shown on terminals of so many columns. */
static const struct column {
	const char *heading;
	unsigned int width, from;
	void (*make)(const struct shown_event *s, char *cell);
} table[] = {
	{"ENTRY", 6, 130, cell_entry},	    {"TIME", 20, 0, cell_time},
	{"SEVERITY", 8, 0, cell_severity},  {"TYPE", 13, 0, cell_type},
	{"DEVICE", 6, 0, cell_memdev},	    {"PCI", 12, 140, cell_pci},
	{"SLOT", 6, UINT32_MAX, cell_slot}, {"SERIAL", 18, UINT32_MAX, cell_serial},
	{"ID", 20, UINT32_MAX, cell_id},    {"DPA", 10, 96, cell_dpa},
	{"SPA", 12, 0, cell_spa},	    {"SOURCE", 8, 200, cell_source},
	{"REGION", 8, 110, cell_region},    {"NODE", 4, 120, cell_node},
	{"DAX", 7, 200, cell_dax},	    {"EVENT", 0, 0, cell_event},
};

void event_text_setup(struct event_columns *c, bool wide)
{
	*c = (struct event_columns){.wide = wide};
	if (!wide)
		c->width = out_terminal_width();
}

static bool is_shown(const struct event_columns *c, const struct column *column)
{
	return c->wide || column->from <= (c->width ? c->width : WIDTH_UNKNOWN);
}

/* Return: how many characters of a text fit on the line. */
static size_t fitting(const struct line *l, const char *text)
{
	const size_t n = strlen(text), width = l->columns->width;

	if (!width || l->used + n <= width)
		return n;
	return l->used < width ? width - l->used : 0;
}

/* A cell that is too long takes the blanks behind it, and moves what follows. */
static void put_cell(struct line *l, const struct column *column, enum style style,
		     const char *text)
{
	const size_t n = fitting(l, text);
	const bool is_last = column->width == 0;
	size_t pad;

	out_styled(style, "%.*s", (int)n, text);
	l->used += (unsigned int)n;
	if (is_last)
		return;
	if (n > column->width)
		l->missing += (unsigned int)n - column->width;
	pad = n < column->width ? column->width - n : 0;
	if (pad < l->missing) {
		l->missing -= (unsigned int)pad;
		pad = 0;
	} else {
		pad -= l->missing;
		l->missing = 0;
	}
	pad++;
	if (l->columns->width && l->used + pad > l->columns->width)
		pad = l->used < l->columns->width ? l->columns->width - l->used : 0;
	out("%*s", (int)pad, "");
	l->used += (unsigned int)pad;
}

void event_text_heading(const struct event_columns *c)
{
	struct line l = {.columns = c};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (is_shown(c, &table[i]))
			put_cell(&l, &table[i], STYLE_FAINT, table[i].heading);
	out_end();
}

static enum style style_of(const struct column *column, const struct stored_event *ev)
{
	static const enum style styles[] = {[EVENT_OK] = STYLE_GOOD,
					    [EVENT_WARNING] = STYLE_PLAIN,
					    [EVENT_CRITICAL] = STYLE_BAD};

	if (column->make == cell_severity)
		return styles[ev->severity];
	if (column->make == cell_spa && !ev->answer.has_spa)
		return STYLE_BAD;
	return column->make == cell_memdev ? STYLE_NAME : STYLE_PLAIN;
}

void event_text(const struct event_columns *c, const struct stored_event *ev, const char *slot)
{
	const struct shown_event s = {c, ev, slot};
	struct line l = {.columns = c};
	char cell[CELL_MAX];

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		if (!is_shown(c, &table[i]))
			continue;
		cell[0] = '\0';
		table[i].make(&s, cell);
		put_cell(&l, &table[i], style_of(&table[i], ev),
			 cell[0] || table[i].width == 0 ? cell : "-");
	}
	out_end();
}
