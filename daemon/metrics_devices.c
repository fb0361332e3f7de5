// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Families with samples for each memory device.
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/metrics_scrape.h"
#include "model/health.h"
#include "model/pcie_speed.h"
#include "model/repairs.h"
#include "model/usage.h"

/* As Redfish shows it, see put_status_of_memory(). */
static struct opt_int find_health(const struct view *v, const struct memdev *m,
				  const struct mailbox *mb)
{
	struct health h;

	health_of_device(m->name, mb, &v->log, view_memory_id(v, m), &h);
	health_add_reserved(m->name, m, &v->log, view_memory_id(v, m), &h);
	return h.level;
}

static struct opt_int find_alert(const struct view *v, const struct memdev *m,
				 const struct mailbox *mb)
{
	struct opt_int level = health_to_alert(mb, &v->log, view_memory_id(v, m));
	struct health reserved = {0};

	health_add_reserved(m->name, m, &v->log, view_memory_id(v, m), &reserved);
	if (reserved.n && reserved.found[0] && reserved.found[0]->state != INCIDENT_OPEN)
		return level;
	if (reserved.n && (!level.present || level.value < reserved.level.value))
		level = reserved.level;
	return level;
}

int metrics_find_devices(struct metrics_scrape *x)
{
	const struct host *host = x->view->host;

	x->devices = calloc(host->n_memdevs ? host->n_memdevs : 1, sizeof(*x->devices));
	if (!x->devices)
		return -ENOMEM;
	for (size_t i = 0; i < host->n_memdevs; i++) {
		struct metric_device *d = &x->devices[x->n_devices++];

		d->memdev = host->memdevs[i];
		d->mailbox = readings_mailbox(x->view->readings, d->memdev);
		d->scrub = readings_scrub(x->view->readings, d->memdev);
		d->health = find_health(x->view, d->memdev, d->mailbox);
		d->alert = find_alert(x->view, d->memdev, d->mailbox);
		metric_label(&d->labels, "device", view_memory_id(x->view, d->memdev));
		metric_label(&d->labels, "memdev", d->memdev->name);
	}
	return 0;
}

/* ---- one sample for each device ---------------------------------------------------------------
 */

static bool of_u64(struct opt_u64 n, double *ret)
{
	*ret = (double)n.value;
	return n.present;
}

static bool of_int(struct opt_int n, double *ret)
{
	*ret = n.value;
	return n.present;
}

static bool device_health(const struct metric_device *d, double *ret)
{
	return of_int(d->health, ret);
}

static bool device_alert(const struct metric_device *d, double *ret)
{
	return of_int(d->alert, ret);
}

static bool device_enabled(const struct metric_device *d, double *ret)
{
	*ret = d->memdev->enabled;
	return true;
}

/* Return: false, not known, for a device whose mailbox was not used, because it cannot be opened,
 * say. */
static bool device_responding(const struct metric_device *d, double *ret)
{
	const struct mailbox *mb = d->mailbox;

	*ret = mb && !mb->unresponsive;
	return mb && (mb->unresponsive || mb->has_health || mb->total_size.present);
}

static bool device_temperature(const struct metric_device *d, double *ret)
{
	return d->mailbox && of_int(d->mailbox->temperature, ret);
}

static bool device_temperature_warning(const struct metric_device *d, double *ret)
{
	const struct mailbox *mb = d->mailbox;

	return mb && mb->has_alerts && mb->alerts[ALERT_OVER_TEMPERATURE].valid &&
	       of_int(mb->alerts[ALERT_OVER_TEMPERATURE].warning, ret);
}

static bool device_temperature_critical(const struct metric_device *d, double *ret)
{
	return d->mailbox && d->mailbox->has_alerts &&
	       of_int(d->mailbox->alerts[ALERT_OVER_TEMPERATURE].critical, ret);
}

static bool device_life_used(const struct metric_device *d, double *ret)
{
	if (!d->mailbox || !of_u64(d->mailbox->life_used_percent, ret))
		return false;
	*ret /= 100;
	return true;
}

