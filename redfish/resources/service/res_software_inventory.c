// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The firmware slots of memory devices: one SoftwareInventory each. A device whose slots were not
// read has the firmware that runs.

#include <errno.h>
#include <stdio.h>

#include "common/arena.h"
#include "model/firmware_slot.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/host/host_change.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/service/software_slot.h"
#include "redfish/resources/status.h"
#include "redfish/core/uris.h"
#include "redfish/resources/mapping.h"
#include "redfish/view/view.h"

static int add_slot(const struct view *v, const struct resource_type *t, struct resource_index *ix,
		    const struct memdev *m, unsigned int number)
{
	struct software_slot *slot = ARENA_NEW(v->arena, struct software_slot);
	const char *id = view_memory_id(v, m);

	if (number > 0)
		id = arena_printf(v->arena, "%s-%u", id, number);
	if (!slot || !id)
		return -ENOMEM;
	*slot = (struct software_slot){m, number};
	return resource_add(ix, t, slot, (const char *const[]){id});
}

static int enumerate_slots(const struct view *v, const struct resource_type *t,
			   struct resource_index *ix)
{
	int r = 0;

	for (size_t i = 0; i < v->host->n_memdevs && r >= 0; i++) {
		const struct memdev *m = v->host->memdevs[i];
		const struct opt_u64 slots = view_mailbox(v, m)->slots;

		if (!slots.present)
			r = add_slot(v, t, ix, m, 0);
		for (unsigned int k = 1; slots.present && k <= slots.value && r >= 0; k++)
			r = add_slot(v, t, ix, m, k);
	}
	return r;
}

static const char *slot_version(const struct software_slot *slot, const struct mailbox *said)
{
	const char *version = said->slot_revision[slot->number > 0 ? slot->number - 1 : 0];

	if (slot->number == 0)
		return slot->memdev->firmware_version;
	return version[0] ? version : NULL;
}

/* The number is 0 where the device does not say which slots it has. */
static bool slot_is_active(const struct software_slot *slot, const struct mailbox *said)
{
	return slot->number == 0 || opt_u64_is(said->active_slot, slot->number);
}

/* A slot that is not active, and has a version, is ready to be activated at a reset. */
static void put_status(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct software_slot *slot = r->object;
	const struct mailbox *said = view_mailbox(v, slot->memdev);

	if (slot_is_active(slot, said))
		put_state(w, "Enabled");
	else if (slot_version(slot, said))
		put_state(w, "StandbyOffline");
}

static void render_slot(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct software_slot *slot = r->object;
	const struct memdev *m = slot->memdev;
	const struct mailbox *said = view_mailbox(v, m);
	const char *id = view_memory_id(v, m);

	if (slot->number > 0)
		put_format(w, "Name", "Firmware slot %u of %s", slot->number, m->name);
	else
		put_format(w, "Name", "Firmware of %s", m->name);
	/* By DMI; PCI IDs are those of a controller's maker, and an emulated device has another's.
	 */
	if (m->manufacturer)
		put_string(w, "Manufacturer", m->manufacturer);
	else
		put_null(w, "Manufacturer");
	put_string(w, "Version", slot_version(slot, said));
	put_bool(w, "Active", slot_is_active(slot, said));
	put_bool(w, "Staged", slot->number > 0 && opt_u64_is(said->staged_slot, slot->number));
	put_bool(w, "Updateable",
		 opt_u64_is(firmware_next_slot(said), slot->number) &&
			 !host_unchangeable(v, ALLOW_FIRMWARE));
	put_bool(w, "ResetRequiredOnUpdate", true);
	put_array(w, "RelatedItem");
	put_link(w, NULL, URI_MEMORY, id);
	put_link(w, NULL, URI_PCIE_DEVICE, device_chassis_id(v, m));
	put_end(w);
	put_number(w, "RelatedItem@odata.count", 2);
}

static const struct resource_type inventory_types[] = {
	{.pattern = URI_FIRMWARE_INVENTORY,
	 COLLECTION("SoftwareInventoryCollection", "SoftwareInventory", "Firmware of CXL devices")},
	{.pattern = URI_FIRMWARE_INVENTORY "/{SoftwareInventory}",
	 SCHEMA("SoftwareInventory", "v1_14_0"),
	 .enumerate = enumerate_slots,
	 .render = render_slot,
	 .status = put_status},
};

const struct resource_rows software_inventory_rows = RESOURCE_ROWS(inventory_types);
