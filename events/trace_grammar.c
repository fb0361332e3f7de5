// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/trace_grammar.h"

#include <string.h>

#include "common/array.h"
#include "common/strutil.h"

/* drivers/cxl/core/trace.h of Linux 6.3 to 7.3. */
#define KERNEL_HEAD                                                                                \
	"memdev|host|serial|log|time|uuid|len|'flags|handle|related_handle|maint_op_class|"        \
	"?maint_op_sub_class|?ld_id|?head_id|dpa|'dpa_flags|'descriptor|'type|'sub_type|"          \
	"'transaction_type|channel|rank|"
#define KERNEL_COMPONENT "'comp_id_pldm_valid_flags|pldm_entity_id|pldm_resource_id|"

/* The format files of these kernels, whose order libtraceevent and cxl monitor keep. */
#define FORMAT_HEAD                                                                                \
	"memdev|host|log|hdr_uuid|serial|hdr_flags|hdr_handle|hdr_related_handle|"                 \
	"hdr_timestamp|hdr_length|hdr_maint_op_class|?hdr_maint_op_sub_class|?hdr_ld_id|"          \
	"?hdr_head_id|dpa|descriptor|type|transaction_type|channel|"
#define FORMAT_GENERAL_MEDIA                                                                       \
	FORMAT_HEAD "device|comp_id|hpa|hpa_alias0|region_uuid|validity_flags|rank|dpa_flags|"     \
		    "region_name|cme_count|sub_type|cme_threshold_ev_flags|cme_count|region_name"
#define FORMAT_DRAM                                                                                \
	FORMAT_HEAD "validity_flags|column|nibble_mask|row|cor_mask|hpa|hpa_alias0|region_uuid|"   \
		    "rank|bank_group|bank|dpa_flags|region_name|comp_id|cvme_count|sub_type|"      \
		    "sub_channel|cme_threshold_ev_flags|cvme_count|region_name"
#define FORMAT_POISON                                                                              \
	"memdev|host|serial|trace_type|region|overflow_ts|hpa|?hpa_alias0|dpa|dpa_length|uuid|"    \
	"source|flags"
#define MONITOR_HEAD "system|event|timestamp|"

/* ras-cxl-handler.c of rasdaemon 0.8.0 to 0.8.5, and ras-mc-ctl. */
#define RASDAEMON_HEAD                                                                             \
	"memdev|host|serial|log type|hdr_uuid|hdr_handle|hdr_related_handle|hdr_timestamp|"        \
	"hdr_length|?hdr_maint_op_class|?hdr_maint_op_sub_class|?hdr_ld_id|?hdr_head_id|dpa|?hpa|" \
	"dpa_flags|descriptor|type|memory_event_type|memory_event_sub_type|transaction_type|"      \
	"hpa|hpa_alias0|region|region_uuid|channel|sub_channel|rank|"
#define RASDAEMON_TAIL                                                                             \
	"comp_id|comp_id_pldm_valid_flags|PLDM Entity ID|Resource ID|"                             \
	"Advanced Programmable CME threshold Event Flags|"
#define RASDAEMON_POISON                                                                           \
	"memdev|host|serial|trace_type|region|region_uuid|?poison list|?hpa|?hpa_alias0|dpa|"      \
	"dpa_length|source|flags|overflow timestamp"
#define RAS_MC_CTL_HEAD                                                                            \
	"memdev|host|serial|log|hdr_uuid|?hdr_flags|hdr_handle|hdr_related_handle|hdr_timestamp|"  \
	"hdr_length|?hdr_maint_op_class|?hdr_maint_op_sub_class|?hdr_ld_id|?hdr_head_id|dpa|"      \
	"dpa_flags|descriptor_flags|memory event type|memory event sub type|transaction_type|"     \
	"channel|sub_channel|rank|"
#define RAS_MC_CTL_COMPONENT "component_id|pldm_entity_id|pldm_resource_id|"
#define RAS_MC_CTL_ADDRESS   "hpa|hpa_alias0|region|region_uuid|"

