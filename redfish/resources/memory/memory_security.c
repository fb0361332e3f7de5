// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Actions of Memory that need passphrases or erase: DSP0288 1.2.0, table 1, rows 32 to 37, and
// OverwriteUnit. Linux makes those of persistent memory through the nvdimm driver (nmemN/security),
// the others through the memory device itself (memN/security).
#include <errno.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "redfish/core/resource_index.h"
#include "redfish/resources/body_check.h"
#include "redfish/resources/memory/memory_operations.h"
#include "redfish/resources/rows.h"
#include "redfish/core/uris.h"

#define PERSISTENT "pmem" /* RegionId of the persistent partition, as in Regions */
#define ALL	   "all"  /* in place of one: what erases the whole device */

enum passphrase { PASSPHRASE_NONE, PASSPHRASE_NEW, PASSPHRASE_PRESENT, PASSPHRASE_OF_REGION };

static const struct security_action {
	const char *name, *info; /* of the action; the Id of its ActionInfo */
	enum change_kind kind;
	enum passphrase passphrase;
	bool master;
	bool of_all; /* the whole device can be named */
	const char *description;
} security_actions[] = {
	{"Memory.SetPassphrase", "SetPassphraseActionInfo", CHANGE_SET_PASSPHRASE, PASSPHRASE_NEW,
	 .description =
		 "Sets the user passphrase of the persistent memory; Oem has the present one, if it has one.  A passphrase has from 1 to 128 bytes of UTF-8"},
	{"Memory.DisablePassphrase", "DisablePassphraseActionInfo", CHANGE_DISABLE_PASSPHRASE,
	 PASSPHRASE_PRESENT, .description = "Removes the user passphrase of the persistent memory"},
	{"Memory.SetMasterPassphrase", "SetMasterPassphraseActionInfo", CHANGE_SET_PASSPHRASE,
	 PASSPHRASE_NEW, .master = true,
	 .description =
		 "Sets the master passphrase of the persistent memory; Oem has the present one, if it has one.  A passphrase has from 1 to 128 bytes of UTF-8"},
	{"Memory.DisableMasterPassphrase", "DisableMasterPassphraseActionInfo",
	 CHANGE_DISABLE_PASSPHRASE, PASSPHRASE_PRESENT, .master = true,
	 .description = "Removes the master passphrase of the persistent memory"},
	{"Memory.UnlockUnit", "UnlockUnitActionInfo", CHANGE_UNLOCK, PASSPHRASE_PRESENT,
	 .description = "Unlocks the persistent memory with its user passphrase"},
	{"Memory.FreezeSecurityState", NULL, CHANGE_FREEZE_SECURITY, PASSPHRASE_NONE},
	{"Memory.SecureEraseUnit", "SecureEraseUnitActionInfo", CHANGE_SECURE_ERASE,
	 PASSPHRASE_OF_REGION, .of_all = true,
	 .description =
		 "Erases by changing encryption keys: the persistent memory with its user passphrase, or all memory of the device, which takes no passphrase"},
	{"Memory.OverwriteUnit", "OverwriteUnitActionInfo", CHANGE_OVERWRITE, PASSPHRASE_NONE,
	 .of_all = true,
	 .description =
		 "Overwrites all memory of the device, volatile and persistent; it takes no passphrase"},
};

static const struct security_action *action_of(const struct exchange *x)
{
	const struct security_action *a = security_actions;

	while (!str_equal(a->name, x->resource->action->name))
		a++;
	return a;
}

/* ---- whether ----------------------------------------------------------------------------------
 */

const char *passphrases_unchangeable(const struct view *v, const struct resource *r)
{
	const struct memdev_security now = view_security(v, r->object);
	const char *why = host_unchangeable(v, ALLOW_SECURITY);

	if (why)
		return why;
	if (!now.has_nvdimm)
		return "the device has no persistent memory that is bound to the driver cxl_pmem, by which Linux reaches its passphrases";
	return now.state ? NULL : "the kernel shows no security state of the device";
}

const char *erasing_unchangeable(const struct view *v, const struct resource *r)
{
	const char *why = host_unchangeable(v, ALLOW_SECURITY);

	if (why)
		return why;
	return view_security(v, r->object).state
		       ? NULL
		       : "the kernel shows no security state of the device, and erases none without";
}

/* ---- parameters -------------------------------------------------------------------------------
 */

