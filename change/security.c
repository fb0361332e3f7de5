// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "change/device.h"
#include "change/keys.h"
#include "change/nvdimm.h"
#include "change/operations.h"
#include "common/cleanup.h"
#include "model/memdev_change.h"

enum { LINE_MAX_BYTES = 64 };

/* A change of the security of one device. */
struct work {
	const struct change_context *x;
	const struct change *c;
	const struct memdev *m;
	struct change_result *ret;
	struct nvdimm nvdimm;
	struct nvdimm_security now; /* before the change */
	struct key_owner owner;
	int keys; /* descriptor of the key store */
	struct key_list list;
	const struct wrapped_key *present; /* of the list: that a command is sent with */
};

static void work_done(struct work *w)
{
	cleanup_close(&w->keys);
}

/* Refuses with the text of an error, which says what is wrong with "it". */
static int refuse(struct work *w, const struct error *e)
{
	return change_result_set(w->ret, e->code, CHANGE_REFUSED, "%s: %s: %s", w->m->name,
				 change_kind_name(w->c->kind), e->text);
}

/* ---- what the device is asked ------------------------------------------------------------------
 */

/* One command of the device with a key; 0 stands for a passphrase that was never set. */
typedef int operate_fn(struct work *w, key_id old, key_id new);

static int operate(struct work *w, const char *operation, key_id old, key_id new)
{
	char line[LINE_MAX_BYTES];

	if (new)
		(void)snprintf(line, sizeof(line), "%s %" PRId32 " %" PRId32, operation, old, new);
	else
		(void)snprintf(line, sizeof(line), "%s %" PRId32, operation, old);
	return nvdimm_operate(w->x->root, &w->nvdimm, line);
}

static int operate_update(struct work *w, key_id old, key_id new)
{
	return operate(w, w->owner.master ? "master_update" : "update", old, new);
}

static int operate_disable(struct work *w, key_id old, key_id new)
{
	return operate(w, w->owner.master ? "disable_master" : "disable", old, new);
}

static int operate_erase(struct work *w, key_id old, key_id new)
{
	return operate(w, w->owner.master ? "master_erase" : "erase", old, new);
}

/*
 * The attribute has no operation for this: the driver searches the key, by its description. It does
 * not report whether the device took it, and may not accept a device that stays locked.
 */
static int operate_unlock(struct work *w, key_id old, key_id new)
{
	_cleanup_(key_drop) key_id other = 0;
	struct nvdimm_security after;
	int bound, r = 0;

	(void)old, (void)new;
	if (*w->nvdimm.key[1])
		r = key_unwrap(&w->owner, &w->c->security.old, w->nvdimm.key[1], w->present, &other,
			       NULL);
	if (r < 0)
		return r;
	bound = nvdimm_rebind(w->x->root, &w->nvdimm);
	r = nvdimm_security(w->x->root, &w->nvdimm, &after, NULL);
	if (r < 0)
		return r;
	return after.state == NVDIMM_LOCKED ? -ENXIO : bound;
}

/* Checks only the passphrase of a device that is unlocked already. */
static int operate_nothing(struct work *w, key_id old, key_id new)
{
	(void)w, (void)old, (void)new;
	return 0;
}

/*
 * The device, or the kernel before it, refused: nothing was changed. After any other error, as a
 * timeout, it is not known. Linux has -ENXIO for an incorrect passphrase and for a wrong state.
 */
static bool is_certain(int r)
{
	return r == -ENXIO || r == -EBUSY || r == -EOPNOTSUPP || r == -EINVAL || r == -EPERM ||
	       r == -EACCES || r == -ENOKEY || r == -ENOENT || r == -EROFS;
}

