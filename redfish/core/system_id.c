// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/core/system_id.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gnutls/crypto.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/fileio.h"
#include "common/machine_id.h"
#include "common/strutil.h"
#include "sysfs/stable_id.h"

#define MACHINE	     "machine"
#define NAME	     "name:"
#define NAME_LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-"

#define NO_MACHINE_ID                                                                              \
	"system-id: there is no machine id in %.128s: %s. Make one with systemd-machine-id-setup, or set system-id = name:NAME"

enum {
	DIGEST_SIZE = 32,	 /* of SHA-256 */
	MACHINE_DIGITS = 16,	 /* of the hash */
	MACHINE_TEXT_MAX = 4096, /* bytes of the file */
};

/* "" for the default. Written before there are threads that read it. */
static char own_id[SYSTEM_ID_MAX + 1];

/* ---- the Id -----------------------------------------------------------------------------------
 */

static int check_name(const char *name, struct error *e)
{
	const size_t n = strlen(name);

	if (n < 1 || n > SYSTEM_ID_MAX || strspn(name, NAME_LETTERS) != n)
		return error_set(
			e, EINVAL,
			"requires a NAME of 1 to %d letters, digits and '-' after name:, not '%.80s'",
			SYSTEM_ID_MAX, name);
	if (stable_id_has_serial(name))
		return error_set(
			e, EINVAL,
			"has the name '%.80s', which is written as the Id of a memory device; choose another one",
			name);
	return 0;
}

int system_id_check(const char *text, struct error *e)
{
	const char *name = str_after_prefix(text, NAME);

	if (name)
		return check_name(name, e);
	if (str_equal(text, SYSTEM_ID_DEFAULT) || str_equal(text, MACHINE))
		return 0;
	return error_set(e, EINVAL, "requires Host, machine or name:NAME, not '%.80s'", text);
}

static const char *reason_of(int r)
{
	if (r == -ENODATA)
		return "the file is empty";
	return r == -EINVAL ? "the file is not one line of 32 hexadecimal digits" : strerror(-r);
}

static int read_machine(const char *path, uint8_t ret[static MACHINE_ID_SIZE], struct error *e)
{
	_cleanup_free_ char *text = NULL;
	size_t len = 0;
	int r = read_file_at(AT_FDCWD, path, MACHINE_TEXT_MAX, &text, &len);

	if (r == 0 && len == 0)
		r = -ENODATA;
	if (r == 0 && !machine_id_parse(text, ret))
		r = -EINVAL;
	return r == 0 ? 0 : error_set(e, -r, NO_MACHINE_ID, path, reason_of(r));
}

/*
 * A hash, because the machine id itself must not be shown (machine-id(5)). Key and text are the 16
 * bytes that the digits stand for.
 */
static int hash_machine(const char *path, char ret[static MACHINE_DIGITS + 1], struct error *e)
{
	/* 6d1b9e55-3c0f-4a62-97d4-0e5b21c8fa73 */
	static const uint8_t application[] = {0x6d, 0x1b, 0x9e, 0x55, 0x3c, 0x0f, 0x4a, 0x62,
					      0x97, 0xd4, 0x0e, 0x5b, 0x21, 0xc8, 0xfa, 0x73};
	uint8_t machine[MACHINE_ID_SIZE], digest[DIGEST_SIZE];
	int r = read_machine(path, machine, e);

	if (r < 0)
		return r;
	if (gnutls_hmac_fast(GNUTLS_MAC_SHA256, machine, sizeof(machine), application,
			     sizeof(application), digest) < 0)
		return error_set(e, EIO, "system-id: the hash of the machine id cannot be made");
	for (size_t i = 0; i < MACHINE_DIGITS / 2; i++)
		(void)snprintf(ret + 2 * i, 3, "%02x", digest[i]);
	return 0;
}

int system_id_make(const char *text, const char *machine_id, char ret[static SYSTEM_ID_MAX + 1],
		   struct error *e)
{
	const char *name = text ? str_after_prefix(text, NAME) : NULL;

	if (str_equal(text, MACHINE))
		return hash_machine(machine_id, ret, e);
	(void)snprintf(ret, SYSTEM_ID_MAX + 1, "%s", name ? name : SYSTEM_ID_DEFAULT);
	return 0;
}

void system_id_set(const char *id)
{
	(void)snprintf(own_id, sizeof(own_id), "%s", str_equal(id, SYSTEM_ID_DEFAULT) ? "" : id);
}

const char *system_id_text(void)
{
	return own_id[0] ? own_id : SYSTEM_ID_DEFAULT;
}

bool system_id_is_used(void)
{
	return own_id[0];
}

/* ---- URIs -------------------------------------------------------------------------------------
 */

/* The resources that are named by the Id itself; their last segments are the default Ids. */
static const char *const named[] = {URI_SYSTEM, URI_HOST_CHASSIS, URI_MANAGER, URI_FABRIC};

