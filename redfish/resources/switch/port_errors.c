// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/switch/port_errors.h"

#include <stddef.h>

#include "common/array.h"
#include "redfish/core/odata.h"

struct counter {
	const char *key;
	size_t offset; /* in struct aer_counters */
};

#define COUNTER(key, member)                                                                       \
	{                                                                                          \
		key, offsetof(struct aer_counters, member)                                         \
	}

static const struct counter errors[] = {
	COUNTER("CorrectableErrorCount", correctable),
	COUNTER("NonFatalErrorCount", nonfatal),
	COUNTER("FatalErrorCount", fatal),
	COUNTER("BadTLPCount", bad_tlp),
	COUNTER("BadDLLPCount", bad_dllp),
	COUNTER("ReplayCount", replay_timeout),
	COUNTER("ReplayRolloverCount", replay_rollover),
	COUNTER("UnsupportedRequestCount", unsupported_request),
};

static const struct counter oem_errors[] = {
	COUNTER("ReceiverErrorCount", receiver_error),
	COUNTER("RootPortCorrectableErrorCount", root_correctable),
	COUNTER("RootPortNonFatalErrorCount", root_nonfatal),
	COUNTER("RootPortFatalErrorCount", root_fatal),
};

static struct opt_u64 count(const struct aer_counters *aer, const struct counter *c)
{
	return *(const struct opt_u64 *)((const char *)aer + c->offset);
}

static bool any_known(const struct aer_counters *aer, const struct counter *counters, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (count(aer, &counters[i]).present)
			return true;
	return false;
}

static void put_counters(const struct aer_counters *aer, const struct counter *counters, size_t n,
			 struct json_writer *w)
{
	for (size_t i = 0; i < n; i++)
		put_opt_number(w, counters[i].key, count(aer, &counters[i]));
}

void put_port_errors(const struct aer_counters *aer, struct json_writer *w)
{
	if (!aer || !any_known(aer, errors, ARRAY_SIZE(errors)))
		return;
	put_object(w, "PCIeErrors");
	put_counters(aer, errors, ARRAY_SIZE(errors), w);
	put_end(w);
}

void put_port_error_oem(const struct aer_counters *aer, struct json_writer *w)
{
	if (!aer || !any_known(aer, oem_errors, ARRAY_SIZE(oem_errors)))
		return;
	put_oem_begin(w, "#CXLHostPortMetrics.v1_0_0.PortMetrics");
	put_counters(aer, oem_errors, ARRAY_SIZE(oem_errors), w);
	put_oem_end(w);
}