static int failed(struct work *w, int r)
{
	if (r == -ENXIO && w->now.state == NVDIMM_DISABLED)
		return change_result_set(
			w->ret, EPERM, CHANGE_REFUSED,
			"%s refused to %s: it is probably frozen, which Linux does not show of a device without a passphrase; reset the device, and repeat the request",
			w->m->name, change_kind_name(w->c->kind));
	if (r == -ENXIO)
		return change_result_set(
			w->ret, EPERM, CHANGE_REFUSED,
			"%s refused to %s: its state does not allow it, or its passphrase is not the one that was set from this host",
			w->m->name, change_kind_name(w->c->kind));
	if (r == -EBUSY)
		return change_result_set(w->ret, EBUSY, CHANGE_REFUSED,
					 "%s: %s: %s is in use by a region; destroy that first",
					 w->m->name, change_kind_name(w->c->kind), w->nvdimm.name);
	if (r == -EINVAL && w->owner.master)
		return change_result_set(
			w->ret, EOPNOTSUPP, CHANGE_REFUSED,
			"%s: %s: this kernel does not support it for a master passphrase",
			w->m->name, change_kind_name(w->c->kind));
	return change_result_set(w->ret, r, is_certain(r) ? CHANGE_REFUSED : CHANGE_UNKNOWN,
				 "%s: %s: %s", w->m->name, change_kind_name(w->c->kind),
				 strerror(-r));
}

/* ---- keys --------------------------------------------------------------------------------------
 */

/*
 * The keys of the device from the newest on: those that the passphrase does not unwrap are not
 * shown to the device. More than one is unwrapped only after a change that was interrupted.
 *
 * Return: 0, and @ret_number is that of the key; the error, in w->ret.
 */
static int with_present_key(struct work *w, operate_fn *fn, key_id new, uint32_t *ret_number)
{
	struct error e = {0};
	int result = -EKEYREJECTED;

	for (size_t i = 0; i < w->list.n; i++) {
		_cleanup_(key_drop) key_id key = 0;
		int r;

		w->present = &w->list.items[i];
		r = key_unwrap(&w->owner, &w->c->security.old, w->nvdimm.key[0], w->present, &key,
			       &e);
		if (r == -EKEYREJECTED)
			continue;
		if (r < 0)
			return refuse(w, &e);
		result = fn(w, key, new);
		*ret_number = w->present->number;
		if (result != -ENXIO)
			break;
	}
	if (result == -EKEYREJECTED)
		return change_result_set(
			w->ret, EKEYREJECTED, CHANGE_REFUSED,
			"%s: %s: the passphrase is wrong; the device was not asked", w->m->name,
			change_kind_name(w->c->kind));
	return result < 0 ? failed(w, result) : 0;
}

static int check_has_keys(struct work *w)
{
	if (w->list.n > 0)
		return 0;
	return change_result_set(
		w->ret, EOPNOTSUPP, CHANGE_REFUSED,
		"%s: %s: its %s passphrase was not set from this host: %s has no %skey of it, and Linux gives a device no passphrase that a client chose; use it where it was set",
		w->m->name, change_kind_name(w->c->kind), w->owner.master ? "master" : "user",
		w->x->key_directory ? w->x->key_directory : KEY_STORE_DIRECTORY,
		w->list.n_not_valid > 0 ? "valid " : "");
}

/* A directory that cannot be used is no object, nor permission, that a client lacks. */
static int refuse_keys(struct work *w, struct error *e)
{
	if (e->code != ENOSPC && e->code != EPERM)
		e->code = EIO;
	return refuse(w, e);
}

static int open_keys(struct work *w)
{
	struct error e = {0};
	int r = key_store_open(w->x->key_directory, &e);

	if (r < 0)
		return refuse_keys(w, &e);
	w->keys = r;
	r = key_store_list(w->keys, &w->owner, &w->list, &e);
	return r < 0 ? refuse_keys(w, &e) : 0;
}

/* A key that is left behind opens nothing any more, so that it stays is no failure. */
static void forget(struct work *w, const struct key_owner *o, uint32_t keep)
{
	(void)key_store_keep(w->keys, o, keep);
}

/* ---- states ------------------------------------------------------------------------------------
 */

/* The state as memN/security/state has it. */
static int check_state(struct work *w, enum passphrase_change change)
{
	const char *state = w->now.frozen ? "frozen" : nvdimm_state_name(w->now.state);
	struct error e = {0};

	return memdev_check_passphrase(change, state, w->owner.master, w->c->security.old.len > 0,
				       &e) < 0
		       ? refuse(w, &e)
		       : 0;
}

