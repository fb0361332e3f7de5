// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Families with samples for each memory device.
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/metrics_scrape.h"
#include "model/health.h"
#include "model/usage.h"

/* As Redfish shows it, see put_status_of_memory(). */
static struct opt_int find_health(const struct view *v, const struct memdev *m,
				  const struct mailbox *mb)
{
	struct health h;

	health_of_device(m->name, mb, v->event_health, view_memory_id(v, m), &h);
	health_add_reserved(m, &h);
	return h.level;
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
		d->health = find_health(x->view, d->memdev, d->mailbox);
		metric_label(&d->labels, "device", view_memory_id(x->view, d->memdev));
		metric_label(&d->labels, "memdev", d->memdev->name);
	}
	return 0;
}

/* ---- one sample for each device ---------------------------------------------------------------
 */

void put_each_device(struct metrics_scrape *x, const struct metric_family *f)
{
	const struct metric_device_value *value = f->value;
	double n;

	for (size_t i = 0; i < x->n_devices; i++)
		if (value->get(x, &x->devices[i], &n))
			metric_sample(&x->out, f, &x->devices[i].labels, n);
}

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

#define DEVICE_VALUE(name)                                                                         \
	static bool get_##name(const struct metrics_scrape *x, const struct metric_device *d,      \
			       double *ret);                                                       \
	const struct metric_device_value metric_device_##name = {get_##name};                      \
	static bool get_##name(const struct metrics_scrape *x, const struct metric_device *d,      \
			       double *ret)

DEVICE_VALUE(health)
{
	(void)x;
	return of_int(d->health, ret);
}

DEVICE_VALUE(enabled)
{
	(void)x;
	*ret = d->memdev->enabled;
	return true;
}

/* Of a device whose mailbox was not used, because it cannot be opened, say, it is not known. */
DEVICE_VALUE(responding)
{
	const struct mailbox *mb = d->mailbox;

	(void)x;
	*ret = mb && !mb->unresponsive;
	return mb && (mb->unresponsive || mb->has_health || mb->total_size.present);
}

DEVICE_VALUE(temperature)
{
	(void)x;
	return d->mailbox && of_int(d->mailbox->temperature, ret);
}

DEVICE_VALUE(temperature_warning)
{
	const struct mailbox *mb = d->mailbox;

	(void)x;
	return mb && mb->has_alerts && mb->over_temperature.valid &&
	       of_int(mb->over_temperature.warning, ret);
}

DEVICE_VALUE(temperature_critical)
{
	(void)x;
	return d->mailbox && d->mailbox->has_alerts &&
	       of_int(d->mailbox->over_temperature.critical, ret);
}

DEVICE_VALUE(life_used)
{
	(void)x;
	if (!d->mailbox || !of_u64(d->mailbox->life_used_percent, ret))
		return false;
	*ret /= 100;
	return true;
}

DEVICE_VALUE(dirty_shutdowns)
{
	(void)x;
	return d->mailbox && of_u64(d->mailbox->dirty_shutdowns, ret);
}

DEVICE_VALUE(capacity_used)
{
	(void)x;
	return of_u64(memdev_usage(d->memdev).used, ret);
}

DEVICE_VALUE(numa_node)
{
	(void)x;
	return of_int(d->memdev->numa_node, ret);
}

DEVICE_VALUE(firmware_staged)
{
	(void)x;
	*ret = d->mailbox && d->mailbox->staged_slot.present;
	return d->mailbox && d->mailbox->slots.present;
}

/* ---- the link ---------------------------------------------------------------------------------
 */

/* "32.0 GT/s PCIe" */
static bool parse_rate(const char *speed, double *ret)
{
	char *end;

	if (!speed)
		return false;
	*ret = strtod(speed, &end) * 1e9;
	return end != speed && strncmp(end, " GT/s", 5) == 0 && *ret > 0;
}

DEVICE_VALUE(link_width)
{
	(void)x;
	return d->memdev->pci && of_u64(d->memdev->pci->current_link_width, ret);
}

DEVICE_VALUE(link_width_max)
{
	(void)x;
	return d->memdev->pci && of_u64(d->memdev->pci->max_link_width, ret);
}

DEVICE_VALUE(link_rate)
{
	(void)x;
	return d->memdev->pci && parse_rate(d->memdev->pci->current_link_speed, ret);
}

DEVICE_VALUE(link_rate_max)
{
	(void)x;
	return d->memdev->pci && parse_rate(d->memdev->pci->max_link_speed, ret);
}

DEVICE_VALUE(link_degraded)
{
	double width, width_max, rate, rate_max;
	const bool has_width = get_link_width(x, d, &width) && get_link_width_max(x, d, &width_max);
	const bool has_rate = get_link_rate(x, d, &rate) && get_link_rate_max(x, d, &rate_max);

	*ret = (has_width && width < width_max) || (has_rate && rate < rate_max);
	return (has_width && has_rate) || *ret > 0;
}

/* ---- several samples for each device ----------------------------------------------------------
 */

void put_device_info(struct metrics_scrape *x, const struct metric_family *f)
{
	for (size_t i = 0; i < x->n_devices; i++) {
		const struct memdev *m = x->devices[i].memdev;
		struct metric_labels labels = x->devices[i].labels;
		char serial[24];

		(void)snprintf(serial, sizeof(serial), "0x%" PRIx64, m->serial.value);
		metric_label(&labels, "serial", m->serial.present ? serial : NULL);
		metric_label(&labels, "pci", m->bdf);
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

void put_device_capacity(struct metrics_scrape *x, const struct metric_family *f)
{
	for (size_t i = 0; i < x->n_devices; i++) {
		const struct memdev *m = x->devices[i].memdev;

		put_parts(x, f, &x->devices[i], "memory", memories,
			  (const struct opt_u64[]){m->ram_size, m->pmem_size}, 2);
	}
}

void put_device_corrected(struct metrics_scrape *x, const struct metric_family *f)
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

void put_device_pcie_errors(struct metrics_scrape *x, const struct metric_family *f)
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
