// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/event_words.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "events/event_strings.h"

#define TYPE(t) (1u << (t))
#define ALL	(~0u)

enum {
	MEDIA = TYPE(EVENT_GENERAL_MEDIA),
	DRAM = TYPE(EVENT_DRAM),
	MODULE = TYPE(EVENT_MEMORY_MODULE),
	SPARING = TYPE(EVENT_MEMORY_SPARING),
	POISON = TYPE(EVENT_POISON) | TYPE(EVENT_POISON_CLEARED),
	AER_CE = TYPE(EVENT_AER_CORRECTABLE) | TYPE(EVENT_PORT_AER_CORRECTABLE),
	AER_UE = TYPE(EVENT_AER_UNCORRECTABLE) | TYPE(EVENT_PORT_AER_UNCORRECTABLE),
};

/* A name of a code, or of a bit by its number. */
struct name {
	unsigned int code;
	const char *text;
};

static const struct name logs[] = {
	{0, "Informational"}, {1, "Warning"}, {2, "Failure"}, {3, "Fatal"}};

static const struct name header_flags[] = {
	{2, "permanent condition"},
	{3, "maintenance needed"},
	{4, "performance degraded"},
	{5, "hardware replacement needed"},
	{6, "maintenance operation subclass valid"},
	{7, "LD-ID valid"},
	{8, "head ID valid"},
};

static const struct name dpa_flags[] = {{0, "volatile"}, {1, "not repairable"}};

static const struct name descriptors[] = {
	{0, "uncorrectable event"}, {1, "threshold event"}, {2, "poison list overflow"}};

static const struct name media_types[] = {
	{0, "ECC Error"},
	{1, "Invalid Address"},
	{2, "Data Path Error"},
	{3, "TE State Violation"},
	{4, "Scrub Media ECC Error"},
	{5, "Adv Prog CME Counter Expiration"},
	{6, "CKID Violation"},
};

/* Not those of general media, although most have the same names. */
static const struct name dram_types[] = {
	{0, "ECC Error"},	   {1, "Scrub Media ECC Error"},
	{2, "Invalid Address"},	   {3, "Data Path Error"},
	{4, "TE State Violation"}, {5, "Adv Prog CME Counter Expiration"},
	{6, "CKID Violation"},
};

static const struct name sub_types[] = {
	{0, "Not Reported"},
	{1, "Internal Datapath Error"},
	{2, "Media Link Command Training Error"},
	{3, "Media Link Control Training Error"},
	{4, "Media Link Data Training Error"},
	{5, "Media Link CRC Error"},
};

static const struct name transactions[] = {
	{0, "Unknown"},
	{1, "Host Read"},
	{2, "Host Write"},
	{3, "Host Scan Media"},
	{4, "Host Inject Poison"},
	{5, "Internal Media Scrub"},
	{6, "Internal Media Management"},
	{7, "Internal Media Error Check Scrub"},
	{8, "Media Initialization"},
};

static const struct name thresholds[] = {
	{0, "Corrected Memory Errors in Multiple Media Components"},
	{1, "Exceeded Programmable Threshold"},
};

static const struct name media_valid[] = {
	{0, "channel"}, {1, "rank"}, {2, "device"}, {3, "component"}, {4, "component PLDM format"},
};

static const struct name dram_valid[] = {
	{0, "channel"},	     {1, "rank"},
	{2, "nibble mask"},  {3, "bank group"},
	{4, "bank"},	     {5, "row"},
	{6, "column"},	     {7, "correction mask"},
	{8, "component"},    {9, "component PLDM format"},
	{10, "sub channel"},
};

static const struct name sparing_valid[] = {
	{0, "channel"},	    {1, "rank"},      {2, "nibble mask"},
	{3, "bank group"},  {4, "bank"},      {5, "row"},
	{6, "column"},	    {7, "component"}, {8, "component PLDM format"},
	{9, "sub channel"},
};

static const struct name module_valid[] = {{0, "component"}, {1, "component PLDM format"}};

static const struct name module_events[] = {
	{0, "Health Status Change"},
	{1, "Media Status Change"},
	{2, "Life Used Change"},
	{3, "Temperature Change"},
	{4, "Data Path Error"},
	{5, "LSA Error"},
	{6, "Unrecoverable Internal Sideband Bus Error"},
	{7, "Memory Media FRU Error"},
	{8, "Power Management Fault"},
};