/* The collections whose members' Ids begin with it, unless they have a serial number. */
static const char *const collections[] = {
	URI_CHASSES "/",
	URI_SYSTEM "/Memory/",
	URI_SYSTEM "/FabricAdapters/",
	URI_FABRIC "/Switches/",
	URI_FABRIC "/Endpoints/",
	URI_FABRIC "/Zones/",
	URI_FABRIC "/Connections/",
	URI_FIRMWARE_INVENTORY "/",
	URI_METRIC_REPORTS "/",
};

/* Return: the length of the segment at @text, which a query or a fragment ends, too. */
static size_t segment_length(const char *text)
{
	return strcspn(text, "/?#");
}

/* Return: where the default Id is in the URI, which is replaced; NULL: it has none. */
static const char *find_named(const char *uri)
{
	for (size_t i = 0; i < ARRAY_SIZE(named); i++) {
		const size_t begin = (size_t)(strrchr(named[i], '/') + 1 - named[i]);
		const char *rest = str_after_prefix(uri, named[i]);

		if (rest && segment_length(rest) == 0)
			return uri + begin;
	}
	return NULL;
}

/* Return: whether the Id of a member is its own only on this host. The "{Memory}" of a template
 * stands for Ids that begin as they have to. */
static bool is_local(const char *id)
{
	const size_t n = segment_length(id);
	char text[RESOURCE_URI_MAX];

	if (n == 0 || n >= sizeof(text) || id[0] == '{')
		return false;
	memcpy(text, id, n);
	text[n] = '\0';
	return !stable_id_has_serial(text);
}

/* Return: where the Id of a member is in the URI; NULL: it is not below such a collection. */
static const char *find_member(const char *uri)
{
	for (size_t i = 0; i < ARRAY_SIZE(collections); i++) {
		const char *id = str_after_prefix(uri, collections[i]);

		if (id)
			return id;
	}
	return NULL;
}

const char *system_id_show(const char *uri, char ret[static SHOWN_URI_MAX])
{
	const char *replaced = own_id[0] ? find_named(uri) : NULL;
	const char *member = own_id[0] ? find_member(uri) : NULL;
	const char *rest = uri;
	size_t n = 0;

	/* Chassis/Host is both. */
	if (member && (member == replaced || !is_local(member)))
		member = NULL;
	if ((!replaced && !member) || strlen(uri) >= RESOURCE_URI_MAX)
		return uri;
	if (replaced) {
		n += (size_t)snprintf(ret, SHOWN_URI_MAX, "%.*s%s", (int)(replaced - uri), uri,
				      own_id);
		rest = replaced + segment_length(replaced);
	}
	if (member) {
		n += (size_t)snprintf(ret + n, SHOWN_URI_MAX - n, "%.*s%s-", (int)(member - rest),
				      rest, own_id);
		rest = member;
	}
	(void)snprintf(ret + n, SHOWN_URI_MAX - n, "%s", rest);
	return ret;
}

const char *system_id_show_member(const char *id, char ret[static SHOWN_URI_MAX])
{
	if (!own_id[0] || !is_local(id))
		return id;
	(void)snprintf(ret, SHOWN_URI_MAX, "%s-%s", own_id, id);
	return ret;
}

/* Puts the default Id in the place of that of this process. Return: whether the result fits. */
static bool read_named(const char *shown, char ret[static SHOWN_URI_MAX])
{
	for (size_t i = 0; own_id[0] && i < ARRAY_SIZE(named); i++) {
		const size_t begin = (size_t)(strrchr(named[i], '/') + 1 - named[i]);
		const char *rest = strncmp(shown, named[i], begin) == 0
					   ? str_after_prefix(shown + begin, own_id)
					   : NULL;

		if (rest && segment_length(rest) == 0)
			return snprintf(ret, SHOWN_URI_MAX, "%s%s", named[i], rest) < SHOWN_URI_MAX;
	}
	return snprintf(ret, SHOWN_URI_MAX, "%s", shown) < SHOWN_URI_MAX;
}

/* Removes what the Id of a member begins with. */
static void read_member(char uri[static SHOWN_URI_MAX])
{
	const char *member = find_member(uri);
	const char *id = member ? str_after_prefix(member, own_id) : NULL;

	if (id && *id == '-')
		memmove(uri + (member - uri), id + 1, strlen(id + 1) + 1);
}

bool system_id_read(const char *shown, char ret[static RESOURCE_URI_MAX])
{
	char text[SHOWN_URI_MAX], again[SHOWN_URI_MAX];
	size_t len;

	if (!read_named(shown, text))
		return false;
	if (own_id[0])
		read_member(text);
	len = strlen(text);
	if (len >= RESOURCE_URI_MAX)
		return false;
	memcpy(ret, text, len + 1);
	/* The default Ids, and Ids without what they begin with, are none that clients see. */
	return str_equal(system_id_show(ret, again), shown);
}

const char *system_id_read_any(const char *shown, char ret[static RESOURCE_URI_MAX])
{
	return system_id_is_used() && system_id_read(shown, ret) ? ret : shown;
}
