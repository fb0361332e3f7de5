// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The update service: a firmware image for memory devices, pushed by one multipart request
// (DSP0266, "Multipart HTTP push updates"), and written by the kernel's firmware loader.

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "model/firmware_slot.h"
#include "redfish/service/exchange.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/resource_table.h"
#include "redfish/service/body_check.h"
#include "redfish/resources/enumerators.h"
#include "redfish/resources/host/host_change.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/service/software_slot.h"
#include "redfish/resources/status.h"
#include "redfish/service/service.h"
#include "redfish/service/upload.h"
#include "redfish/core/uris.h"
#include "redfish/view/view.h"

/* Not a resource: only the URI that MultipartHttpPushUri has. */
#define PUSH	 "CXLHostUpdateService.MultipartHTTPUpdate"
#define PUSH_URI URI_UPDATE_SERVICE OEM_ACTION_PATH PUSH

#define APPLY_TIME "@Redfish.OperationApplyTime"
#define ON_RESET   "OnReset" /* the only time that the kernel offers */

static const char *firmware_unchangeable(const struct view *v, const struct resource *r)
{
	(void)r;
	return host_unchangeable(v, ALLOW_FIRMWARE);
}

/* ---- the targets ------------------------------------------------------------------------------
 */

/* Return: the memory device whose Memory or PCIeDevice, or whose firmware slot, a URI is. */
static const struct memdev *target_at(const struct view *v, const char *uri, unsigned int *ret_slot)
{
	const struct resource *r = resource_find_shown(v->index, uri);
	const struct memdev *m = memdev_at(v, uri, "Memory");

	*ret_slot = 0;
	if (r && !r->action && str_equal(r->type->schema, "SoftwareInventory")) {
		const struct software_slot *slot = r->object;

		*ret_slot = slot->number;
		return slot->memdev;
	}
	return m ? m : memdev_at(v, uri, "PCIeDevice");
}

static void refuse_target(struct exchange *x, const char *target, unsigned int status,
			  const char *why)
{
	host_change_message(&x->message, MESSAGE_CHANGE_REFUSED, target, why);
	x->message.status = status;
	body_point_to(x, "Targets");
	exchange_note(x);
}

/* Checks the slot; the helper checks it again by the device itself, with a longer message. */
static void check_slot(struct exchange *x, const struct memdev *m, unsigned int slot,
		       const char *target)
{
	const struct mailbox *said = view_mailbox(x->view, m);
	const struct opt_u64 next = firmware_next_slot(said);
	char text[MESSAGE_ARG_MAX];

	if (opt_u64_is(said->slots, 1)) {
		refuse_target(x, target, 409,
			      "the device has one firmware slot, and runs what is in it");
	} else if (slot > 0 && next.present && next.value != slot) {
		(void)snprintf(
			text, sizeof(text),
			"the kernel writes to the slot after the active one, which is slot %" PRIu64,
			next.value);
		refuse_target(x, target, 409, text);
	}
}

static bool is_twice(const struct host_changes *c, const struct memdev *m)
{
	for (size_t i = 0; i < c->n; i++)
		if (str_equal(c->items[i].object, m->name))
			return true;
	return false;
}

static void add_target(struct exchange *x, const char *target, struct host_changes *c)
{
	unsigned int slot;
	const struct memdev *m = target_at(x->view, target, &slot);

	if (!m) {
		refuse_target(x, target, 400,
			      "it is no SoftwareInventory, Memory or PCIeDevice of this host");
	} else if (is_twice(c, m)) {
		refuse_target(x, target, 400, "its device is a target twice");
	} else {
		check_slot(x, m, slot, target);
		change_of_memdev(&c->items[c->n], CHANGE_FIRMWARE, m);
		c->items[c->n++].firmware.size = upload_size(x->upload);
	}
}

/* The devices are never chosen here: an image does not say which ones it is for. */
static void add_targets(struct exchange *x, struct host_changes *c)
{
	for (size_t i = 0; i < body_size(x, "Targets"); i++)
		add_target(x, body_item(x, "Targets", i), c);
}