static const struct name module_sub_types[] = {
	{0, "Not Reported"},
	{1, "Invalid Config Data"},
	{2, "Unsupported Config Data"},
	{3, "Unsupported Memory Media FRU"},
};

static const struct name health_status[] = {
	{0, "maintenance needed"},
	{1, "performance degraded"},
	{2, "replacement needed"},
	{3, "memory capacity degraded"},
};

static const struct name media_status[] = {
	{0, "Normal"},
	{1, "Not Ready"},
	{2, "Write Persistency Lost"},
	{3, "All Data Lost"},
	{4, "Write Persistency Loss in the Event of Power Loss"},
	{5, "Write Persistency Loss in Event of Shutdown"},
	{6, "Write Persistency Loss Imminent"},
	{7, "All Data Loss in Event of Power Loss"},
	{8, "All Data Loss in the Event of Shutdown"},
	{9, "All Data Loss Imminent"},
};

static const struct name states[] = {{0, "Normal"}, {1, "Warning"}, {2, "Critical"}};

static const struct name sparing_flags[] = {
	{0, "query resources"}, {1, "hard sparing"}, {2, "device initiated sparing"}};

static const struct name poison_types[] = {
	{POISON_TRACE_LIST, "List"},
	{POISON_TRACE_INJECT, "Inject"},
	{POISON_TRACE_CLEAR, "Clear"},
	{POISON_TRACE_SCAN, "Scan"},
};

static const struct name poison_sources[] = {
	{0, "Unknown"}, {1, "External"}, {2, "Internal"}, {3, "Injected"}, {7, "Vendor"}};

static const struct name poison_flags[] = {{0, "more"}, {1, "overflow"}, {2, "scanning"}};

static const struct name correctable[] = {
	{0, "Cache Data ECC Error"},
	{1, "Memory Data ECC Error"},
	{2, "CRC Threshold Hit"},
	{3, "Retry Threshold"},
	{4, "Received Cache Poison From Peer"},
	{5, "Received Memory Poison From Peer"},
	{6, "Received Error From Physical Layer"},
};

static const struct name uncorrectable[] = {
	{0, "Cache Data Parity Error"},
	{1, "Cache Address Parity Error"},
	{2, "Cache Byte Enable Parity Error"},
	{3, "Cache Data ECC Error"},
	{4, "Memory Data Parity Error"},
	{5, "Memory Address Parity Error"},
	{6, "Memory Byte Enable Parity Error"},
	{7, "Memory Data ECC Error"},
	{8, "REINIT Threshold Hit"},
	{9, "Received Unrecognized Encoding"},
	{10, "Received Poison From Peer"},
	{11, "Receiver Overflow"},
	{14, "Component Specific Error"},
	{15, "IDE Tx Error"},
	{16, "IDE Rx Error"},
};

#define NAMES(n) n, ARRAY_SIZE(n)

/* Where the words of a field stand in a line of text. */
enum place { NOWHERE, IN_TEXT, IN_TEXT_LABELLED };

