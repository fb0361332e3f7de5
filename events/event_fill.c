// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The device of a record, and the facts that its translation depends on.
#include "events/event_fill.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/machine_id.h"
#include "common/strutil.h"
#include "events/event_extents.h"
#include "events/event_fill_private.h"
#include "events/event_uuid.h"

/*
 * A host that was captured without its boot id: a substitute is made of the first page of its trace
 * ring, whose times no other boot has. It is a UUID of version 8, which no kernel generates.
 */
static void stand_in(const struct host_root *root, uint8_t ret[static EVENT_BOOT_ID_SIZE])
{
	_cleanup_close_ int fd = openat(root->dirfd, "events/raw.cpu0",
					O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	uint64_t hash[2] = {UINT64_C(0xcbf29ce484222325), UINT64_C(0x84222325cbf29ce4)};
	uint8_t page[4096];
	ssize_t n = fd < 0 ? -1 : read(fd, page, sizeof(page));

	if (n <= 0)
		return;
	for (ssize_t i = 0; i < n; i++) {
		hash[0] = (hash[0] ^ page[i]) * UINT64_C(0x100000001b3);
		hash[1] = (hash[1] ^ page[i]) * UINT64_C(0x100000001b3);
	}
	memcpy(ret, hash, EVENT_BOOT_ID_SIZE);
	ret[6] = (uint8_t)(0x80 | (ret[6] & 0x0f));
	ret[8] = (uint8_t)(0x80 | (ret[8] & 0x3f));
}
_Static_assert(EVENT_BOOT_ID_SIZE == 2 * sizeof(uint64_t), "two hashes make an id");

void event_boot_id(const struct host_root *root, uint8_t ret[static EVENT_BOOT_ID_SIZE])
{
	_cleanup_free_ char *text = NULL;

	memset(ret, 0, EVENT_BOOT_ID_SIZE);
	if (host_root_read(root, "proc/sys/kernel/random/boot_id", 64, &text, NULL) == 0 &&
	    event_uuid_parse(str_chomp(text), ret))
		return;
	memset(ret, 0, EVENT_BOOT_ID_SIZE);
	if (root->captured)
		stand_in(root, ret);
}

uint64_t event_machine(const struct host_root *root)
{
	enum { BITS = 62 }; /* fewer than SQLite has for a number */
	_cleanup_free_ char *text = NULL;
	uint8_t id[MACHINE_ID_SIZE];

	if (root->captured || host_root_read(root, "etc/machine-id", 64, &text, NULL) < 0 ||
	    !machine_id_parse(text, id))
		return 0;
	return hash_bytes(id, sizeof(id)) >> (64 - BITS);
}

static bool has_serial(struct opt_u64 serial)
{
	return serial.present && serial.value != 0;
}

/* Whether nothing in the record contradicts that it is of this device. */
static bool may_be(const struct event_record *rec, const struct memdev *m)
{
	const struct opt_u64 serial = event_number(rec, FIELD_SERIAL);

	if (has_serial(serial) && has_serial(m->serial) && serial.value != m->serial.value)
		return false;
	return !rec->host[0] || !(m->bdf || m->host) || str_equal(rec->host, m->bdf) ||
	       str_equal(rec->host, m->host);
}

/*
 * The device of a record that firmware made, which has no names of Linux: that of the PCI function,
 * as the kernel itself finds it.
 */
static const struct memdev *find_function(const struct host *host, const struct event_record *rec)
{
	for (size_t i = 0; rec->host[0] && i < host->n_memdevs; i++)
		if (str_equal(host->memdevs[i]->bdf, rec->host) ||
		    str_equal(host->memdevs[i]->host, rec->host))
			return host->memdevs[i];
	return NULL;
}

/*
 * memN is assigned again when a driver is bound again, so the name alone proves nothing.
 *
 * @ret_renamed: whether the device has another name now, so its driver was bound again since
 */
static const struct memdev *find_memdev(const struct host *host, const struct event_record *rec,
					bool *ret_renamed)
{
	const struct memdev *m = event_memdev_named(host, rec->memdev);

	*ret_renamed = false;
	if (!rec->memdev[0])
		return find_function(host, rec);
	if (m && may_be(rec, m))
		return m;
	*ret_renamed = true;
	for (size_t i = 0; i < host->n_memdevs; i++) {
		m = host->memdevs[i];
		if (rec->host[0] && has_serial(event_number(rec, FIELD_SERIAL)) &&
		    has_serial(m->serial) && may_be(rec, m))
			return m;
	}
	return NULL;
}

const struct memdev *event_memdev(const struct host *host, const struct event_record *rec)
{
	bool renamed;

	return find_memdev(host, rec, &renamed);
}

static bool is_of_port(const struct event_record *rec)
{
	return rec->type == EVENT_PORT_AER_CORRECTABLE || rec->type == EVENT_PORT_AER_UNCORRECTABLE;
}

/* A device that was removed, or a port: named as by sysfs/stable_id.h. */
static void name_by_record(const struct event_record *rec, char ret[static EVENT_DEVICE_MAX])
{
	const struct opt_u64 serial = event_number(rec, FIELD_SERIAL);
	const char *name = !is_of_port(rec) && rec->host[0] ? rec->host : rec->memdev;

	if (!is_of_port(rec) && has_serial(serial)) {
		(void)snprintf(ret, EVENT_DEVICE_MAX, "cxl-%016llx",
			       (unsigned long long)serial.value);
		return;
	}
	(void)snprintf(ret, EVENT_DEVICE_MAX, "%s", name);
	for (; *ret; ret++)
		if (*ret == ':')
			*ret = '-';
}

static void name_device(const struct event_mapping *m, const struct event_record *rec,
			const struct memdev *memdev, char ret[static EVENT_DEVICE_MAX])
{
	if (memdev)
		(void)snprintf(ret, EVENT_DEVICE_MAX, "%s", memdev_id(m->ids, memdev));
	else
		name_by_record(rec, ret);
}

/*
 * When the record was made, by CLOCK_BOOTTIME, which does not jump. wall_ns was computed from the
 * clocks as they are now.
 */
static struct opt_u64 made_at(const struct event_record *rec)
{
	const uint64_t now = clock_realtime_ns(), boot = event_boottime_ns();
	uint64_t age;

	if (!rec->wall_ns.present)
		return (struct opt_u64){0};
	age = now > rec->wall_ns.value ? now - rec->wall_ns.value : 0;
	/* The trace clock may run faster than the clock by which its distance was measured. */
	age += age / 1024;
	return OPT_U64(boot > age ? boot - age : 0);
}

/* Linux 6.10 added the region to the events that have an address; poison always had it. */
static bool names_region(unsigned int kernel, enum event_type type)
{
	return type == EVENT_POISON || type == EVENT_POISON_CLEARED || kernel >= KERNEL(6, 10);
}

static void make_question(const struct event_mapping *m, const struct event_record *rec,
			  const struct provenance *from, struct event_question *ret)
{
	const uint8_t *uuid;
	size_t len;

	*ret = (struct event_question){
		.dpa = event_number(rec, FIELD_DPA),
		.hpa = event_number(rec, FIELD_HPA),
		.from = *from,
		.hpa_alias = event_number(rec, FIELD_HPA_ALIAS0),
		.length_is_unknown = event_length_is_unknown(rec),
	};
	if (!event_type_is_loss(rec->type) && !is_of_port(rec))
		ret->memdev = find_memdev(m->host, rec, &ret->renamed);
	ret->made_ns = made_at(rec);
	ret->length = event_number(rec, FIELD_DPA_LENGTH).value;
	ret->region_is_named = names_region(event_kernel(m, ret), rec->type);
	memcpy(ret->name, rec->memdev, sizeof(ret->name));
	memcpy(ret->region, rec->region, sizeof(ret->region));
	uuid = event_bytes(rec, BYTES_REGION_UUID, &len);
	ret->has_uuid = uuid && len == EVENT_UUID_SIZE;
	if (ret->has_uuid)
		memcpy(ret->uuid, uuid, EVENT_UUID_SIZE);
}

void event_fill(const struct event_mapping *m, const uint8_t boot_id[static EVENT_BOOT_ID_SIZE],
		const struct event_record *rec, const struct provenance *from, uint64_t now_ns,
		struct stored_event *ret, struct event_question *ret_question)
{
	struct event_question question;

	make_question(m, rec, from, &question);
	ret->seq = 0;
	ret->record = *rec;
	ret->severity = event_severity_of(rec);
	name_device(m, rec, question.memdev, ret->device);
	memcpy(ret->boot_id, boot_id, EVENT_BOOT_ID_SIZE);
	ret->stored_ns = now_ns;
	ret->resolved = false;
	ret->live = rec->instance != 0 && from->boot == PROVENANCE_THIS;
	ret->pending = event_answer(m, &question, NULL, &ret->answer);
	ret->outcome = STORE_FINAL;
	if (ret_question)
		*ret_question = question;
}
