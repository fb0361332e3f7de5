// SPDX-License-Identifier: LGPL-2.1-or-later
//
// One event a line, in the columns that fit.
#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/event_list.h"
#include "cli/output.h"
#include "common/array.h"
#include "common/strutil.h"
#include "events/event_advice.h"
#include "events/event_extents.h"
#include "events/event_strings.h"
#include "events/event_words.h"

enum {
	CELL_MAX = 2048,     /* at least OUT_WIDTH_MAX */
	EVENT_ROOM_MIN = 16, /* characters below which the column of words is left out */
	ROOM_UNKNOWN = 40,   /* for it on a line that is not cut */
};

/* One line. */
struct line {
	const struct event_columns *columns;
	unsigned int used;
	unsigned int blanks;  /* before the next column */
	unsigned int missing; /* characters that columns on the left took too many */
};

/* The sources of a cell. */
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
	const struct opt_u64 time = event_created(rec);
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

/* The first byte, as the SPA is that of the first byte. */
static void cell_dpa(const struct shown_event *s, char *cell)
{
	const struct event_record *rec = &s->ev->record;
	const struct opt_u64 dpa = event_number(rec, FIELD_DPA);
	const struct opt_u64 length = event_number(rec, FIELD_DPA_LENGTH);

	if (dpa.present)
		add_range(cell, dpa.value,
			  s->columns->wide ? event_dpa_last(dpa.value, length.value) : dpa.value);
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
	if (!event_type_is_loss(rec->type))
		return;
	if (rec->lost.present)
		add(cell, "%" PRIu64 " record%s lost", rec->lost.value, plural_s(rec->lost.value));
	else
		add(cell, "an unknown number of records lost");
	if (rec->type == EVENT_LOST_AT_END)
		add(cell, " of CPU %u when the service ended; ", rec->cpu);
	else if (event_cpu(rec).present)
		add(cell, " in the trace ring of CPU %u; ", rec->cpu);
	else
		add(cell, " in the service's %s; ", rec->event);
}

/* Adds the length of a record that is longer than a byte: the column of its first DPA does not show
 * it. */
static void add_length(const struct shown_event *s, char *cell)
{
	const struct opt_u64 length = event_number(&s->ev->record, FIELD_DPA_LENGTH);

	if (!s->columns->wide && length.value > 1)
		add(cell, "%" PRIu64 " bytes; ", length.value);
}

/* The states of the device come first. */
static void add_flags(const struct shown_event *s, char *cell)
{
	const struct event_flag *flag;

	for (size_t i = 0; (flag = event_flag_at(i)); i++)
		if (event_flags_of(&s->ev->record) & flag->bit)
			add(cell, "%s; ", flag->words);
}

/* Adds the next step. The sentences have two blanks between. */
static void add_advice(const struct event_record *rec, char *cell)
{
	char text[EVENT_ADVICE_MAX];
	const char *advice = event_advice(rec, text, NULL);

	if (!advice)
		return;
	add(cell, "next: ");
	for (; *advice; advice++)
		if (advice[0] != ' ' || advice[1] != ' ')
			add(cell, "%c", *advice);
}

/* Describes the event, the record, the reason for no exact address and, with all columns, the next
 * step. */
static void cell_event(const struct shown_event *s, char *cell)
{
	const struct event_answer *a = &s->ev->answer;
	char words[EVENT_WORDS_TEXT_MAX];
	size_t n;

	add_flags(s, cell);
	add_loss(&s->ev->record, cell);
	add_length(s, cell);
	event_words_text(&s->ev->record, words);
	if (words[0])
		add(cell, "%s; ", words);
	if (a->n_extents > 1)
		add(cell, "in %u extents; ", a->n_extents);
	if (a->reason[0])
		add(cell, "%s; ", a->reason);
	if (s->columns->wide && s->ev->record.other_fields[0])
		add(cell, "%s; ", s->ev->record.other_fields);
	if (s->columns->wide)
		add_advice(&s->ev->record, cell);
	n = strlen(cell);
	while (n && (cell[n - 1] == ' ' || cell[n - 1] == ';'))
		cell[--n] = '\0';
}

/* ---- columns ----------------------------------------------------------------------------------
 */

/*
 * In their order on a line. The most important ones that fit are shown, as long as the last one
 * keeps what it needs.
 */
static const struct column {
	const char *heading;
	unsigned int longest; /* of a value, where later values are not known */
	unsigned int rank;    /* 0: the most important one */
	unsigned int room;    /* UINT_MAX: with --wide only */
	void (*make)(const struct shown_event *s, char *cell);
} table[] = {
	{"ENTRY", 7, 9, 24, cell_entry},      {"TIME", 20, 2, 0, cell_time},
	{"SEVERITY", 8, 5, 0, cell_severity}, {"TYPE", 22, 3, 0, cell_type},
	{"DEVICE", 6, 1, 0, cell_memdev},     {"PCI", 12, 7, EVENT_ROOM_MIN, cell_pci},
	{"SLOT", 6, 12, UINT_MAX, cell_slot}, {"SERIAL", 18, 13, UINT_MAX, cell_serial},
	{"ID", 20, 14, UINT_MAX, cell_id},    {"DPA", 12, 4, 0, cell_dpa},
	{"SPA", 12, 0, 0, cell_spa},	      {"SOURCE", 8, 10, 60, cell_source},
	{"REGION", 8, 8, 24, cell_region},    {"NODE", 4, 6, 0, cell_node},
	{"DAX", 7, 11, 60, cell_dax},	      {"EVENT", 0, EVENT_COLUMNS - 1, 0, cell_event},
};
enum { LAST = EVENT_COLUMNS - 1 };
static_assert(ARRAY_SIZE(table) == EVENT_COLUMNS, "struct event_columns has one of each");