static const struct trace_grammar grammars[] = {
	{TRACE_KERNEL, "cxl_general_media",
	 KERNEL_HEAD "device|comp_id|'validity_flags|comp_id|" KERNEL_COMPONENT
		     "hpa|hpa_alias0|region|region_uuid|'cme_threshold_ev_flags|cme_count"},
	{TRACE_KERNEL, "cxl_dram",
	 KERNEL_HEAD "nibble_mask|bank_group|bank|row|column|cor_mask|'validity_flags|"
		     "comp_id|" KERNEL_COMPONENT "hpa|hpa_alias0|region|region_uuid|sub_channel|"
		     "'cme_threshold_ev_flags|cvme_count"},
	{TRACE_KERNEL, "cxl_poison",
	 "memdev|host|serial|trace_type|region|?region_uuid|?hpa|?hpa_alias0|dpa|dpa_length|"
	 "source|flags|overflow_time"},
	{TRACE_FIELDS_ONLY, "cxl_general_media", FORMAT_GENERAL_MEDIA},
	{TRACE_FIELDS_ONLY, "cxl_dram", FORMAT_DRAM},
	{TRACE_FIELDS_ONLY, "cxl_poison", FORMAT_POISON},
	{TRACE_RASDAEMON, "cxl_general_media",
	 RASDAEMON_HEAD "device|" RASDAEMON_TAIL "Corrected Memory Error Count"},
	{TRACE_RASDAEMON, "cxl_dram",
	 RASDAEMON_HEAD "nibble_mask|bank_group|bank|row|column|correction_mask|" RASDAEMON_TAIL
			"CVME Count"},
	{TRACE_RASDAEMON, "cxl_poison", RASDAEMON_POISON},
	{TRACE_RAS_MC_CTL, NULL,
	 RAS_MC_CTL_HEAD "device|" RAS_MC_CTL_COMPONENT RAS_MC_CTL_ADDRESS
			 "cme_threshold_ev_flags|cme_count"},
	{TRACE_RAS_MC_CTL, NULL,
	 RAS_MC_CTL_HEAD
	 "nibble_mask|bank_group|bank|row|column|correction_mask|" RAS_MC_CTL_ADDRESS
		 RAS_MC_CTL_COMPONENT "cme_threshold_ev_flags|cvme_count"},
	{TRACE_RAS_MC_CTL, NULL,
	 "memdev|host|serial|trace_type|?region|?region_uuid|?hpa|?hpa_alias0|dpa|dpa_length|"
	 "source|flags|overflow timestamp"},
	{TRACE_MONITOR, "cxl_general_media", MONITOR_HEAD FORMAT_GENERAL_MEDIA},
	{TRACE_MONITOR, "cxl_dram", MONITOR_HEAD FORMAT_DRAM},
	{TRACE_MONITOR, "cxl_poison", MONITOR_HEAD FORMAT_POISON},
	{TRACE_OWN, NULL, ""}, /* names that are added later change no address */
};

const struct trace_grammar *trace_grammar_next(enum trace_program program, const char *event,
					       size_t *i)
{
	while (*i < ARRAY_SIZE(grammars)) {
		const struct trace_grammar *g = &grammars[(*i)++];

		if (g->program == program && (!g->event || !*event || str_equal(g->event, event)))
			return g;
	}
	return NULL;
}

const char *trace_separators(enum trace_program program)
{
	return program == TRACE_RASDAEMON ? ":" : program == TRACE_RAS_MC_CTL ? "=:" : "=";
}

/* A name in a grammar; @next is the row behind it. */
struct row {
	const char *name, *next;
	size_t len;
	bool optional, quoted;
};

static struct row read_row(const char *at)
{
	struct row row = {.optional = *at == '?'};

	at += row.optional;
	row.quoted = *at == '\'';
	row.name = at + row.quoted;
	row.len = strcspn(row.name, "|");
	row.next = row.name + row.len + (row.name[row.len] == '|');
	return row;
}

/*
 * @ret_skips: there are others before it that are not optional
 *
 * Return: whether a row of that name is from @at on, which is @ret.
 */
static bool find_row(const char *at, const char *name, size_t len, struct row *ret, bool *ret_skips)
{
	*ret_skips = false;
	for (; *at; at = ret->next) {
		*ret = read_row(at);
		if (ret->len == len && memcmp(ret->name, name, len) == 0)
			return true;
		*ret_skips |= !ret->optional;
	}
	return false;
}

bool trace_is_field(const char *name, size_t len)
{
	struct row row;
	bool skips;

	for (size_t i = 0; i < ARRAY_SIZE(grammars); i++)
		if (find_row(grammars[i].fields, name, len, &row, &skips))
			return true;
	return false;
}

size_t trace_field_length(const char *text)
{
	const size_t end = strcspn(text, "=:");

	return text[end] && trace_is_field(text, end) ? end : 0;
}

enum trace_place trace_grammar_field(const struct trace_grammar *g, const char **position,
				     const char *text, const char *ends, struct trace_name *ret)
{
	const size_t len = *ends ? strcspn(text, "=:") : strlen(text);
	struct row row;
	bool skips;

	if (*ends && !(text[len] && strchr(ends, text[len])))
		return TRACE_NO_FIELD;
	if (!find_row(*position, text, len, &row, &skips))
		return find_row(g->fields, text, len, &row, &skips) ? TRACE_OUT_OF_ORDER
								    : TRACE_NO_FIELD;
	*position = row.next;
	*ret = (struct trace_name){row.len, row.quoted, skips};
	return TRACE_IN_ORDER;
}