static bool device_dirty_shutdowns(const struct metric_device *d, double *ret)
{
	return d->mailbox && of_u64(d->mailbox->dirty_shutdowns, ret);
}

static bool device_capacity_used(const struct metric_device *d, double *ret)
{
	return of_u64(memdev_usage(d->memdev).used, ret);
}

static bool device_numa_node(const struct metric_device *d, double *ret)
{
	return of_int(d->memdev->numa_node, ret);
}

static bool device_firmware_staged(const struct metric_device *d, double *ret)
{
	*ret = d->mailbox && d->mailbox->staged_slot.present;
	return d->mailbox && d->mailbox->slots.present;
}

/* ---- scrub ------------------------------------------------------------------------------------
 */

static const struct scrub *patrol_of(const struct metric_device *d)
{
	static const struct scrub none;

	return d->scrub ? &d->scrub->patrol : &none;
}

static bool device_scrub_enabled(const struct metric_device *d, double *ret)
{
	*ret = patrol_of(d)->enabled.value;
	return patrol_of(d)->enabled.present;
}

static bool device_scrub_cycle(const struct metric_device *d, double *ret)
{
	return of_u64(patrol_of(d)->cycle_s, ret);
}

static bool device_scrub_cycle_min(const struct metric_device *d, double *ret)
{
	return of_u64(patrol_of(d)->min_cycle_s, ret);
}

static void put_device_ecs_threshold(struct metrics_scrape *x, const struct metric_family *f)
{
	char number[24];

	for (size_t i = 0; i < x->n_devices; i++) {
		const struct memdev_scrub *s = x->devices[i].scrub;

		for (size_t k = 0; s && k < s->n_frus && k < SCRUB_FRUS_MAX; k++) {
			if (!s->frus[k].threshold.present)
				continue;
			(void)snprintf(number, sizeof(number), "%zu", k);
			metric_sample_with(&x->out, f, &x->devices[i].labels, "fru", number,
					   (double)s->frus[k].threshold.value);
		}
	}
}

/* ---- the link ---------------------------------------------------------------------------------
 */

/* Tenths of GT/s to transfers per second. */
static bool of_speed(const char *printed, double *ret)
{
	const struct opt_u64 tenths = pcie_speed(printed);

	*ret = (double)tenths.value * 1e8;
	return tenths.present;
}

static bool device_link_width(const struct metric_device *d, double *ret)
{
	return d->memdev->pci && of_u64(d->memdev->pci->current_link_width, ret);
}

static bool device_link_width_max(const struct metric_device *d, double *ret)
{
	return d->memdev->pci && of_u64(d->memdev->pci->max_link_width, ret);
}

static bool device_link_rate(const struct metric_device *d, double *ret)
{
	return d->memdev->pci && of_speed(d->memdev->pci->current_link_speed, ret);
}

static bool device_link_rate_max(const struct metric_device *d, double *ret)
{
	return d->memdev->pci && of_speed(d->memdev->pci->max_link_speed, ret);
}

static bool device_link_degraded(const struct metric_device *d, double *ret)
{
	double width, width_max, rate, rate_max;
	const bool has_width = device_link_width(d, &width) && device_link_width_max(d, &width_max);
	const bool has_rate = device_link_rate(d, &rate) && device_link_rate_max(d, &rate_max);

	*ret = (has_width && width < width_max) || (has_rate && rate < rate_max);
	return (has_width && has_rate) || *ret > 0;
}

/* ---- several samples for each device ----------------------------------------------------------
 */

/* The ids of PCI, which a device without a PCI function does not have. */
static const char *device_model(const struct memdev *m, char text[static 16])
{
	const struct pci_function *pci = m->pci;

	if (!pci || !pci->vendor.present || !pci->device.present)
		return NULL;
	(void)snprintf(text, 16, "%04x:%04x", (unsigned int)(pci->vendor.value & 0xffff),
		       (unsigned int)(pci->device.value & 0xffff));
	return text;
}