static const struct row {
	struct event_words_field shown;
	unsigned int types; /* TYPE() of those that have these codes */
	enum event_field field;
	const struct name *names;
	size_t n;
	enum place place;
	/* The text leaves the value out that says nothing. */
	bool has_dull;
	uint8_t dull;
	const char *label;   /* of IN_TEXT_LABELLED */
	uint8_t shift, mask; /* the bits of the field; mask 0: all */
} rows[] = {
	{{"log", "Log", false}, ALL, FIELD_LOG, NAMES(logs)},
	{{"hdr_flags", "HeaderFlags", true}, ALL, FIELD_HDR_FLAGS, NAMES(header_flags)},
	{{"type", "Type", false}, MEDIA, FIELD_TYPE, NAMES(media_types), IN_TEXT},
	{{"type", "Type", false}, DRAM, FIELD_TYPE, NAMES(dram_types), IN_TEXT},
	{{"event_type", "Type", false}, MODULE, FIELD_EVENT_TYPE, NAMES(module_events), IN_TEXT},
	{{"trace_type", "Type", false}, POISON, FIELD_TRACE_TYPE, NAMES(poison_types)},
	{{"sub_type", "SubType", false},
	 MEDIA | DRAM,
	 FIELD_SUB_TYPE,
	 NAMES(sub_types),
	 IN_TEXT,
	 true},
	{{"event_sub_type", "SubType", false},
	 MODULE,
	 FIELD_EVENT_SUB_TYPE,
	 NAMES(module_sub_types),
	 IN_TEXT,
	 true},
	{{"transaction_type", "TransactionType", false},
	 MEDIA | DRAM,
	 FIELD_TRANSACTION_TYPE,
	 NAMES(transactions),
	 IN_TEXT,
	 true},
	{{"descriptor", "Descriptor", true},
	 MEDIA | DRAM,
	 FIELD_DESCRIPTOR,
	 NAMES(descriptors),
	 IN_TEXT},
	{{"cme_threshold_ev_flags", "ThresholdFlags", true},
	 MEDIA | DRAM,
	 FIELD_CME_THRESHOLD_EV_FLAGS,
	 NAMES(thresholds),
	 IN_TEXT},
	{{"dpa_flags", "DPAFlags", true}, MEDIA | DRAM, FIELD_DPA_FLAGS, NAMES(dpa_flags), IN_TEXT},
	{{"validity_flags", "ValidityFlags", true},
	 MEDIA,
	 FIELD_VALIDITY_FLAGS,
	 NAMES(media_valid)},
	{{"validity_flags", "ValidityFlags", true}, DRAM, FIELD_VALIDITY_FLAGS, NAMES(dram_valid)},
	{{"validity_flags", "ValidityFlags", true},
	 SPARING,
	 FIELD_VALIDITY_FLAGS,
	 NAMES(sparing_valid)},
	{{"validity_flags", "ValidityFlags", true},
	 MODULE,
	 FIELD_VALIDITY_FLAGS,
	 NAMES(module_valid)},
	{{"health_status", "HealthStatus", true},
	 MODULE,
	 FIELD_HEALTH_STATUS,
	 NAMES(health_status),
	 IN_TEXT},
	{{"media_status", "MediaStatus", false},
	 MODULE,
	 FIELD_MEDIA_STATUS,
	 NAMES(media_status),
	 IN_TEXT_LABELLED,
	 true,
	 .label = "media"},
	/* Additional Status: two fields of two bits, two of one. */
	{{"as_life_used", "LifeUsedStatus", false},
	 MODULE,
	 FIELD_ADD_STATUS,
	 NAMES(states),
	 IN_TEXT_LABELLED,
	 true,
	 .label = "life used status",
	 .mask = 3},
	{{"as_dev_temp", "TemperatureStatus", false},
	 MODULE,
	 FIELD_ADD_STATUS,
	 NAMES(states),
	 IN_TEXT_LABELLED,
	 true,
	 .label = "temperature status",
	 .shift = 2,
	 .mask = 3},
	{{"as_cor_vol_err_cnt", "CorrectedVolatileErrorStatus", false},
	 MODULE,
	 FIELD_ADD_STATUS,
	 NAMES(states),
	 IN_TEXT_LABELLED,
	 true,
	 .label = "corrected volatile errors",
	 .shift = 4,
	 .mask = 1},
	{{"as_cor_per_err_cnt", "CorrectedPersistentErrorStatus", false},
	 MODULE,
	 FIELD_ADD_STATUS,
	 NAMES(states),
	 IN_TEXT_LABELLED,
	 true,
	 .label = "corrected persistent errors",
	 .shift = 5,
	 .mask = 1},
	{{"flags", "SparingFlags", true}, SPARING, FIELD_FLAGS, NAMES(sparing_flags), IN_TEXT},
	{{"source", "PoisonSource", false},
	 POISON,
	 FIELD_SOURCE,
	 NAMES(poison_sources),
	 IN_TEXT_LABELLED,
	 true,
	 .label = "source"},
	{{"flags", "PoisonFlags", true}, POISON, FIELD_FLAGS, NAMES(poison_flags), IN_TEXT},
	{{"status", "LinkErrors", true}, AER_CE, FIELD_STATUS, NAMES(correctable), IN_TEXT},
	{{"status", "LinkErrors", true}, AER_UE, FIELD_STATUS, NAMES(uncorrectable), IN_TEXT},
	{{"first_error", "FirstLinkErrors", true}, AER_UE, FIELD_FIRST_ERROR, NAMES(uncorrectable)},
};

