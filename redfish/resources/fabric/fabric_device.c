// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/fabric/fabric_device.h"

#include "redfish/core/odata.h"
#include "redfish/core/uris.h"

struct opt_u64 device_ld_count(const struct fabric_device *d)
{
	if (!d)
		return (struct opt_u64){0};
	if (d->reading->has_ld_info)
		return OPT_U64(d->reading->ld_info.n_lds);
	return fabric_device_is_sld(d) ? OPT_U64(1) : (struct opt_u64){0};
}

struct opt_bool device_throughput_reduction(const struct fabric_device *d)
{
	if (!d || !d->reading->has_ld_info)
		return (struct opt_bool){0};
	return OPT_BOOL(d->reading->ld_info.throughput_reduction);
}

void put_throughput_reduction_enabled(const struct fabric_device *d, struct json_writer *w)
{
	if (d && d->reading->has_qos)
		put_bool(w, "TemporaryThroughputReductionEnabled",
			 d->reading->qos.throughput_reduction);
}

void put_percentage(struct json_writer *w, const char *key, unsigned int percent)
{
	if (percent <= 100)
		put_number(w, key, percent);
}

void put_port_qos(const struct fabric_device *d, struct json_writer *w)
{
	const struct fmapi_qos_control *q = &d->reading->qos;

	if (d->reading->has_ld_info) {
		put_object(w, "QoSTelemetryCapabilities");
		put_bool(w, "EgressPortBackpressureSupported",
			 d->reading->ld_info.egress_congestion);
		put_end(w);
	}
	if (!d->reading->has_qos)
		return;
	put_object(w, "Congestion");
	put_bool(w, "CongestionTelemetryEnabled", q->egress_congestion);
	put_percentage(w, "EgressModeratePercentage", q->moderate_percent);
	put_percentage(w, "EgressSeverePercentage", q->severe_percent);
	put_number(w, "BackpressureSampleInterval", q->sample_interval_ns);
	put_number(w, "MaxSustainedRequestCmpBias", q->req_cmp_basis);
	put_number(w, "CompletionCollectionInterval", q->completion_interval_ns);
	put_end(w);
}

void put_domain_sizes(const struct fabric_device *d, struct json_writer *w)
{
	if (d->reading->has_ld_info)
		put_opt_mib(w, "MemorySizeMiB", OPT_U64(d->reading->ld_info.memory_size));
	put_opt_mib(w, "MemoryChunkIncrementMiB", d->reading->granularity);
}

static void put_fraction(struct json_writer *w, const char *key, struct opt_int fraction)
{
	if (fraction.present)
		put_number(w, key, fmapi_percent_of_fraction((uint8_t)fraction.value));
}

void put_ld_qos(const struct fabric_ld *ld, struct json_writer *w)
{
	if (!ld->reading->allocated.present && !ld->reading->limit.present)
		return;
	put_object(w, "QoS");
	put_fraction(w, "AllocatedBandwidth", ld->reading->allocated);
	put_fraction(w, "LimitPercent", ld->reading->limit);
	put_end(w);
}

bool ld_has_chunk(const struct fabric_ld *ld)
{
	return ld->reading->size.present && ld->reading->size.value > 0;
}

void put_entity(struct json_writer *w, const char *type, const char *role)
{
	put_object(w, NULL);
	put_string(w, "EntityType", type);
	put_string(w, "EntityRole", role);
}

void put_ld_entities(const struct fabric_ld *ld, struct json_writer *w)
{
	put_entity(w, "CXLDevice", "Target");
	put_link(w, "EntityLink", URI_NTH_LOGICAL_DEVICE, ld->device->id, ld->id);
	put_end(w);
	put_ld_chunk_entity(ld, w);
}

void put_ld_chunk_entity(const struct fabric_ld *ld, struct json_writer *w)
{
	if (!ld_has_chunk(ld))
		return;
	put_entity(w, "MemoryChunk", "Target");
	put_link(w, "EntityLink", URI_LD_CHUNK, ld->device->id, ld->id);
	put_end(w);
}