/* Verifies that the device reached its new state, as the driver read it. */
static int verify(struct work *w, enum nvdimm_state expected)
{
	struct nvdimm_security after;
	struct error e = {0};
	int r = nvdimm_security(w->x->root, &w->nvdimm, &after, &e);

	if (r < 0)
		return change_result_set(w->ret, r, CHANGE_UNKNOWN, "%s: %s: %s", w->m->name,
					 change_kind_name(w->c->kind), e.text);
	if (after.state == expected)
		return 0;
	return change_result_set(w->ret, EIO, CHANGE_INCOMPLETE,
				 "%s accepted to %s, but its security is %s and not %s", w->m->name,
				 change_kind_name(w->c->kind), nvdimm_state_name(after.state),
				 nvdimm_state_name(expected));
}

/* ---- the operations ----------------------------------------------------------------------------
 */

/*
 * Whether there is a passphrase now. Linux does not show it of a master passphrase: without an old
 * one in the request, the device is asked as one that has none.
 */
static int check_set(struct work *w, bool *ret_has_old)
{
	*ret_has_old = w->c->security.old.len > 0;
	if (w->c->security.new.len == 0)
		return change_result_set(
			w->ret, EINVAL, CHANGE_REFUSED,
			"%s: set passphrase: the new one is empty, and has at least one byte",
			w->m->name);
	return *ret_has_old ? check_has_keys(w) : 0;
}

/* Makes room: of a device without a passphrase no key is needed. */
static int next_number(struct work *w, bool has_old, uint32_t *ret)
{
	if (w->list.n + w->list.n_not_valid >= KEY_FILES_MAX) {
		if (has_old || w->owner.master)
			return change_result_set(
				w->ret, ENOSPC, CHANGE_REFUSED,
				"%s: set passphrase: %d keys of it are kept from changes that were interrupted; use the present passphrase once, which removes the others",
				w->m->name, KEY_FILES_MAX);
		forget(w, &w->owner, 0);
	}
	*ret = w->list.last + 1;
	return 0;
}

/* The new key is on the disk before the device gets it, the old one until it has it. */
static int set_with_key(struct work *w, bool has_old, struct wrapped_key *wrapped, key_id new)
{
	struct error e = {0};
	uint32_t used = 0;
	int r = key_store_add(w->keys, &w->owner, wrapped, &e);

	if (r < 0)
		return refuse(w, &e);
	if (has_old) {
		r = with_present_key(w, operate_update, new, &used);
	} else {
		r = operate_update(w, 0, new);
		if (r < 0)
			r = failed(w, r);
	}
	if (r == 0 && !w->owner.master)
		r = verify(w, NVDIMM_UNLOCKED);
	if (r == 0)
		forget(w, &w->owner, wrapped->number);
	else if (w->ret->outcome == CHANGE_REFUSED)
		(void)key_store_remove(w->keys, &w->owner, wrapped->number);
	return r;
}

static int set_passphrase(struct work *w)
{
	_cleanup_(key_drop) key_id new = 0;
	struct wrapped_key wrapped = {0};
	char description[NVDIMM_KEY_MAX + 8];
	struct error e = {0};
	bool has_old;
	int r = check_set(w, &has_old);

	if (r == 0)
		r = next_number(w, has_old, &wrapped.number);
	if (r < 0)
		return r;
	/* Another one than that of the present key, which is in the same keyring. */
	(void)snprintf(description, sizeof(description), "%s-new", w->nvdimm.key[0]);
	r = key_make(&w->owner, &w->c->security.new, description, &wrapped, &new, &e);
	return r < 0 ? refuse(w, &e) : set_with_key(w, has_old, &wrapped, new);
}

static int disable_passphrase(struct work *w)
{
	uint32_t used = 0;
	int r = check_has_keys(w);

	if (r == 0)
		r = with_present_key(w, operate_disable, 0, &used);
	if (r == 0 && !w->owner.master)
		r = verify(w, NVDIMM_DISABLED);
	if (r == 0)
		forget(w, &w->owner, 0);
	return r;
}

