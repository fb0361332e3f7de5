// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/metrics_scrape.h"

#include <errno.h>
#include <stdlib.h>

#include "common/array.h"
#include "redfish/view/view_holder.h"

#define DEVICE		 "device,memdev"
#define EACH_DEVICE(v)	 put_each_device, &metric_device_##v
#define EACH_REGION(v)	 put_each_region, &metric_region_##v
#define SINCE_START	 " since the service started."
#define SINCE_THE_LOG	 " since the log was created."
#define SINCE_THE_MODULE " since the module cxl_prm was loaded."

/* The one table: docs/metrics.md is printed from it. Names are never changed. */
static const struct metric_family families[] = {
	/* the service */
	{"cxl_redfish", METRIC_INFO, "version", "This service.", put_version, NULL},
	{"cxl_service_fault", METRIC_GAUGE, "fault",
	 "Whether a part of the service does not work: 1 it does not.", put_service_faults, NULL},

	/* memory devices */
	{"cxl_device", METRIC_INFO, DEVICE ",serial,pci,firmware", "A CXL memory device.",
	 put_device_info, NULL},
	{"cxl_device_health", METRIC_GAUGE, DEVICE,
	 "Health of the device as in Redfish: 0 OK, 1 warning, 2 critical.", EACH_DEVICE(health)},
	{"cxl_device_enabled", METRIC_GAUGE, DEVICE, "Whether the driver cxl_mem is bound to it.",
	 EACH_DEVICE(enabled)},
	{"cxl_device_responding", METRIC_GAUGE, DEVICE,
	 "Whether it answered the last mailbox commands in time.", EACH_DEVICE(responding)},
	{"cxl_device_temperature_celsius", METRIC_GAUGE, DEVICE, "Temperature of the device.",
	 EACH_DEVICE(temperature)},
	{"cxl_device_temperature_warning_celsius", METRIC_GAUGE, DEVICE,
	 "Temperature from which on the device warns.", EACH_DEVICE(temperature_warning)},
	{"cxl_device_temperature_critical_celsius", METRIC_GAUGE, DEVICE,
	 "Temperature that is critical for the device.", EACH_DEVICE(temperature_critical)},
	{"cxl_device_life_used_ratio", METRIC_GAUGE, DEVICE,
	 "Part of the life of the device that is used; 1 is all of it.", EACH_DEVICE(life_used)},
	{"cxl_device_corrected_errors", METRIC_COUNTER, DEVICE ",memory",
	 "Errors that the device corrected, by kind of memory, as it counts them.",
	 put_device_corrected, NULL},
	{"cxl_device_dirty_shutdowns", METRIC_COUNTER, DEVICE,
	 "Shutdowns by which data may have been lost, as the device counts them.",
	 EACH_DEVICE(dirty_shutdowns)},
	{"cxl_device_pcie_errors", METRIC_COUNTER, DEVICE ",severity",
	 "Errors of PCI Express since the device was found, as the kernel counts them.",
	 put_device_pcie_errors, NULL},
	{"cxl_device_capacity_bytes", METRIC_GAUGE, DEVICE ",memory",
	 "Capacity of the device, by kind of memory.", put_device_capacity, NULL},
	{"cxl_device_capacity_used_bytes", METRIC_GAUGE, DEVICE,
	 "Capacity of the device that is in regions.", EACH_DEVICE(capacity_used)},
	{"cxl_device_numa_node", METRIC_GAUGE, DEVICE, "The nearest NUMA node with processors.",
	 EACH_DEVICE(numa_node)},
	{"cxl_device_firmware_staged", METRIC_GAUGE, DEVICE,
	 "Whether firmware is staged that the next reset activates.", EACH_DEVICE(firmware_staged)},
	{"cxl_device_link_width", METRIC_GAUGE, DEVICE, "Lanes of the link to the device.",
	 EACH_DEVICE(link_width)},
	{"cxl_device_link_width_max", METRIC_GAUGE, DEVICE, "Lanes that the device can use.",
	 EACH_DEVICE(link_width_max)},
	{"cxl_device_link_transfers_per_second", METRIC_GAUGE, DEVICE,
	 "Speed of each lane of the link to the device.", EACH_DEVICE(link_rate)},
	{"cxl_device_link_transfers_per_second_max", METRIC_GAUGE, DEVICE,
	 "Speed of each lane that the device can use.", EACH_DEVICE(link_rate_max)},
	{"cxl_device_link_degraded", METRIC_GAUGE, DEVICE,
	 "Whether the link has fewer lanes, or is slower, than the device can.",
	 EACH_DEVICE(link_degraded)},

	/* regions and windows */
	{"cxl_region", METRIC_INFO, "region,window,mode", "A CXL region.", put_region_info, NULL},
	{"cxl_region_health", METRIC_GAUGE, "region",
	 "Health of the region as in Redfish: 0 OK, 1 warning, 2 critical.", EACH_REGION(health)},
	{"cxl_region_enabled", METRIC_GAUGE, "region",
	 "Whether the driver cxl_region is bound to it.", EACH_REGION(enabled)},
	{"cxl_region_committed", METRIC_GAUGE, "region", "Whether its decoders are committed.",
	 EACH_REGION(committed)},
	{"cxl_region_size_bytes", METRIC_GAUGE, "region", "Size of the region.", EACH_REGION(size)},
	{"cxl_region_interleave_ways", METRIC_GAUGE, "region", "Positions of the region.",
	 EACH_REGION(ways)},
	{"cxl_region_numa_node", METRIC_GAUGE, "region",
	 "NUMA node that its memory has when it is online.", EACH_REGION(numa_node)},
	{"cxl_region_online_bytes", METRIC_GAUGE, "region",
	 "Its memory that is online as system memory.", EACH_REGION(online)},
	{"cxl_region_memory_blocks", METRIC_GAUGE, "region",
	 "Memory blocks that the kernel has made of it.", EACH_REGION(blocks)},
	{"cxl_region_memory_blocks_online", METRIC_GAUGE, "region",
	 "Memory blocks of it that are online.", EACH_REGION(blocks_online)},
	{"cxl_window_size_bytes", METRIC_GAUGE, "window",
	 "Size of a window (root decoder) for CXL memory.", put_window_size, NULL},
	{"cxl_window_used_bytes", METRIC_GAUGE, "window", "Size of the regions in it.",
	 put_window_used, NULL},

	/* the firmware that translates addresses */
	{"cxl_firmware_needed", METRIC_GAUGE, "",
	 "Whether addresses of this host can be translated by firmware only.", put_firmware_needed,
	 NULL},
	{"cxl_firmware_state", METRIC_STATESET, "cxl_firmware_state",
	 "Whether firmware can be queried by /dev/cxl_prm.", put_firmware_state, NULL},
	{"cxl_firmware_devices_failing", METRIC_GAUGE, "",
	 "Devices of which the last address was not translated by firmware.", put_firmware_count,
	 &metric_firmware_failing},
	{"cxl_firmware_cached", METRIC_COUNTER, "",
	 "Addresses whose translation was still known" SINCE_START, put_firmware_count,
	 &metric_firmware_cached},
	{"cxl_firmware_queried", METRIC_COUNTER, "",
	 "Addresses that firmware was queried for" SINCE_START, put_firmware_count,
	 &metric_firmware_queried},
	{"cxl_firmware_calls", METRIC_COUNTER, "", "Calls of firmware" SINCE_THE_MODULE,
	 put_firmware_count, &metric_firmware_calls},
	{"cxl_firmware_errors", METRIC_COUNTER, "",
	 "Calls of firmware that failed" SINCE_THE_MODULE, put_firmware_count,
	 &metric_firmware_errors},
	{"cxl_firmware_refused", METRIC_COUNTER, "",
	 "Queries that the module rejected" SINCE_THE_MODULE, put_firmware_count,
	 &metric_firmware_refused},
	{"cxl_firmware_throttled", METRIC_COUNTER, "",
	 "Queries that the rate limit of the module delayed or rejected" SINCE_THE_MODULE,
	 put_firmware_count, &metric_firmware_throttled},
	{"cxl_firmware_call_seconds", METRIC_GAUGE, "",
	 "How long the call of firmware takes that is being made; 0 when none is.",
	 put_firmware_count, &metric_firmware_in_flight},

	/* the recording of events */
	{"cxl_events", METRIC_COUNTER, "device,type", "Entries added to the log" SINCE_THE_LOG,
	 put_events, NULL},
	{"cxl_event_translations", METRIC_COUNTER, "source",
	 "Entries with a device address that were added to the log, by the source of their system address.",
	 put_translations, NULL},
	{"cxl_event_translation_seconds", METRIC_HISTOGRAM, "source,le",
	 "Time from reading a record to the last answer for its address" SINCE_START,
	 put_translation_times, NULL},
	{"cxl_event_hpa_disagreements", METRIC_COUNTER, "",
	 "Entries added to the log whose hpa from the kernel contradicts decoders or firmware.",
	 put_store_count, &metric_disagreements},
	{"cxl_event_records_read", METRIC_COUNTER, "", "Records read" SINCE_START, put_records_read,
	 NULL},
	{"cxl_event_duplicates", METRIC_COUNTER, "",
	 "Records read that were in the log already" SINCE_THE_LOG, put_store_count,
	 &metric_duplicates},
	{"cxl_event_unasked", METRIC_COUNTER, "",
	 "Events whose address was not translated by firmware, because too many were waiting for it" SINCE_START,
	 put_not_queried, NULL},
	{"cxl_event_store", METRIC_STATESET, "cxl_event_store", "Whether events can be stored.",
	 put_store_state, NULL},
	{"cxl_event_store_checking", METRIC_GAUGE, "",
	 "Whether the store is being checked for damage.", put_store_number,
	 &metric_store_checking},
	{"cxl_event_queue", METRIC_GAUGE, "", "Events waiting to be stored.", put_store_number,
	 &metric_store_queued},
	{"cxl_event_queue_dropped", METRIC_COUNTER, "",
	 "Events lost because the queue of events waiting to be stored was full" SINCE_START,
	 put_store_number, &metric_store_dropped},
	{"cxl_event_refused", METRIC_COUNTER, "",
	 "Events rejected because the log was full" SINCE_THE_LOG, put_store_count,
	 &metric_refused},
	{"cxl_event_firmware_queue", METRIC_GAUGE, "",
	 "Events waiting for a translation by firmware.", put_firmware_queue, NULL},
	{"cxl_log_entries", METRIC_GAUGE, "device,type,severity,resolved", "Entries of the log.",
	 put_log_entries, NULL},
	{"cxl_event_lost_records", METRIC_COUNTER, "place",
	 "Records lost since the log was created, as far as their number is known.",
	 put_lost_records, NULL},
	{"cxl_event_gaps", METRIC_COUNTER, "place", "How often records were lost" SINCE_THE_LOG,
	 put_gaps, NULL},
};

const struct metric_family *metric_families(size_t *ret_n)
{
	*ret_n = ARRAY_SIZE(families);
	return families;
}

int metrics_write(FILE *f, enum metric_format format, const struct metrics_source *source,
		  struct store_reader *store)
{
	struct view_hold *hold = view_holder_take(source->views);
	struct metrics_scrape x = {
		.out = {.f = f, .format = format},
		.view = hold ? view_of_hold(hold) : NULL,
		.events = source->events,
		.firmware = source->firmware,
		.store = store,
	};
	int r = x.view ? metrics_find_devices(&x) : 0;

	metrics_find_log_devices(&x);
	for (size_t i = 0; r == 0 && x.view && i < ARRAY_SIZE(families); i++)
		families[i].put(&x, &families[i]);
	metric_end(&x.out);
	free(x.devices);
	log_devices_done(&x.log_devices);
	(void)view_hold_release(hold);
	return r < 0 ? r : x.result;
}