void event_text_setup(struct event_columns *c, bool wide, bool has_entries)
{
	*c = (struct event_columns){.wide = wide, .has_entries = has_entries};
	if (!wide)
		c->width = out_terminal_width();
}

void event_text_measure(struct event_columns *c, const struct stored_event *ev, const char *slot)
{
	const struct shown_event s = {c, ev, slot};
	char cell[CELL_MAX];

	for (size_t i = 0; i < LAST; i++) {
		unsigned int n;

		cell[0] = '\0';
		table[i].make(&s, cell);
		n = (unsigned int)strlen(cell);
		if (n > c->content[i])
			c->content[i] = n;
	}
}

void event_text_measure_later(struct event_columns *c)
{
	for (size_t i = 0; i < LAST; i++)
		if (c->content[i] < table[i].longest)
			c->content[i] = table[i].longest;
}

/* ---- which columns, and how wide ---- */

/* A column without any value is left out where there is a terminal for which lines are made. */
static bool has_use(const struct event_columns *c, size_t i)
{
	if (table[i].make == cell_entry && !c->has_entries)
		return false;
	return c->wide || (table[i].room < UINT_MAX && (!c->width || c->content[i]));
}

static bool fits(const struct event_columns *c, size_t i, unsigned int used)
{
	if (c->wide)
		return true;
	if (!c->width)
		return table[i].room <= ROOM_UNKNOWN;
	return used + c->shown[i] + (table[i].room ? table[i].room + 1 : 0) <= c->width;
}

static size_t column_of_rank(unsigned int rank)
{
	size_t i = 0;

	while (table[i].rank != rank)
		i++;
	return i;
}

/* The most important column is shown on any terminal, because no value is cut. */
static void fit_columns(struct event_columns *c)
{
	unsigned int used = 0;

	for (size_t i = 0; i < LAST; i++) {
		const unsigned int heading = (unsigned int)strlen(table[i].heading);

		c->shown[i] = c->content[i] > heading ? c->content[i] : heading;
	}
	for (unsigned int rank = 0; rank < LAST; rank++) {
		const size_t i = column_of_rank(rank);
		const unsigned int before = used ? used + 1 : 0;

		if (has_use(c, i) && (!used || fits(c, i, before)))
			used = before + c->shown[i];
		else
			c->shown[i] = 0;
	}
	c->words = !c->width || used + 1 + EVENT_ROOM_MIN <= c->width;
}

/* ---- lines ---- */

/* Words are cut where the terminal ends, which is marked; other cells never are. */
static void put_words(struct line *l, const char *text)
{
	static const char mark[] = "...";
	const size_t n = strlen(text), width = l->columns->width;
	const size_t used = l->used + l->blanks, room = used < width ? width - used : 0;

	if (!width || n <= room)
		out("%*s%s", (int)l->blanks, "", text);
	else if (room > strlen(mark))
		out("%*s%.*s%s", (int)l->blanks, "", (int)(room - strlen(mark)), text, mark);
}

/* A cell that is too long takes the blanks behind it, and moves what follows. */
static void put_cell(struct line *l, unsigned int width, enum style style, const char *text)
{
	const unsigned int n = (unsigned int)strlen(text);
	unsigned int pad = n < width ? width - n : 0;

	out("%*s", (int)l->blanks, "");
	out_styled(style, "%s", text);
	l->used += l->blanks + n;
	if (n > width)
		l->missing += n - width;
	if (pad < l->missing) {
		l->missing -= pad;
		pad = 0;
	} else {
		pad -= l->missing;
		l->missing = 0;
	}
	l->blanks = pad + 1;
}

void event_text_heading(struct event_columns *c)
{
	struct line l = {.columns = c};

	fit_columns(c);
	for (size_t i = 0; i < LAST; i++)
		if (c->shown[i])
			put_cell(&l, c->shown[i], STYLE_FAINT, table[i].heading);
	if (c->words)
		put_cell(&l, 0, STYLE_FAINT, table[LAST].heading);
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

	for (size_t i = 0; i < LAST; i++) {
		if (!c->shown[i])
			continue;
		cell[0] = '\0';
		table[i].make(&s, cell);
		put_cell(&l, c->shown[i], style_of(&table[i], ev), cell[0] ? cell : "-");
	}
	cell[0] = '\0';
	if (c->words)
		table[LAST].make(&s, cell);
	if (cell[0])
		put_words(&l, cell);
	out_end();
}