/* ---- the update -------------------------------------------------------------------------------
 */

static void check_apply_time(struct exchange *x)
{
	const char *time = body_text(x, APPLY_TIME);

	if (!time || str_equal(time, ON_RESET))
		return;
	host_change_message(
		&x->message, MESSAGE_CHANGE_REFUSED, APPLY_TIME,
		"the kernel only activates firmware by a reset of the device (OnReset)");
	x->message.status = 400;
	message_set_property(&x->message, APPLY_TIME);
	exchange_note(x);
}

static void add_written(struct exchange *x, const struct change_result *result)
{
	message_set(&x->message, MESSAGE_FIRMWARE_WRITTEN, result->object, result->text, NULL);
	if (exchange_noted(x) < 0)
		exchange_note(x);
	else
		exchange_add_result(x);
}

static const struct parameter push_rows[] = {
	{.name = "Targets",
	 .type = PARAMETER_TEXTS,
	 .required = true,
	 .min_items = 1,
	 .max_items = HOST_CHANGES_MAX,
	 .description = "URIs of SoftwareInventory, Memory or PCIeDevice resources"},
	{.name = "ForceUpdate",
	 .type = PARAMETER_BOOLEAN,
	 .description = "of no effect: there is no policy that it would bypass"},
	{.name = APPLY_TIME, .type = PARAMETER_TEXT, .description = ON_RESET " only"},
};

static const struct parameters push_parameters = {PARAMETER_ROWS(push_rows)};

static int submit(struct exchange *x, struct change *items)
{
	struct host_changes c = {.items = items,
				 .image = -1,
				 .property = "Targets",
				 .parallel = true,
				 .on_made = add_written};

	add_targets(x, &c);
	if (exchange_noted(x) < 0)
		return -EINVAL;
	c.image = upload_take_image(x->upload);
	return host_changes_submit(x, &c);
}

static int push_update(struct exchange *x)
{
	struct change *items;
	int r;

	check_apply_time(x);
	if (exchange_noted(x) < 0)
		return -EINVAL;
	items = calloc(HOST_CHANGES_MAX, sizeof(*items));
	r = items ? submit(x, items) : -ENOMEM;
	free(items);
	return r;
}

/* ---- the resource -----------------------------------------------------------------------------
 */

/* Not cached: whether there is a place for an image is known to the service, not to the view. */
static int get_update_service(struct exchange *x)
{
	const bool enabled =
		!host_unchangeable(x->view, ALLOW_FIRMWARE) && x->service->uploads.directory;
	struct json_writer *w = &x->w;

	put_string(w, "Name", "Update Service");
	put_string(w, "Description", "Updates the firmware of CXL memory devices");
	put_bool(w, "ServiceEnabled", enabled);
	put_state(w, enabled ? "Enabled" : "Disabled");
	put_link(w, "FirmwareInventory", URI_FIRMWARE_INVENTORY);
	put_string(w, "MultipartHttpPushUri", PUSH_URI);
	put_number(w, "MaxImageSizeBytes", CHANGE_IMAGE_MAX);
	put_array(w, "SupportedUpdateImageFormats");
	put_string(w, NULL, "VendorDefined");
	put_end(w);
	/* Clients (sushy) reject an UpdateService without it; the URI above is no action of it. */
	put_json(w, "Actions", "{}", strlen("{}"));
	return 0;
}

static const struct action actions[] = {
	{.name = PUSH,
	 .parameters = &push_parameters,
	 .run = push_update,
	 .receives = true,
	 .needs_body = true},
};

static const struct resource_type update_types[] = {
	{.pattern = URI_UPDATE_SERVICE,
	 SCHEMA("UpdateService", "v1_17_1"),
	 .get = get_update_service,
	 .unchangeable = firmware_unchangeable,
	 ACTIONS(actions)},
};

const struct resource_rows update_service_rows = RESOURCE_ROWS(update_types);
