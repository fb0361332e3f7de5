// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The table of finding_rows.h.
#include "model/finding.h"

#include "events/event_strings.h"

/* Next steps and resolutions that several rows have. */
#define ASK_VENDOR	"Ask the machine's vendor for firmware with a working PRM handler."
#define CHECK_COOLING	"Check the cooling of the device."
#define EXPLAIN		"Run \"cxl-spa explain\" on the host, and follow its advice."
#define PLAN_TO_REPLACE "Plan to replace the device."
#define RESOLVE_CAUSE	"Resolve the cause named in the message."
#define SAVE_DATA	"Copy the data to another device before the next loss of power or shutdown."
#define SEE_METRICS	"See the device's MemoryMetrics."

#define ARG(type_, what_)                                                                          \
	{                                                                                          \
		.type = FINDING_ARG_##type_, .what = what_                                         \
	}
#define OPTIONAL(type_, what_)                                                                     \
	{                                                                                          \
		.type = FINDING_ARG_##type_, .what = what_, .optional = true                       \
	}

#define FINDING(code, ...) [FINDING_##code] = {.name = #code, __VA_ARGS__},
#define ROW(code, level_, severity_, text_, ...)                                                   \
	FINDING(code, .level = FINDING_##level_, .severity = severity_, .text = text_,             \
		.args = {__VA_ARGS__})
#define FACT(code, ...)	   ROW(code, FACT, HEALTH_OK, __VA_ARGS__)
#define ADVICE(code, ...)  ROW(code, ADVICE, HEALTH_OK, __VA_ARGS__)
#define PROBLEM(code, ...) ROW(code, PROBLEM, __VA_ARGS__)

static const struct finding_row rows[FINDING_CODE_COUNT] = {
#include "model/finding_rows.h"
};

const struct finding_row *finding_row(enum finding_code code)
{
	return &rows[code];
}

enum finding_level finding_level(enum finding_code code)
{
	return rows[code].level;
}

enum health_level finding_severity(const struct finding *f)
{
	for (size_t i = 0; i < FINDING_ARGS_MAX; i++)
		if (f->args[i].type == FINDING_ARG_SEVERITY)
			return f->args[i].severity;
	return rows[f->code].severity;
}

static bool is_typed(const struct finding_arg *arg, const struct finding_param *param)
{
	if (arg->type == FINDING_ARG_NONE)
		return param->optional || param->type == FINDING_ARG_NONE;
	/* A list that the finding outlives is kept as the position of its first item. */
	return arg->type == param->type ||
	       (param->type == FINDING_ARG_LIST && arg->type == FINDING_ARG_NUMBER);
}

bool finding_is_typed(const struct finding *f)
{
	for (size_t i = 0; i < FINDING_ARGS_MAX; i++)
		if (!is_typed(&f->args[i], &rows[f->code].args[i]))
			return false;
	return true;
}