static int unlock(struct work *w)
{
	const bool locked = w->now.state == NVDIMM_LOCKED;
	uint32_t used = 0;
	int r = check_has_keys(w);

	/* The driver is taken from the nvdimm for a moment. */
	if (r == 0 && locked)
		r = device_check_idle(w->m, DEVICE_PERSISTENT, "be unlocked", w->ret);
	if (r == 0)
		r = with_present_key(w, locked ? operate_unlock : operate_nothing, 0, &used);
	if (r == 0 && locked)
		forget(w, &w->owner, used);
	return r;
}

/* After it the device has no user passphrase, be it erased by that or by the master's. */
static int erase(struct work *w)
{
	const struct key_owner user = {.serial = w->owner.serial};
	uint32_t used = 0;
	int r = check_has_keys(w);

	if (r == 0)
		r = device_check_idle(w->m, DEVICE_ALL, "be erased", w->ret);
	if (r == 0)
		r = with_present_key(w, operate_erase, 0, &used);
	if (r == 0)
		r = verify(w, NVDIMM_DISABLED);
	if (r == 0)
		forget(w, &user, 0);
	return r;
}

/* The flag of the driver is that of a user passphrase: without one it says nothing. */
static int freeze(struct work *w)
{
	struct nvdimm_security after;
	struct error e = {0};
	int r;

	if (w->now.frozen)
		return 0;
	r = nvdimm_operate(w->x->root, &w->nvdimm, "freeze");
	if (r < 0)
		return failed(w, r);
	r = nvdimm_security(w->x->root, &w->nvdimm, &after, &e);
	if (r < 0)
		return change_result_set(w->ret, r, CHANGE_UNKNOWN, "%s: freeze: %s", w->m->name,
					 e.text);
	if (after.frozen || after.state == NVDIMM_DISABLED)
		return 0;
	return change_result_set(w->ret, EIO, CHANGE_INCOMPLETE,
				 "%s accepted to be frozen, but %s/frozen does not show it",
				 w->m->name, w->nvdimm.path);
}

static const struct operation {
	enum change_kind kind;
	enum passphrase_change change;
	int (*run)(struct work *w);
} operations[] = {
	{CHANGE_SET_PASSPHRASE, PASSPHRASE_SET, set_passphrase},
	{CHANGE_DISABLE_PASSPHRASE, PASSPHRASE_DISABLE, disable_passphrase},
	{CHANGE_UNLOCK, PASSPHRASE_UNLOCK, unlock},
	{CHANGE_SECURE_ERASE, PASSPHRASE_ERASE, erase},
};

static int with_keys(struct work *w)
{
	const struct operation *o = operations;
	int r;

	while (o->kind != w->c->kind)
		o++;
	r = open_keys(w);
	if (r == 0)
		r = check_state(w, o->change);
	return r < 0 ? r : o->run(w);
}

static int begin(struct work *w)
{
	struct error e = {0};
	int r = nvdimm_find(w->x->root, w->m, &w->nvdimm, w->ret);

	if (r < 0)
		return r;
	r = nvdimm_security(w->x->root, &w->nvdimm, &w->now, &e);
	if (r < 0)
		return refuse(w, &e);
	w->owner = (struct key_owner){.serial = w->m->serial.value};
	if (w->c->kind == CHANGE_FREEZE_SECURITY)
		return freeze(w);
	w->owner.master = w->c->security.master == 1;
	return with_keys(w);
}

int change_security(const struct change_context *x, const struct change *c, const struct host *host,
		    struct change_result *ret)
{
	const struct memdev *m = change_find_memdev(host, c, ret);
	_cleanup_(work_done) struct work w = {.x = x, .c = c, .m = m, .ret = ret, .keys = -1};

	if (!m)
		return ret->error;
	if (c->kind == CHANGE_SECURE_ERASE && c->security.old.len == 0)
		return device_erase(x, m, "security/erase", "cryptographic erasing", ret);
	return begin(&w);
}