static void put_device_info(struct metrics_scrape *x, const struct metric_family *f)
{
	for (size_t i = 0; i < x->n_devices; i++) {
		const struct memdev *m = x->devices[i].memdev;
		struct metric_labels labels = x->devices[i].labels;
		char serial[24], model[16];

		(void)snprintf(serial, sizeof(serial), "0x%" PRIx64, m->serial.value);
		metric_label(&labels, "serial", m->serial.present ? serial : NULL);
		metric_label(&labels, "pci", m->bdf);
		metric_label(&labels, "model", device_model(m, model));
		metric_label(&labels, "firmware", m->firmware_version);
		metric_sample(&x->out, f, &labels, 1);
	}
}

/* A sample for each of @n parts of the device that is known. */
static void put_parts(struct metrics_scrape *x, const struct metric_family *f,
		      const struct metric_device *d, const char *label, const char *const *names,
		      const struct opt_u64 *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (values[i].present)
			metric_sample_with(&x->out, f, &d->labels, label, names[i],
					   (double)values[i].value);
}

static const char *const memories[] = {"volatile", "persistent"};

static void put_device_capacity(struct metrics_scrape *x, const struct metric_family *f)
{
	for (size_t i = 0; i < x->n_devices; i++) {
		const struct memdev *m = x->devices[i].memdev;

		put_parts(x, f, &x->devices[i], "memory", memories,
			  (const struct opt_u64[]){m->ram_size, m->pmem_size}, 2);
		for (size_t k = 0; k < m->n_named; k++)
			put_parts(x, f, &x->devices[i], "memory", &m->named[k].name,
				  &m->named[k].size, 1);
	}
}

static void put_device_corrected(struct metrics_scrape *x, const struct metric_family *f)
{
	for (size_t i = 0; i < x->n_devices; i++) {
		const struct mailbox *mb = x->devices[i].mailbox;

		if (mb)
			put_parts(x, f, &x->devices[i], "memory", memories,
				  (const struct opt_u64[]){mb->corrected_volatile_errors,
							   mb->corrected_persistent_errors},
				  2);
	}
}

static void put_device_pcie_errors(struct metrics_scrape *x, const struct metric_family *f)
{
	static const char *const severities[] = {"correctable", "nonfatal", "fatal"};

	for (size_t i = 0; i < x->n_devices; i++) {
		const char *bdf = x->devices[i].memdev->bdf;
		const struct aer_counters *c = bdf ? readings_aer(x->view->readings, bdf) : NULL;

		if (c)
			put_parts(x, f, &x->devices[i], "severity", severities,
				  (const struct opt_u64[]){c->correctable, c->nonfatal, c->fatal},
				  3);
	}
}

static void put_device_repairs(struct metrics_scrape *x, const struct metric_family *f)
{
	for (size_t i = 0; i < x->n_devices; i++) {
		const struct memdev *m = x->devices[i].memdev;

		for (size_t k = 0; m->edac && k < m->edac->n_repairs; k++) {
			const struct edac_repair *repair = &m->edac->repairs[k];
			struct metric_labels labels = x->devices[i].labels;
			char number[16];

			(void)snprintf(number, sizeof(number), "%u", repair->number);
			metric_label(&labels, "number", number);
			metric_label(&labels, "type", edac_repair_type_word(repair->type));
			metric_label(&labels, "when", repair_when_name(repair_when(m, repair)));
			metric_sample(&x->out, f, &labels, 1);
		}
	}
}

/* ---- the table --------------------------------------------------------------------------------
 */

#define DEVICE "device,memdev"

