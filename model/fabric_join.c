// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Devices of the host and devices behind a switch's mailbox are joined where they are the same.
//
// A device of the host is the one on a port of the switch when all of this is true:
//
// - It is below the bridge that is this port, or whose vPPB is bound to the port or to an LD of it.
// - Both have the same serial number, which is not 0. On the switch's side it is that of the LD
//   that the vPPB is bound to, if the LD answered Identify, and else that of the device: LDs have
//   the number of their MLD (CXL 3.2 2.4).
// - No other device behind a switch has this number, and no other one of the host does but for
//   those that lead to the same port.
//
// A part of an MLD is the LD that its vPPB is bound to; where that is not known it is a part still.
// Otherwise both are there, and the switch has the doubt.

#include <errno.h>
#include <stdlib.h>

#include "model/fabric_private.h"

/* ---- serial numbers ---------------------------------------------------------------------------
 */

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static uint64_t serial_of(const struct device_reading *d)
{
	return d->has_identity ? d->identity.serial : 0;
}

static uint64_t serial_of_ld(const struct ld_reading *ld)
{
	return ld->has_identity ? ld->identity.serial : 0;
}

static void serials_add(struct fabric_serials *s, uint64_t serial)
{
	if (serial)
		s->list[s->n++] = serial;
}

static void serials_sort(struct fabric_serials *s)
{
	if (s->n > 1)
		qsort(s->list, s->n, sizeof(*s->list), compare_u64);
}

/* Return: whether exactly one device has it. */
static bool serials_have_one(const struct fabric_serials *s, uint64_t serial)
{
	const uint64_t *found = NULL;

	if (serial && s->n > 0)
		found = bsearch(&serial, s->list, s->n, sizeof(serial), compare_u64);
	return found && (found == s->list || found[-1] != serial) &&
	       (found + 1 == s->list + s->n || found[1] != serial);
}

/* Adds those of one device, each once. */
static void add_all_serials(struct fabric_serials *all, const struct device_reading *d)
{
	struct fabric_serials own = {.list = all->list + all->n};
	size_t n = 0;

	serials_add(&own, serial_of(d));
	for (size_t i = 0; i < d->n_lds; i++)
		serials_add(&own, serial_of_ld(&d->lds[i]));
	serials_sort(&own);
	for (size_t i = 0; i < own.n; i++)
		if (n == 0 || own.list[n - 1] != own.list[i])
			own.list[n++] = own.list[i];
	all->n += n;
}

static int find_serials(struct fabric_joiner *j, const struct switch_readings *readings)
{
	size_t n = 0, n_all = 0;

	for (size_t i = 0; i < readings->n_switches; i++)
		for (size_t k = 0; k < readings->switches[i].n_ports; k++) {
			const struct device_reading *d = readings->switches[i].ports[k].device;

			n += d != NULL;
			n_all += d ? 1 + d->n_lds : 0;
		}
	j->devices.list = ARENA_ARRAY(j->arena, n, uint64_t);
	j->all.list = ARENA_ARRAY(j->arena, n_all, uint64_t);
	if (!j->devices.list || !j->all.list)
		return -ENOMEM;
	for (size_t i = 0; i < readings->n_switches; i++)
		for (size_t k = 0; k < readings->switches[i].n_ports; k++) {
			const struct device_reading *d = readings->switches[i].ports[k].device;

			if (!d)
				continue;
			serials_add(&j->devices, serial_of(d));
			add_all_serials(&j->all, d);
		}
	serials_sort(&j->devices);
	serials_sort(&j->all);
	return 0;
}

static int compare_by_serial(const void *a, const void *b)
{
	return compare_u64(&(*(struct fabric_port *const *)a)->memdev->serial.value,
			   &(*(struct fabric_port *const *)b)->memdev->serial.value);
}

static int find_host_serials(struct fabric_joiner *j)
{
	j->by_serial = ARENA_ARRAY(j->arena, j->f->n_devices, struct fabric_port *);
	if (!j->by_serial)
		return -ENOMEM;
	for (size_t i = 0; i < j->f->n_devices; i++) {
		struct opt_u64 serial = j->f->devices[i].memdev->serial;

		if (serial.present && serial.value)
			j->by_serial[j->n_by_serial++] = &j->f->devices[i];
	}
	if (j->n_by_serial > 1)
		qsort(j->by_serial, j->n_by_serial, sizeof(*j->by_serial), compare_by_serial);
	return 0;
}

int fabric_joiner_init(struct fabric_joiner *j, struct arena *a, struct fabric *f,
		       const struct memdev_ids *ids, const struct switch_readings *readings)
{
	*j = (struct fabric_joiner){.arena = a, .f = f, .ids = ids};
	if (find_serials(j, readings) < 0 || find_host_serials(j) < 0)
		return -ENOMEM;
	return 0;
}

bool fabric_serial_is_unique(const struct fabric_joiner *j, const struct device_reading *d)
{
	return serials_have_one(&j->devices, serial_of(d));
}

