// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Families about the service itself, and the firmware that translates addresses.
#include "common/array.h"
#include "daemon/metrics_scrape.h"
#include "redfish/core/system_id.h"

static void put_version(struct metrics_scrape *x, const struct metric_family *f)
{
	metric_sample_with(&x->out, f, NULL, "version", PACKAGE_VERSION, 1);
}

/* The default Id is that of all hosts, and says nothing. */
static void put_system_id(struct metrics_scrape *x, const struct metric_family *f)
{
	if (system_id_is_used())
		metric_sample_with(&x->out, f, NULL, "system", system_id_text(), 1);
}

static void put_service_faults(struct metrics_scrape *x, const struct metric_family *f)
{
	static const char *const services[SERVICE_FAULTS] = {
		[SERVICE_FAULT_HELPER] = "helper",
		[SERVICE_FAULT_STATE] = "state_database",
		[SERVICE_FAULT_CONFIG] = "config_refused",
		[SERVICE_FAULT_NO_CXL] = "cxl_missing",
		[SERVICE_FAULT_POLICY] = "page_policy_idle",
		[SERVICE_FAULT_COLLECTOR] = "collector_blocked",
	};
	static const char *const recordings[RECORDING_FAULTS] = {
		[RECORDING_FAULT_NOT_RECORDED] = "events_not_recorded",
		[RECORDING_FAULT_NO_EVENTS] = "events_not_in_kernel",
		[RECORDING_FAULT_PARTLY] = "events_partly_recorded",
		[RECORDING_FAULT_LOST] = "events_lost",
		[RECORDING_FAULT_LOST_AT_END] = "events_lost_at_end",
		[RECORDING_FAULT_NOT_STORED] = "events_not_stored",
		[RECORDING_FAULT_REPLACED] = "event_store_replaced",
		[RECORDING_FAULT_LOG_FULL] = "event_log_full",
	};
	const struct view_inputs *in = &x->view->inputs;

	for (int i = 0; i < SERVICE_FAULTS; i++)
		metric_sample_with(&x->out, f, NULL, "fault", services[i],
				   in->service_faults.text[i][0] != '\0');
	for (int i = 0; x->events && i < RECORDING_FAULTS; i++)
		metric_sample_with(&x->out, f, NULL, "fault", recordings[i],
				   in->recording_faults.text[i][0] != '\0');
}

static const struct metric_family service_rows[] = {
	{"cxl_redfish", METRIC_INFO, "version", "This service.", .put = put_version},
	{"cxl_redfish_system", METRIC_INFO, "system",
	 "The Id of the host in URIs, where it is not the default.", .put = put_system_id},
	{"cxl_service_fault", METRIC_GAUGE, "fault",
	 "Whether a part of the service does not work: 1 it does not.", .put = put_service_faults},
};

const struct metric_families metric_service_families = METRIC_FAMILIES(service_rows);

/* ---- firmware ---------------------------------------------------------------------------------
 */

/* Also where there is none to be called: of a captured host. */
static bool firmware_needed(struct metrics_scrape *x, double *ret)
{
	*ret = view_host_needs_firmware(x->view->host);
	return true;
}

static void put_firmware_state(struct metrics_scrape *x, const struct metric_family *f)
{
	const char *names[FIRMWARE_STATES];
	struct firmware_status s;

	if (!x->firmware)
		return;
	firmware_status(x->firmware, &s);
	for (unsigned int i = 0; i < FIRMWARE_STATES; i++)
		names[i] = firmware_state_name(i);
	metric_states(&x->out, f, names, FIRMWARE_STATES, s.state);
}

/*
 * A number of the firmware's client, which is known with a client.
 * @known: also, whether the module answers
 */
#define FIRMWARE_VALUE(name, number, known)                                                        \
	static bool firmware_##name(struct metrics_scrape *x, double *ret)                         \
	{                                                                                          \
		struct firmware_status s = {0};                                                    \
                                                                                                   \
		if (x->firmware)                                                                   \
			firmware_status(x->firmware, &s);                                          \
		*ret = (double)(number);                                                           \
		return x->firmware && (known);                                                     \
	}

FIRMWARE_VALUE(calls, s.calls, s.known)
FIRMWARE_VALUE(errors, s.errors, s.known)
FIRMWARE_VALUE(refused, s.refused, s.known)
FIRMWARE_VALUE(throttled, s.throttled, s.known)
FIRMWARE_VALUE(in_flight, s.in_flight_ms / 1e3, s.known)
FIRMWARE_VALUE(cached, s.hits, true)
FIRMWARE_VALUE(queried, s.queried, true)
FIRMWARE_VALUE(failing, s.n_failing, true)

#define SINCE_THE_MODULE " since the module cxl_prm was loaded."

static const struct metric_family firmware_rows[] = {
	{"cxl_firmware_needed", METRIC_GAUGE, "",
	 "Whether addresses of this host can be translated by firmware only.",
	 .value = firmware_needed},
	{"cxl_firmware_state", METRIC_STATESET, "cxl_firmware_state",
	 "Whether firmware can be queried by /dev/cxl_prm.", .put = put_firmware_state},
	{"cxl_firmware_devices_failing", METRIC_GAUGE, "",
	 "Devices of which the last address was not translated by firmware.",
	 .value = firmware_failing},
	{"cxl_firmware_cached", METRIC_COUNTER, "",
	 "Addresses whose translation was still known" SINCE_START, .value = firmware_cached},
	{"cxl_firmware_queried", METRIC_COUNTER, "",
	 "Addresses that firmware was queried for" SINCE_START, .value = firmware_queried},
	{"cxl_firmware_calls", METRIC_COUNTER, "", "Calls of firmware" SINCE_THE_MODULE,
	 .value = firmware_calls},
	{"cxl_firmware_errors", METRIC_COUNTER, "",
	 "Calls of firmware that failed" SINCE_THE_MODULE, .value = firmware_errors},
	{"cxl_firmware_refused", METRIC_COUNTER, "",
	 "Queries that the module rejected" SINCE_THE_MODULE, .value = firmware_refused},
	{"cxl_firmware_throttled", METRIC_COUNTER, "",
	 "Queries that the rate limit of the module delayed or rejected" SINCE_THE_MODULE,
	 .value = firmware_throttled},
	{"cxl_firmware_call_seconds", METRIC_GAUGE, "",
	 "How long the call of firmware takes that is being made; 0 when none is.",
	 .value = firmware_in_flight},
};

const struct metric_families metric_firmware_families = METRIC_FAMILIES(firmware_rows);
