// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Who translates: Normalized addressing, firmware's handler, and what each decoder gets now.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/explain.h"
#include "cli/names.h"
#include "prm/prmt.h"

/* By enum prm_state. */
static const char *const prm_texts[] = {
	[PRM_PRESENT] = "firmware has the PRM handler that translates DPA to SPA",
	[PRM_NO_TABLE] = "firmware has no ACPI table PRMT, so there is no PRM handler that "
			 "translates DPA to SPA",
	[PRM_UNREADABLE] = "the ACPI table PRMT cannot be read, so it is unknown whether firmware "
			   "has a PRM handler",
	[PRM_DAMAGED] = "the ACPI table PRMT is damaged and was refused",
	[PRM_NO_HANDLER] = "the ACPI table PRMT names no handler "
			   "EE41B397-25D4-452C-AD54-48C6E3480B94, the one that translates DPA to "
			   "SPA",
	[PRM_NO_ADDRESS] = "the ACPI table PRMT names the handler that translates DPA to SPA, but "
			   "gives 0 as its address, so nobody can call it",
};

enum prm_state explain_prm_state(const struct explanation *x)
{
	const struct host_table *table = &x->host->tables[HOST_TABLE_PRMT];
	const struct prmt *prmt = translator_prmt(x->translator);
	const struct prmt_handler *handler;

	if (table->error == -ENOENT || (!table->data && !table->error))
		return PRM_NO_TABLE;
	if (table->error)
		return PRM_UNREADABLE;
	if (!prmt)
		return PRM_DAMAGED;
	handler = prmt_find(prmt, prmt_cxl_dpa_to_spa_guid);
	if (!handler)
		return PRM_NO_HANDLER;
	return handler->address ? PRM_PRESENT : PRM_NO_ADDRESS;
}

const char *explain_prm_text(enum prm_state state)
{
	return prm_texts[state];
}

bool explain_host_is_normalized(const struct host *host)
{
	for (size_t i = 0; i < host->n_decoders; i++)
		if (host->decoders[i]->port->kind == PORT_ENDPOINT &&
		    decoder_mapping(host->decoders[i]) == MAPPING_NORMALIZED)
			return true;
	return false;
}

int explain_kernel_is(const struct host *host, unsigned int major, unsigned int minor)
{
	const char *s = host->kernel_release;
	unsigned long a, b;
	char *end;

	if (!s || *s < '0' || *s > '9')
		return -1;
	a = strtoul(s, &end, 10);
	if (*end != '.' || end[1] < '0' || end[1] > '9')
		return -1;
	b = strtoul(end + 1, &end, 10);
	return a > major || (a == major && b >= minor);
}

/* How many addresses of a decoder are tried to see who answers. */
enum { SAMPLES = 8 };

/* Asks for one DPA and notes in @mask who answered. Return: the answer, in @answers. */
static const struct answer *sample(struct explanation *x, const struct memdev *m, uint64_t dpa,
				   unsigned int *mask, struct answers *answers)
{
	answers->n = 0;
	if (translate_dpa_wait(x->translator, m, dpa, dpa, &x->timeout, answers) < 0) {
		x->no_memory = true;
		return NULL;
	}
	if (!answers->n)
		return NULL;
	*mask |= 1U << answers->items[0].source;
	return &answers->items[0];
}

/* What to do when firmware has the handler, and it does not answer. */
static void advise_on_firmware(struct explanation *x, const char *object)
{
	struct firmware_status status;

	if (!x->cli->firmware)
		return;
	firmware_status(x->cli->firmware, &status);
	if (firmware_state_advice(status.state))
		explain_advice(x, object, "exact addresses need firmware's PRM handler: %s",
			       firmware_state_advice(status.state));
}

void explain_firmware(struct explanation *x)
{
	static const char *const subject = FIRMWARE_DEVICE;
	struct firmware_status s;

	if (!x->cli->firmware)
		return;
	firmware_refresh(x->cli->firmware); /* its counters stand as of the last look */
	firmware_status(x->cli->firmware, &s);
	if (s.state != FIRMWARE_READY && !explain_host_is_normalized(x->host))
		return;
	if (s.state == FIRMWARE_READY)
		explain_info(x, subject, "%s", s.text);
	else
		explain_problem(x, subject, "%s", s.text);
	if (s.known)
		explain_info(x, subject,
			     "the module allows %u calls per second, %u at once; since it was "
			     "loaded it made %" PRIu64 ", of which %" PRIu64
			     " failed, and held back %" PRIu64,
			     s.rate, s.burst, s.calls, s.errors, s.throttled);
	if (s.rejected[0])
		explain_problem(x, subject, "firmware gave an answer that cannot be true: %s",
				s.rejected);
	if (s.n_failing)
		explain_problem(x, subject,
				"firmware had an error for addresses of %zu devices, the first %s",
				s.n_failing, s.failing);
	if (firmware_state_advice(s.state))
		explain_advice(x, subject, "%s", firmware_state_advice(s.state));
}