static const struct metric_family device_rows[] = {
	{"cxl_device", METRIC_INFO, DEVICE ",serial,pci,model,firmware", "A CXL memory device.",
	 .put = put_device_info},
	{"cxl_device_health", METRIC_GAUGE, DEVICE,
	 "Health of the device as in Redfish: 0 OK, 1 warning, 2 critical.",
	 .of_device = device_health},
	{"cxl_device_alert", METRIC_GAUGE, DEVICE,
	 "The same without acknowledged incidents, for alerts: 0 OK, 1 warning, 2 critical.",
	 .of_device = device_alert},
	{"cxl_device_enabled", METRIC_GAUGE, DEVICE, "Whether the driver cxl_mem is bound to it.",
	 .of_device = device_enabled},
	{"cxl_device_responding", METRIC_GAUGE, DEVICE,
	 "Whether it answered the last mailbox commands in time.", .of_device = device_responding},
	{"cxl_device_temperature_celsius", METRIC_GAUGE, DEVICE, "Temperature of the device.",
	 .of_device = device_temperature},
	{"cxl_device_temperature_warning_celsius", METRIC_GAUGE, DEVICE,
	 "Temperature from which on the device warns.", .of_device = device_temperature_warning},
	{"cxl_device_temperature_critical_celsius", METRIC_GAUGE, DEVICE,
	 "Temperature that is critical for the device.", .of_device = device_temperature_critical},
	{"cxl_device_life_used_ratio", METRIC_GAUGE, DEVICE,
	 "Part of the life of the device that is used; 1 is all of it.",
	 .of_device = device_life_used},
	{"cxl_device_corrected_errors", METRIC_COUNTER, DEVICE ",memory",
	 "Errors that the device corrected, by kind of memory, as it counts them.",
	 .put = put_device_corrected},
	{"cxl_device_dirty_shutdowns", METRIC_COUNTER, DEVICE,
	 "Shutdowns by which data may have been lost, as the device counts them.",
	 .of_device = device_dirty_shutdowns},
	{"cxl_device_pcie_errors", METRIC_COUNTER, DEVICE ",severity",
	 "Errors of PCI Express since the device was found, as the kernel counts them.",
	 .put = put_device_pcie_errors},
	{"cxl_device_capacity_bytes", METRIC_GAUGE, DEVICE ",memory",
	 "Capacity of the device, by kind of memory.", .put = put_device_capacity},
	{"cxl_device_capacity_used_bytes", METRIC_GAUGE, DEVICE,
	 "Capacity of the device that is in regions.", .of_device = device_capacity_used},
	{"cxl_device_numa_node", METRIC_GAUGE, DEVICE, "The nearest NUMA node with processors.",
	 .of_device = device_numa_node},
	{"cxl_device_firmware_staged", METRIC_GAUGE, DEVICE,
	 "Whether firmware is staged that the next reset activates.",
	 .of_device = device_firmware_staged},
	{"cxl_device_scrub_enabled", METRIC_GAUGE, DEVICE,
	 "Whether the device scrubs its memory in the background.",
	 .of_device = device_scrub_enabled},
	{"cxl_device_scrub_cycle_seconds", METRIC_GAUGE, DEVICE,
	 "Time in which all memory of the device is scrubbed.", .of_device = device_scrub_cycle},
	{"cxl_device_scrub_cycle_min_seconds", METRIC_GAUGE, DEVICE,
	 "Shortest time in which it can be scrubbed.", .of_device = device_scrub_cycle_min},
	{"cxl_device_ecs_threshold", METRIC_GAUGE, DEVICE ",fru",
	 "Errors a Gibit from which on error check scrub logs them, by field-replaceable unit.",
	 .put = put_device_ecs_threshold},
	{"cxl_device_repair", METRIC_INFO, DEVICE ",number,type,when",
	 "A type of repair that Linux offers of places in the device, and when it is possible.",
	 .put = put_device_repairs},
	{"cxl_device_link_width", METRIC_GAUGE, DEVICE, "Lanes of the link to the device.",
	 .of_device = device_link_width},
	{"cxl_device_link_width_max", METRIC_GAUGE, DEVICE, "Lanes that the device can use.",
	 .of_device = device_link_width_max},
	{"cxl_device_link_transfers_per_second", METRIC_GAUGE, DEVICE,
	 "Speed of each lane of the link to the device.", .of_device = device_link_rate},
	{"cxl_device_link_transfers_per_second_max", METRIC_GAUGE, DEVICE,
	 "Speed of each lane that the device can use.", .of_device = device_link_rate_max},
	{"cxl_device_link_degraded", METRIC_GAUGE, DEVICE,
	 "Whether the link has fewer lanes, or is slower, than the device can.",
	 .of_device = device_link_degraded},
};

const struct metric_families metric_device_families = METRIC_FAMILIES(device_rows);
