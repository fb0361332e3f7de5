// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Actions of Memory that need passphrases or erase: DSP0288 1.2.0, table 1, rows 32 to 37, and
// OverwriteUnit. Linux makes those of persistent memory through the nvdimm driver (nmemN/security),
// the others through the memory device itself (memN/security).
#include <errno.h>
#include <string.h>

#include "common/strutil.h"
#include "redfish/service/body_check.h"
#include "redfish/resources/memory/memory_operations.h"

#define PERSISTENT "pmem" /* RegionId of the persistent partition, as in Regions */
#define ALL	   "all"  /* in place of one: what erases the whole device */

enum passphrase { PASSPHRASE_NONE, PASSPHRASE_NEW, PASSPHRASE_PRESENT, PASSPHRASE_OF_REGION };

static const struct security_action {
	const char *name;
	enum change_kind kind;
	enum passphrase passphrase;
	bool master;
	bool of_all; /* the whole device can be named */
} security_actions[] = {
	{"Memory.SetPassphrase", CHANGE_SET_PASSPHRASE, PASSPHRASE_NEW},
	{"Memory.DisablePassphrase", CHANGE_DISABLE_PASSPHRASE, PASSPHRASE_PRESENT},
	{"Memory.SetMasterPassphrase", CHANGE_SET_PASSPHRASE, PASSPHRASE_NEW, .master = true},
	{"Memory.DisableMasterPassphrase", CHANGE_DISABLE_PASSPHRASE, PASSPHRASE_PRESENT,
	 .master = true},
	{"Memory.UnlockUnit", CHANGE_UNLOCK, PASSPHRASE_PRESENT},
	{"Memory.FreezeSecurityState", CHANGE_FREEZE_SECURITY, PASSPHRASE_NONE},
	{"Memory.SecureEraseUnit", CHANGE_SECURE_ERASE, PASSPHRASE_OF_REGION, .of_all = true},
	{"Memory.OverwriteUnit", CHANGE_OVERWRITE, PASSPHRASE_NONE, .of_all = true},
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

/*
 * No value is repeated in a message, whatever it is of: a client may have confused the parameters,
 * or the levels of the body.
 */
#define SECRET_TEXT .type = PARAMETER_TEXT, .secret = true
#define REGION_ID   .name = "RegionId", SECRET_TEXT, .required = true
/* The parser accepts neither NUL nor what is not UTF-8. */
#define PASSPHRASE_TEXT SECRET_TEXT, .min = 1, .max = CHANGE_SECRET_MAX

static const char *const persistent_only[] = {PERSISTENT, NULL};
static const char *const persistent_or_all[] = {PERSISTENT, ALL, NULL};
static const char *const all_only[] = {ALL, NULL};

static const struct parameter old_passphrase[] = {
	{.name = "OldPassphrase",
	 PASSPHRASE_TEXT,
	 .description = "the present one, which is replaced without a moment without any"},
};

static const struct parameter cxl_host[] = {
	{.name = "CXLHost",
	 .type = PARAMETER_OBJECT,
	 .secret = true,
	 PARAMETER_MEMBERS(old_passphrase)},
};

static const struct parameter set_rows[] = {
	{REGION_ID, .values = persistent_only},
	{.name = "Passphrase", PASSPHRASE_TEXT, .required = true},
	{.name = "Oem",
	 .type = PARAMETER_OBJECT,
	 .secret = true,
	 .object_type = "#CXLHostMemory.v1_0_0.SetPassphraseParameters",
	 PARAMETER_MEMBERS(cxl_host)},
};

static const struct parameter present_rows[] = {
	{REGION_ID, .values = persistent_only},
	{.name = "Passphrase", PASSPHRASE_TEXT, .required = true},
};

static const struct parameter erase_rows[] = {
	{REGION_ID, .values = persistent_or_all},
	{.name = "Passphrase",
	 SECRET_TEXT,
	 .max = CHANGE_SECRET_MAX,
	 .description = "of the persistent memory, which needs it"},
};

static const struct parameter overwrite_rows[] = {
	{REGION_ID, .values = all_only},
	{.name = "Passphrase",
	 SECRET_TEXT,
	 .max = CHANGE_SECRET_MAX,
	 .description = "empty, or left out"},
};

#define WHAT_A_PASSPHRASE_HAS                                                                      \
	"; Oem has the present one, if it has one.  A passphrase has from 1 to 128 bytes of UTF-8"

const struct parameters set_passphrase_parameters = {
	PARAMETER_ROWS(set_rows),
	.description = "Sets the user passphrase of the persistent memory" WHAT_A_PASSPHRASE_HAS};
const struct parameters set_master_passphrase_parameters = {
	PARAMETER_ROWS(set_rows),
	.description = "Sets the master passphrase of the persistent memory" WHAT_A_PASSPHRASE_HAS};
const struct parameters disable_passphrase_parameters = {
	PARAMETER_ROWS(present_rows),
	.description = "Removes the user passphrase of the persistent memory"};
const struct parameters disable_master_passphrase_parameters = {
	PARAMETER_ROWS(present_rows),
	.description = "Removes the master passphrase of the persistent memory"};
const struct parameters unlock_parameters = {
	PARAMETER_ROWS(present_rows),
	.description = "Unlocks the persistent memory with its user passphrase"};
const struct parameters secure_erase_parameters = {
	PARAMETER_ROWS(erase_rows),
	.description =
		"Erases by changing encryption keys: the persistent memory with its user passphrase, or all memory of the device, which takes no passphrase"};
const struct parameters overwrite_parameters = {
	PARAMETER_ROWS(overwrite_rows),
	.description =
		"Overwrites all memory of the device, volatile and persistent; it takes no passphrase"};

/* @secret: the value at @path; unchanged without one */
static void take_passphrase(struct exchange *x, const char *path, struct change_secret *secret)
{
	const char *text = body_text(x, path);

	if (!text)
		return;
	secret->len = (uint32_t)strlen(text);
	memcpy(secret->bytes, text, secret->len);
	body_wipe(x, path);
}

/* The device as a whole takes none, its persistent memory needs one. */
static void take_passphrases(struct exchange *x, const struct security_action *a,
			     struct change_security *to)
{
	const char *given = body_text(x, "Passphrase");

	if (str_equal(body_text(x, "RegionId"), ALL)) {
		if (given && *given)
			memory_note(
				x, "Passphrase", 400,
				"erasing all of its memory takes no passphrase, and Linux refuses it while one is set: leave Passphrase out, after Memory.DisablePassphrase");
		return;
	}
	if (!given)
		body_note(x, MESSAGE_ACTION_PARAMETER_MISSING, "Passphrase");
	else if (!*given)
		body_note_length(x, MESSAGE_STRING_VALUE_TOO_SHORT, "Passphrase", 1);
	take_passphrase(x, "Passphrase", a->passphrase == PASSPHRASE_NEW ? &to->new : &to->old);
	take_passphrase(x, OLD_PASSPHRASE, &to->old);
}

/* Notes a state of the device in which the change cannot be made. */
static void check_state(struct exchange *x, const struct security_action *a, const struct change *c)
{
	static const enum passphrase_change changes[CHANGE_KINDS] = {
		[CHANGE_SET_PASSPHRASE] = PASSPHRASE_SET,
		[CHANGE_DISABLE_PASSPHRASE] = PASSPHRASE_DISABLE,
		[CHANGE_UNLOCK] = PASSPHRASE_UNLOCK,
		[CHANGE_SECURE_ERASE] = PASSPHRASE_ERASE,
	};
	const char *state = view_security(x->view, x->resource->object).state;
	struct error e = {0};
	int r;

	if (str_equal(body_text(x, "RegionId"), ALL))
		r = memdev_check_erase(state, &e);
	else
		r = memdev_check_passphrase(changes[a->kind], state, a->master,
					    c->security.old.len > 0, &e);
	if (r < 0)
		memory_note_error(x, "RegionId", &e);
}

/* ---- the request ------------------------------------------------------------------------------
 */

int run_security_action(struct exchange *x)
{
	const struct security_action *a = action_of(x);
	struct change c;
	int r;

	change_of_memdev(&c, a->kind, x->resource->object);
	/* An action without parameters sends no passphrase. */
	if (x->resource->action->parameters) {
		c.security.master = a->master;
		take_passphrases(x, a, &c.security);
		check_state(x, a, &c);
	}
	r = exchange_noted(x);
	if (r == 0)
		r = memory_submit(x, &c, 1, a->passphrase == PASSPHRASE_NONE ? NULL : "Passphrase");
	change_wipe(&c);
	return r;
}