#define OLD_PASSPHRASE "Oem/CXLHost/OldPassphrase"

static const struct body_property old_passphrase[] = {
	{.name = "OldPassphrase", .kind = BODY_TEXT, .secret = true},
};

static const struct body_property cxl_host[] = {
	{.name = "CXLHost", .kind = BODY_OBJECT, BODY_MEMBERS(old_passphrase)},
};

/* A passphrase is replaced by another one without a moment without any. */
static const struct body_property region_and_new_passphrase[] = {
	{.name = "RegionId", .kind = BODY_TEXT, .required = true},
	{.name = "Passphrase", .kind = BODY_TEXT, .required = true, .secret = true},
	{.name = "Oem", .kind = BODY_OBJECT, BODY_MEMBERS(cxl_host)},
};

static const struct body_property region_and_passphrase[] = {
	{.name = "RegionId", .kind = BODY_TEXT, .required = true},
	{.name = "Passphrase", .kind = BODY_TEXT, .required = true, .secret = true},
};

/* Whether a passphrase is needed follows from the region. */
static const struct body_property region_and_perhaps_passphrase[] = {
	{.name = "RegionId", .kind = BODY_TEXT, .required = true},
	{.name = "Passphrase", .kind = BODY_TEXT, .secret = true},
};

static int check_parameters(struct exchange *x, const struct security_action *a)
{
	if (!a->info)
		return body_check(x, NULL, 0);
	if (a->of_all)
		return body_check(x, region_and_perhaps_passphrase,
				  ARRAY_SIZE(region_and_perhaps_passphrase));
	if (a->passphrase == PASSPHRASE_NEW)
		return body_check(x, region_and_new_passphrase,
				  ARRAY_SIZE(region_and_new_passphrase));
	return body_check(x, region_and_passphrase, ARRAY_SIZE(region_and_passphrase));
}

/* Return: whether the region is one that the action can be used for; otherwise that is noted. */
static bool check_region(struct exchange *x, const struct security_action *a)
{
	const char *region = body_text(x, "RegionId");

	if (str_equal(region, ALL) ? a->of_all
				   : str_equal(region, PERSISTENT) && a->kind != CHANGE_OVERWRITE)
		return true;
	if (str_equal(region, PERSISTENT))
		memory_note(x, "RegionId", 400,
			    "the device overwrites all of its memory, not only " PERSISTENT
			    ": name " ALL);
	else
		body_note(x, MESSAGE_ACTION_PARAMETER_VALUE_NOT_IN_LIST, "RegionId",
			  json_object_get(x->body, "RegionId"));
	return false;
}

static void refuse_passphrase(struct exchange *x)
{
	memory_note(
		x, "Passphrase", 400,
		"erasing all of its memory takes no passphrase, and Linux refuses it while one is set: leave Passphrase out, after Memory.DisablePassphrase");
}

/* The parser accepts neither NUL nor what is not UTF-8. @value: of the body; NULL: not given */
static void take_passphrase(struct exchange *x, const char *path, const json_t *value,
			    struct change_secret *to)
{
	const size_t len = json_string_length(value);

	if (!value)
		return;
	if (len == 0) {
		body_note_length(x, MESSAGE_STRING_VALUE_TOO_SHORT, path, 1);
	} else if (len > CHANGE_SECRET_MAX) {
		body_note_length(x, MESSAGE_STRING_VALUE_TOO_LONG, path, CHANGE_SECRET_MAX);
	} else {
		memcpy(to->bytes, json_string_value(value), len);
		to->len = (uint32_t)len;
	}
}

/* The device as a whole takes none, its persistent memory needs one. */
static void take_passphrases(struct exchange *x, const struct security_action *a,
			     struct change_security *to)
{
	const json_t *value = json_object_get(x->body, "Passphrase");

	if (str_equal(body_text(x, "RegionId"), ALL)) {
		if (json_string_length(value) > 0)
			refuse_passphrase(x);
		return;
	}
	if (!value)
		body_note(x, MESSAGE_ACTION_PARAMETER_MISSING, "Passphrase", NULL);
	take_passphrase(x, "Passphrase", value,
			a->passphrase == PASSPHRASE_NEW ? &to->new : &to->old);
	take_passphrase(x, OLD_PASSPHRASE, body_at(x, OLD_PASSPHRASE), &to->old);
}