const struct event_words_field *event_words_field(size_t i)
{
	return i < ARRAY_SIZE(rows) ? &rows[i].shown : NULL;
}

static const char *find_name(const struct row *row, uint64_t code)
{
	for (size_t i = 0; i < row->n; i++)
		if (row->names[i].code == code)
			return row->names[i].text;
	return NULL;
}

__attribute__((format(printf, 2, 3))) static void add_word(struct event_words *w, const char *fmt,
							   ...)
{
	va_list ap;

	if (w->n == EVENT_WORDS_MAX)
		return;
	va_start(ap, fmt);
	(void)vsnprintf(w->word[w->n++], EVENT_WORD_SIZE, fmt, ap);
	va_end(ap);
}

/* The lowest bits of the header's flags are its severity, which is shown on its own. */
static uint64_t value_of(const struct row *row, uint64_t value)
{
	if (row->field == FIELD_HDR_FLAGS)
		return value & ~(uint64_t)EVENT_FLAG_SEVERITY;
	return row->mask ? value >> row->shift & row->mask : value;
}

bool event_words_read(size_t i, const struct event_record *rec, struct event_words *ret)
{
	const struct row *row = &rows[i];
	const struct opt_u64 number = event_number(rec, row->field);
	const uint64_t value = value_of(row, number.value);
	const char *name;

	ret->n = 0;
	if (!number.present || !(row->types & TYPE(rec->type)))
		return false;
	if (!row->shown.is_flags) {
		name = find_name(row, value);
		if (name)
			add_word(ret, "%s", name);
		else
			add_word(ret, "reserved (0x%" PRIx64 ")", value);
		return true;
	}
	for (unsigned int bit = 0; bit < 64; bit++) {
		if (!(value >> bit & 1))
			continue;
		name = find_name(row, bit);
		if (name)
			add_word(ret, "%s", name);
		else
			add_word(ret, "bit %u", bit);
	}
	return true;
}

/* Other names that programs print. */
static const struct {
	unsigned int types;
	enum event_field field;
	struct name name;
} aliases[] = {
	{MEDIA | DRAM, FIELD_TYPE, {0, "Media ECC Error"}},
	{MEDIA | DRAM, FIELD_TYPE, {5, "Advanced Programmable CME Counter Expiration"}},
	{DRAM | SPARING, FIELD_VALIDITY_FLAGS, {2, "nibble"}},
	{ALL, FIELD_HDR_FLAGS, {6, "maint op sub class valid"}},
	{ALL, FIELD_HDR_FLAGS, {7, "logical dev id valid"}},
	{ALL, FIELD_HDR_FLAGS, {8, "dev head id valid"}},
	{MODULE, FIELD_HEALTH_STATUS, {3, "mem capacity degraded"}},
	{MODULE, FIELD_MEDIA_STATUS, {4, "Write Persistency Loss in the Event of Power Loss"}},
};

/* A blank at which a line was wrapped may be missing. */
static bool is_word(const char *text, size_t len, const char *word)
{
	size_t i = 0;

	for (; *word; word++) {
		if (i < len && (tolower((unsigned char)text[i]) == tolower((unsigned char)*word) ||
				(text[i] == '_' && *word == ' ')))
			i++;
		else if (*word != ' ')
			return false;
	}
	return i == len;
}

/* Return: whether one name or number of a text is known; it is added to *ret. */
static bool parse_word(const struct row *row, const char *text, size_t len, uint64_t *ret)
{
	char number[24];
	uint64_t value;

	for (size_t i = 0; i < row->n; i++)
		if (is_word(text, len, row->names[i].text)) {
			*ret |= row->shown.is_flags ? UINT64_C(1) << row->names[i].code
						    : row->names[i].code;
			return true;
		}
	for (size_t i = 0; i < ARRAY_SIZE(aliases); i++)
		if (aliases[i].field == row->field && aliases[i].types & row->types &&
		    is_word(text, len, aliases[i].name.text)) {
			*ret |= row->shown.is_flags ? UINT64_C(1) << aliases[i].name.code
						    : aliases[i].name.code;
			return true;
		}
	if (!len || len >= sizeof(number) || !isdigit((unsigned char)*text))
		return false;
	(void)snprintf(number, sizeof(number), "%.*s", (int)len, text);
	if (parse_u64(number, &value) < 0)
		return false;
	*ret |= value;
	return true;
}