/* Return: the index of the first device of the host with it; n_by_serial: none has it. */
static size_t first_with_serial(const struct fabric_joiner *j, uint64_t serial)
{
	size_t low = 0, high = j->n_by_serial;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (j->by_serial[mid]->memdev->serial.value < serial)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static bool has_serial(const struct fabric_joiner *j, size_t i, uint64_t serial)
{
	return i < j->n_by_serial && j->by_serial[i]->memdev->serial.value == serial;
}

/* ---- doubts -----------------------------------------------------------------------------------
 */

static int doubt(struct fabric_joiner *j, struct fabric_switch *sw, struct fabric_doubt doubt)
{
	const struct fabric_device *d = doubt.device;
	struct fabric_doubt *kept;

	if (sw->doubts.n >= FABRIC_DOUBTS_MAX)
		return 0;
	kept = ARENA_NEW(j->arena, struct fabric_doubt);
	if (!kept)
		return -ENOMEM;
	if (d)
		doubt.other = arena_printf(j->arena, "the device at %s/%s", sw->id, d->port->id);
	else
		doubt.other = arena_printf(j->arena, "a port of %s", sw->id);
	if (!doubt.other)
		return -ENOMEM;
	*kept = doubt;
	return fabric_list_add(j->arena, &sw->doubts, kept);
}

/* A bridge of the host that may be one of the ports that are shown beside it. */
static int doubt_bridges(struct fabric_joiner *j, struct fabric_switch *sw)
{
	bool any = false;
	int r = 0;

	for (size_t i = 0; i < sw->n_others; i++)
		any |= sw->others[i].kind == FABRIC_SWITCH_DOWN;
	for (size_t i = 0; any && i < sw->n_down && r >= 0; i++)
		if (!sw->down[i].physical && !sw->down[i].vppb)
			r = doubt(j, sw,
				  (struct fabric_doubt){.reason = sw->n_vcs > 0 ? DOUBT_VPPB
										: DOUBT_NUMBER,
							.host = &sw->down[i]});
	return r;
}

/* Return: the device on the port of a switch that the host's device leads to; NULL: not known. */
static const struct fabric_device *at_port_of(const struct fabric_port *device)
{
	struct fabric_port *above = device->above;
	const struct fabric_port *port =
		above && above->kind == FABRIC_SWITCH_DOWN ? fabric_physical_port(above) : NULL;

	return port ? port->device : NULL;
}

static int doubt_serial(struct fabric_joiner *j, const struct fabric_device *d, uint64_t serial)
{
	int r = 0;

	for (size_t i = first_with_serial(j, serial); has_serial(j, i, serial) && r >= 0; i++) {
		const struct fabric_port *device = j->by_serial[i];
		const struct fabric_port *above = device->above;

		/* At the same port that is decided by fabric_join(). */
		if (at_port_of(device) == d)
			continue;
		r = doubt(j, d->sw,
			  (struct fabric_doubt){
				  .reason = above && above->kind == FABRIC_SWITCH_DOWN &&
							    !above->physical && !above->vppb
						    ? DOUBT_PORT
						    : DOUBT_OTHER_PORT,
				  .host = device,
				  .device = d});
	}
	return r;
}

int fabric_doubt_serials(struct fabric_joiner *j)
{
	int r = 0;

	for (const struct fabric_item *i = j->f->remote_devices.first; i && r >= 0; i = i->next) {
		const struct fabric_device *d = i->object;
		const uint64_t serial = serial_of(d->reading);

		if (serial)
			r = doubt_serial(j, d, serial);
		for (size_t k = 0; k < d->n_lds && r >= 0; k++) {
			const uint64_t of_ld = serial_of_ld(d->lds[k].reading);

			if (of_ld && of_ld != serial)
				r = doubt_serial(j, d, of_ld);
		}
	}
	return r;
}

/* ---- joining ----------------------------------------------------------------------------------
 */

/* Return: DOUBT_REASONS: the device of the host is the one on the port, or a part of it. */
static enum fabric_doubt_reason compare(const struct fabric_joiner *j,
					const struct fabric_port *device,
					const struct fabric_device *d, uint64_t serial)
{
	const struct opt_u64 own = device->memdev->serial;

	if (device->above->peers.n != 1)
		return DOUBT_SEVERAL;
	if (!own.present || own.value == 0)
		return DOUBT_NO_SERIAL_HERE;
	if (serial == 0)
		return DOUBT_NO_SERIAL_THERE;
	if (own.value != serial)
		return DOUBT_OTHER_SERIAL;
	for (size_t i = first_with_serial(j, serial); has_serial(j, i, serial); i++)
		if (at_port_of(j->by_serial[i]) != d)
			return DOUBT_SHARED_HERE;
	return serials_have_one(&j->all, serial) ? DOUBT_REASONS : DOUBT_SHARED_THERE;
}

/* A vPPB is bound to an LD of an MLD only, whether the MLD answers or not. */
static bool is_divided(const struct fabric_device *d, const struct fabric_vppb *vppb)
{
	return d->reading->has_ld_info || (vppb && vppb->state->binding == FMAPI_BOUND_LD);
}

static int join_part(struct fabric_joiner *j, struct fabric_port *device, struct fabric_device *d,
		     struct fabric_ld *ld)
{
	device->device = d;
	device->ld = ld;
	if (ld) {
		ld->memdev = device->memdev;
		ld->memory_id = device->memory_id;
	}
	return fabric_list_add(j->arena, &d->parts, device);
}

static int join_device(struct fabric_joiner *j, struct fabric_port *device)
{
	struct fabric_port *bridge = device->above, *port = fabric_physical_port(bridge);
	struct fabric_device *d = port ? port->device : NULL;
	struct fabric_ld *ld = bridge->vppb ? bridge->vppb->ld : NULL;
	enum fabric_doubt_reason reason;

	if (!d)
		return 0;
	reason = compare(j, device, d,
			 ld && ld->reading->has_identity ? serial_of_ld(ld->reading)
							 : serial_of(d->reading));
	if (reason != DOUBT_REASONS)
		return doubt(j, d->sw,
			     (struct fabric_doubt){.reason = reason, .host = device, .device = d});
	if (is_divided(d, bridge->vppb))
		return join_part(j, device, d, ld);
	/* An undivided device has one bridge. */
	if (bridge != port)
		return doubt(j, d->sw,
			     (struct fabric_doubt){
				     .reason = DOUBT_SEVERAL_VPPBS, .host = device, .device = d});
	d->memdev = device->memdev;
	device->device = d;
	return 0;
}

static int join_devices(struct fabric_joiner *j, struct fabric_switch *sw)
{
	int r = 0;

	for (size_t i = 0; i < sw->n_down; i++)
		for (const struct fabric_item *k = sw->down[i].peers.first; k && r >= 0;
		     k = k->next) {
			struct fabric_port *peer = k->object;

			if (peer->memdev && peer->above == &sw->down[i])
				r = join_device(j, peer);
		}
	return r;
}

/* ---- Ids and links ----------------------------------------------------------------------------
 */

static const char *id_of_device(const struct fabric_joiner *j, const struct fabric_device *d)
{
	if (d->memdev)
		return memdev_id(j->ids, d->memdev);
	if (d->serial_is_unique)
		return arena_printf(j->arena, "dev-%016llx",
				    (unsigned long long)serial_of(d->reading));
	return arena_printf(j->arena, "%s-p%u", d->sw->id,
			    (unsigned int)d->port->physical->state.id);
}

static int finish_device(struct fabric_joiner *j, struct fabric_device *d)
{
	const struct fabric_port *only = fabric_only_part(d);
	int r;

	d->id = id_of_device(j, d);
	if (!d->id)
		return -ENOMEM;
	if (d->memdev)
		return 0;
	for (const struct fabric_item *i = d->parts.first; i; i = i->next)
		((struct fabric_port *)i->object)->owner_id = d->id;
	d->own_port = (struct fabric_port){.kind = FABRIC_DEVICE_PORT,
					   .id = "1",
					   .owner_id = d->id,
					   .pci = only ? only->pci : NULL,
					   .device = d};
	r = fabric_list_add(j->arena, &j->f->remote_devices, d);
	return r < 0 ? r : fabric_connect(j->arena, &d->own_port, d->port);
}

/* The port of a part is that of the whole, which is linked with the switch already. */
static int link_with(struct fabric_joiner *j, struct fabric_port *below, struct fabric_port *port)
{
	int r;

	below->peers = (struct fabric_list){0};
	if (!port)
		return 0;
	r = fabric_list_add(j->arena, &below->peers, port);
	if (r < 0 || fabric_whole(below))
		return r;
	return fabric_list_add(j->arena, &port->peers, below);
}

/* Devices below a bridge are linked with the physical port. The bridge keeps them as the host sees
 * them. */
static int link_below(struct fabric_joiner *j, struct fabric_port *bridge)
{
	struct fabric_port *port = fabric_physical_port(bridge);
	const struct fabric_item *first = bridge->peers.first;
	int r = 0;

	if (!bridge->vppb && !bridge->physical)
		return 0;
	if (port == bridge)
		bridge->peers = (struct fabric_list){0};
	for (const struct fabric_item *i = first; i && r >= 0; i = i->next) {
		struct fabric_port *below = i->object;

		if (below->above == bridge)
			r = link_with(j, below, port);
	}
	return r;
}

int fabric_join(struct fabric_joiner *j, struct fabric_switch *sw)
{
	int r = doubt_bridges(j, sw);

	if (r >= 0)
		r = join_devices(j, sw);
	for (size_t i = 0; i < sw->n_down && r >= 0; i++)
		r = link_below(j, &sw->down[i]);
	for (size_t i = 0; i < sw->n_devices && r >= 0; i++)
		r = finish_device(j, &sw->devices[i]);
	return r;
}