/* What is only about the region is not sent: the kinds without a passphrase have no parameters. */
static void take_parameters(struct exchange *x, const struct security_action *a, struct change *c)
{
	if (!a->info || !check_region(x, a))
		return;
	c->security.master = a->master;
	take_passphrases(x, a, &c->security);
	body_wipe(x, "Passphrase");
	body_wipe(x, OLD_PASSPHRASE);
}

/* ---- the request ------------------------------------------------------------------------------
 */

int run_security_action(struct exchange *x)
{
	const struct security_action *a = action_of(x);
	struct change c;
	int r = check_parameters(x, a);

	if (r == 0)
		r = exchange_noted(x);
	if (r < 0)
		return r;
	host_change_of_memdev(&c, a->kind, x->resource->object);
	take_parameters(x, a, &c);
	r = exchange_noted(x);
	if (r == 0)
		r = memory_submit(x, &c, 1, a->passphrase == PASSPHRASE_NONE ? NULL : "Passphrase");
	change_wipe(&c);
	return r;
}

/* ---- ActionInfo -------------------------------------------------------------------------------
 */

/* Return: the action of the ActionInfo with this URI or pattern; NULL when it is of another one. */
static const struct security_action *action_of_info(const char *uri)
{
	const char *slash = strrchr(uri, '/');

	for (size_t i = 0; slash && i < ARRAY_SIZE(security_actions); i++)
		if (str_equal(security_actions[i].info, slash + 1))
			return &security_actions[i];
	return NULL;
}

static void put_region(const struct security_action *a, struct json_writer *w)
{
	put_object(w, NULL);
	put_string(w, "Name", "RegionId");
	put_bool(w, "Required", true);
	put_string(w, "DataType", "String");
	put_array(w, "AllowableValues");
	if (a->kind != CHANGE_OVERWRITE)
		put_string(w, NULL, PERSISTENT);
	if (a->of_all)
		put_string(w, NULL, ALL);
	put_end(w);
	put_end(w);
}

static void put_old_passphrase(struct json_writer *w)
{
	put_object(w, NULL);
	put_string(w, "Name", "Oem");
	put_bool(w, "Required", false);
	put_string(w, "DataType", "Object");
	put_string(w, "ObjectDataType", "#CXLHostMemory.v1_0_0.SetPassphraseParameters");
	put_end(w);
}

static void render_security_info(const struct view *v, const struct resource *r,
				 struct json_writer *w)
{
	const struct security_action *a = action_of_info(r->type->pattern);

	(void)v;
	put_format(w, "Name", "%s Action Info", str_after_prefix(a->name, "Memory."));
	put_string(w, "Description", a->description);
	put_array(w, "Parameters");
	put_region(a, w);
	if (a->passphrase != PASSPHRASE_NONE) {
		put_object(w, NULL);
		put_string(w, "Name", "Passphrase");
		put_bool(w, "Required", !a->of_all);
		put_string(w, "DataType", "String");
		put_end(w);
	}
	if (a->passphrase == PASSPHRASE_NEW)
		put_old_passphrase(w);
	put_end(w);
}

/* They exist where the action can be used. */
static int enumerate_infos(const struct view *v, const struct resource_type *t,
			   struct resource_index *ix)
{
	const bool of_all = action_of_info(t->pattern)->of_all;
	int r = 0;

	for (size_t i = 0; i < v->host->n_memdevs && r >= 0; i++) {
		const struct memdev *m = v->host->memdevs[i];
		const struct resource at = {.object = m};

		if (of_all ? erasing_unchangeable(v, &at) : passphrases_unchangeable(v, &at))
			continue;
		r = resource_add(ix, t, m, (const char *const[]){view_memory_id(v, m)});
	}
	return r;
}

#define INFO(text)                                                                                 \
	{                                                                                          \
		.pattern = URI_SYSTEM "/Memory/{Memory}/" text, SCHEMA("ActionInfo", "v1_5_0"),    \
		.enumerate = enumerate_infos, .render = render_security_info,                      \
	}

static const struct resource_type security_info_types[] = {
	INFO("SetPassphraseActionInfo"),       INFO("DisablePassphraseActionInfo"),
	INFO("SetMasterPassphraseActionInfo"), INFO("DisableMasterPassphraseActionInfo"),
	INFO("UnlockUnitActionInfo"),	       INFO("SecureEraseUnitActionInfo"),
	INFO("OverwriteUnitActionInfo"),
};

const struct resource_rows security_info_rows = RESOURCE_ROWS(security_info_types);