bool event_words_parse(enum event_type type, enum event_field field, const char *text,
		       uint64_t *ret)
{
	const struct row *row = rows;
	uint64_t value = 0;

	while (row < rows + ARRAY_SIZE(rows) && (row->field != field || !(row->types & TYPE(type))))
		row++;
	if (row == rows + ARRAY_SIZE(rows) || (!*text && !row->shown.is_flags))
		return false;
	/* The kernel quotes all of it, rasdaemon each flag. */
	while (*(text += strspn(text, "'|, "))) {
		const size_t next = strcspn(text, row->shown.is_flags ? "'|," : "'");
		size_t len = next;

		while (len && text[len - 1] == ' ')
			len--;
		if (!parse_word(row, text, len, &value))
			return false;
		text += next;
	}
	*ret = value;
	return true;
}

static void put_words(struct json_writer *w, const char *key, bool is_flags,
		      const struct event_words *words)
{
	if (!is_flags) {
		put_string(w, key, words->word[0]);
		return;
	}
	put_array(w, key);
	for (size_t i = 0; i < words->n; i++)
		put_string(w, NULL, words->word[i]);
	put_end(w);
}

void event_words_put_keys(struct json_writer *w, const struct event_record *rec)
{
	struct event_words words;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (event_words_read(i, rec, &words))
			put_words(w, rows[i].shown.key, rows[i].shown.is_flags, &words);
}

void event_words_put_properties(struct json_writer *w, const struct event_record *rec)
{
	struct event_words words;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (event_words_read(i, rec, &words))
			put_words(w, rows[i].shown.property, rows[i].shown.is_flags, &words);
}

/* ---- one line ---------------------------------------------------------------------------------
 */

/* In the order that one goes from the device to a cell. */
static const struct {
	enum event_field field;
	const char *word;
	bool is_hex;
} places[] = {
	{FIELD_CHANNEL, "channel", false},
	{FIELD_SUB_CHANNEL, "sub channel", false},
	{FIELD_RANK, "rank", false},
	{FIELD_DEVICE, "device", true},
	{FIELD_NIBBLE_MASK, "nibble mask", true},
	{FIELD_BANK_GROUP, "bank group", false},
	{FIELD_BANK, "bank", false},
	{FIELD_ROW, "row", false},
	{FIELD_COLUMN, "column", false},
};

/* Adds a part behind @gap, unless it is the first. */
__attribute__((format(printf, 3, 4))) static void add_part(char *text, const char *gap,
							   const char *fmt, ...)
{
	size_t n = strlen(text);
	va_list ap;

	if (n)
		n += (size_t)snprintf(text + n, EVENT_WORDS_TEXT_MAX - n, "%s", gap);
	if (n >= EVENT_WORDS_TEXT_MAX)
		return;
	va_start(ap, fmt);
	(void)vsnprintf(text + n, EVENT_WORDS_TEXT_MAX - n, fmt, ap);
	va_end(ap);
}

static void add_row(const struct row *row, const struct event_record *rec, char *text)
{
	struct event_words words;
	const uint64_t value = value_of(row, rec->number[row->field]);

	if (row->place == NOWHERE || (row->has_dull && value == row->dull) ||
	    !event_words_read((size_t)(row - rows), rec, &words))
		return;
	for (size_t i = 0; i < words.n; i++)
		if (row->place == IN_TEXT_LABELLED)
			add_part(text, ", ", "%s %s", row->label, words.word[i]);
		else
			add_part(text, ", ", "%s", words.word[i]);
}

static void add_number(const struct event_record *rec, enum event_field field, const char *word,
		       char *text)
{
	const struct opt_u64 n = event_number(rec, field);

	if (n.present && n.value)
		add_part(text, ", ", "%s %" PRIu64, word, n.value);
}