/* Says what to do when of some addresses (or all) only an interval or nothing is known. */
static void advise_on_source(struct explanation *x, const char *object, const struct decoder *d,
			     bool some_recorded)
{
	if (some_recorded) {
		explain_advice(
			x, object,
			"this capture holds the answers of firmware's PRM handler for some "
			"chunks of 256 bytes only; of the others, ask on the machine itself");
	} else if (decoder_mapping(d) == MAPPING_NORMALIZED) {
		if (explain_prm_state(x) == PRM_UNREADABLE)
			explain_advice(
				x, object,
				"run this as root: ordinary users may not read the ACPI table "
				"PRMT, which names firmware's PRM handler");
		else if (explain_prm_state(x) != PRM_PRESENT)
			explain_advice(
				x, object,
				"exact addresses need firmware's PRM handler, and %s: ask the "
				"machine's vendor for firmware that has it",
				explain_prm_text(explain_prm_state(x)));
		else if (x->host->root->captured)
			explain_advice(
				x, object,
				"exact addresses need firmware's PRM handler, and this capture "
				"does not hold its answers for them: ask on the machine itself");
		else
			advise_on_firmware(x, object);
	} else if (x->host->tables[HOST_TABLE_CEDT].error == -EACCES || x->host->n_denied) {
		explain_advice(x, object,
			       "run this as root: an ordinary user may not read decoder start "
			       "addresses and the ACPI table CEDT");
	}
}

/* Those that name one address. */
#define EXACT_SOURCES (~(1U << SOURCE_NONE | 1U << SOURCE_ESTIMATE))

static const char *mask_words(unsigned int mask, struct names *names)
{
	for (unsigned int s = SOURCE_KERNEL; s <= SOURCE_ESTIMATE; s++)
		if (mask & (1U << s))
			names_add(names, "%s", answer_source_name((enum answer_source)s));
	return names_end(names);
}

void explain_sources(struct explanation *x, const char *object, const struct decoder *d)
{
	char why_none[ANSWER_REASON_MAX] = "", why_interval[ANSWER_REASON_MAX] = "";
	const struct memdev *m = d->port->memdev;
	struct answers answers = {0};
	struct names names = {0};
	unsigned int mask = 0;
	bool partly;

	if (!m || !d->dpa_resource.present || !d->dpa_size.present || !d->dpa_size.value)
		return;
	for (uint64_t i = 0; i < SAMPLES; i++) {
		uint64_t dpa = d->dpa_resource.value + d->dpa_size.value / SAMPLES * i;
		const struct answer *a = sample(x, m, dpa, &mask, &answers);

		if (a && !a->has_spa)
			(void)snprintf(why_none, sizeof(why_none), "%s", a->reason);
		else if (a && !a->exact)
			(void)snprintf(why_interval, sizeof(why_interval), "%s", a->reason);
	}
	answers_done(&answers);
	partly = mask & EXACT_SOURCES && (why_interval[0] || mask & (1U << SOURCE_NONE));
	if (mask & EXACT_SOURCES)
		explain_info(x, object, "%sDPAs are translated by: %s", partly ? "some " : "",
			     mask_words(mask & EXACT_SOURCES, &names));
	else if (mask & (1U << SOURCE_ESTIMATE))
		explain_info(x, object, "DPAs are translated by: %s",
			     answer_source_name(SOURCE_ESTIMATE));
	if (mask & (1U << SOURCE_NONE))
		explain_problem(x, object, "no SPA can be given for %sDPAs: %s",
				partly ? "other " : "",
				why_none[0] ? why_none : "no source of translation could answer");
	if (why_interval[0])
		explain_problem(x, object,
				"%sDPAs are answered by an interval instead of one SPA: %s",
				partly ? "other " : "", why_interval);
	if (why_interval[0] || mask & (1U << SOURCE_NONE))
		advise_on_source(x, object, d, mask & (1U << SOURCE_RECORDED));
}
