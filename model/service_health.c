// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/service_health.h"

static enum finding_code firmware_code(enum firmware_state state)
{
	switch (state) {
	case FIRMWARE_READY:
		return FINDING_FIRMWARE_READY;
	case FIRMWARE_SLOW:
		return FINDING_FIRMWARE_SLOW;
	default:
		return FINDING_FIRMWARE_UNAVAILABLE;
	}
}

static struct finding firmware_finding(enum finding_code code, struct finding_arg arg)
{
	return (struct finding){.code = code, .object = FIRMWARE_DEVICE, .args = {arg}};
}

size_t firmware_findings(const struct firmware_status *s,
			 struct finding ret[static FIRMWARE_FINDINGS_MAX])
{
	const char *advice = firmware_state_advice(s->state);
	size_t n = 0;

	ret[n++] = firmware_finding(firmware_code(s->state), finding_text(s->text));
	if (s->known)
		ret[n++] = (struct finding){
			.code = FINDING_FIRMWARE_CALLS,
			.object = FIRMWARE_DEVICE,
			.args = {finding_number(s->rate), finding_number(s->burst),
				 finding_number(s->calls), finding_number(s->errors),
				 finding_number(s->throttled)},
		};
	if (s->rejected[0])
		ret[n++] = firmware_finding(FINDING_FIRMWARE_ANSWER_REJECTED,
					    finding_text(s->rejected));
	if (s->n_failing) {
		ret[n] = firmware_finding(FINDING_FIRMWARE_ERROR, finding_number(s->n_failing));
		ret[n++].args[1] = finding_text(s->failing);
	}
	if (advice)
		ret[n++] = firmware_finding(FINDING_FIRMWARE_ADVICE, finding_text(advice));
	return n;
}

/* @first: the code of the first fault, which those of the others follow */
static size_t add_finding(enum finding_code first, unsigned int fault, const char *object,
			  const char *text, struct finding *ret)
{
	if (!text[0])
		return 0;
	*ret = (struct finding){
		.code = first + fault,
		.object = object,
		.args = {finding_text(text)},
	};
	return 1;
}

size_t recording_findings(const struct recording_faults *faults,
			  struct finding ret[static RECORDING_FAULTS])
{
	size_t n = 0;

	for (unsigned int i = 0; i < RECORDING_FAULTS; i++)
		n += add_finding(FINDING_EVENTS_NOT_RECORDED, i, "host", faults->text[i], &ret[n]);
	return n;
}

size_t service_findings(const struct service_faults *faults,
			struct finding ret[static SERVICE_FAULTS])
{
	size_t n = 0;

	for (unsigned int i = 0; i < SERVICE_FAULTS; i++)
		n += add_finding(FINDING_HELPER_UNAVAILABLE, i, "service", faults->text[i],
				 &ret[n]);
	return n;
}