static void add_poison(const struct event_record *rec, char *text)
{
	static const char *const kinds[] = {
		[POISON_TRACE_LIST] = "read from the device's poison list",
		[POISON_TRACE_INJECT] = "injected on request",
		[POISON_TRACE_CLEAR] = "cleared on request",
		[POISON_TRACE_SCAN] = "found by a scan of the media",
	};
	struct opt_u64 kind = event_number(rec, FIELD_TRACE_TYPE);

	if (rec->type == EVENT_POISON_CLEARED)
		kind = OPT_U64(POISON_TRACE_CLEAR);
	if (kind.present && kind.value < ARRAY_SIZE(kinds) && kinds[kind.value])
		add_part(text, ", ", "%s", kinds[kind.value]);
	else if (kind.present)
		add_part(text, ", ", "poison event of type %" PRIu64, kind.value);
}

static void add_overflow(const struct event_record *rec, char *text)
{
	const struct opt_u64 n = event_number(rec, FIELD_COUNT),
			     first = event_number(rec, FIELD_FIRST_TS),
			     last = event_number(rec, FIELD_LAST_TS);
	char time[EVENT_TIME_MAX];

	add_part(text, ", ", "log overflowed");
	if (n.present)
		add_part(text, ", ", "%" PRIu64 " record%s lost", n.value, n.value == 1 ? "" : "s");
	if (first.present) {
		event_time(first.value, time);
		add_part(text, ", ", "the first at %s", time);
	}
	if (last.present) {
		event_time(last.value, time);
		add_part(text, ", ", "the last at %s", time);
	}
}

static void add_generic(const struct event_record *rec, char *text)
{
	char uuid[EVENT_UUID_TEXT_MAX];

	if (event_uuid(rec, BYTES_HDR_UUID, uuid))
		add_part(text, ", ", "record of type %s, which the kernel does not decode", uuid);
	else
		add_part(text, ", ", "record of a type that the kernel does not decode");
}

/* Adds the text before the codes, for types that the codes alone do not describe. */
static void add_kind(const struct event_record *rec, char *text)
{
	if (TYPE(rec->type) & POISON)
		add_poison(rec, text);
	else if (rec->type == EVENT_OVERFLOW)
		add_overflow(rec, text);
	else if (rec->type == EVENT_GENERIC)
		add_generic(rec, text);
}

static void add_sparing(const struct event_record *rec, char *text)
{
	const struct opt_u64 result = event_number(rec, FIELD_RESULT),
			     available = event_number(rec, FIELD_RES_AVAIL);

	if (rec->type != EVENT_MEMORY_SPARING)
		return;
	if (result.present)
		add_part(text, ", ", "result %" PRIu64, result.value);
	if (available.present)
		add_part(text, ", ", "spare resources available %" PRIu64, available.value);
}

void event_words_text(const struct event_record *rec, char ret[static EVENT_WORDS_TEXT_MAX])
{
	const char *log = event_log_number_name(event_number(rec, FIELD_LOG));

	event_words_without_log(rec, ret);
	if (log)
		add_part(ret, "; ", "%s log", log);
}

void event_words_without_log(const struct event_record *rec, char ret[static EVENT_WORDS_TEXT_MAX])
{
	const char *gap = "; ";

	ret[0] = '\0';
	add_kind(rec, ret);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		add_row(&rows[i], rec, ret);
	add_sparing(rec, ret);
	add_number(rec, FIELD_CME_COUNT, "corrected errors", ret);
	add_number(rec, FIELD_CVME_COUNT, "corrected errors", ret);
	if (rec->type == EVENT_MEMORY_MODULE && event_number(rec, FIELD_DEVICE_TEMP).present)
		add_part(ret, ", ", "temperature %" PRId64 " C",
			 event_number_signed(rec, FIELD_DEVICE_TEMP));
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		const struct opt_u64 n = event_number(rec, places[i].field);

		if (!n.present)
			continue;
		add_part(ret, gap, places[i].is_hex ? "%s 0x%" PRIx64 : "%s %" PRIu64,
			 places[i].word, n.value);
		gap = ", ";
	}
}
