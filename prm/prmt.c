// SPDX-License-Identifier: LGPL-2.1-or-later
#include "prm/prmt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "sysfs/acpi_table.h"

const uint8_t prmt_cxl_dpa_to_spa_guid[16] = {0x97, 0xb3, 0x41, 0xee, 0xd4, 0x25, 0x2c, 0x45,
					      0xad, 0x54, 0x48, 0xc6, 0xe3, 0x48, 0x0b, 0x94};

enum { TABLE_SIZE = 60, MODULE_SIZE = 38, HANDLER_SIZE = 44, GUID_SIZE = 16 };

DEFINE_CLEANUP(struct prmt, prmt_free);

/* One module, checked to be inside the table with all its handlers. */
struct prmt_module {
	const uint8_t *p;
	size_t offset, len;
	size_t handlers; /* offset of the first one in the table */
	size_t n_handlers;
};

static int module_at(const uint8_t *data, size_t len, size_t offset, struct prmt_module *ret,
		     struct error *e)
{
	struct prmt_module m = {.p = data + offset, .offset = offset};
	size_t info;

	if (offset > len || len - offset < MODULE_SIZE)
		return error_set(e, EBADMSG,
				 "PRMT: the module at offset %zu begins or ends beyond the table",
				 offset);
	m.len = le16(m.p + 2);
	if (m.len < MODULE_SIZE || m.len > len - offset)
		return error_set(
			e, EBADMSG,
			"PRMT: the module at offset %zu has length %zu, %zu bytes are left", offset,
			m.len, len - offset);
	m.n_handlers = le16(m.p + 24);
	info = le32(m.p + 26);
	if (m.n_handlers > 0 && (info < MODULE_SIZE || info > m.len))
		return error_set(
			e, EBADMSG,
			"PRMT: the module at offset %zu has its handlers at %zu, outside its %zu bytes",
			offset, info, m.len);
	if (m.n_handlers > 0 && m.n_handlers > (m.len - info) / HANDLER_SIZE)
		return error_set(
			e, EBADMSG,
			"PRMT: the module at offset %zu claims %zu handlers, but its %zu bytes hold fewer",
			offset, m.n_handlers, m.len);
	m.handlers = offset + info;
	*ret = m;
	return 0;
}

static int add_handler(struct prmt *p, struct prmt_handler *all, const struct prmt_module *m,
		       const uint8_t *data, size_t at, struct error *e)
{
	struct prmt_handler *h = &all[p->n_handlers];
	char guid[PRMT_GUID_TEXT];

	if (le16(data + at + 2) != HANDLER_SIZE)
		return error_set(e, EBADMSG,
				 "PRMT: the handler at offset %zu has length %u instead of %d", at,
				 le16(data + at + 2), HANDLER_SIZE);
	memcpy(h->guid, data + at + 4, GUID_SIZE);
	memcpy(h->module_guid, m->p + 4, GUID_SIZE);
	h->address = le64(data + at + 20);
	h->static_data = le64(data + at + 28);
	h->acpi_buffer = le64(data + at + 36);
	if (prmt_find(p, h->guid)) {
		prmt_guid_format(h->guid, guid);
		return error_set(
			e, EBADMSG,
			"PRMT: the handler at offset %zu has the GUID %s of an earlier one", at,
			guid);
	}
	p->n_handlers++;
	return 0;
}

static int count_handlers(const uint8_t *data, size_t len, size_t *ret, struct error *e)
{
	size_t at = le32(data + 52), n_modules = le32(data + 56), n = 0;
	struct prmt_module m;
	int r;

	if (n_modules > PRMT_MODULES_MAX)
		return error_set(e, E2BIG, "PRMT: %zu modules, at most %d", n_modules,
				 PRMT_MODULES_MAX);
	if (n_modules > 0 && at < TABLE_SIZE)
		return error_set(e, EBADMSG, "PRMT: the modules begin at %zu, inside the header",
				 at);
	for (size_t i = 0; i < n_modules; i++, at += m.len) {
		r = module_at(data, len, at, &m, e);
		if (r < 0)
			return r;
		n += m.n_handlers;
		if (n > PRMT_HANDLERS_MAX)
			return error_set(e, E2BIG, "PRMT: more than %d handlers",
					 PRMT_HANDLERS_MAX);
	}
	*ret = n;
	return 0;
}

int prmt_parse(const uint8_t *data, size_t len, struct prmt **ret, struct error *e)
{
	_cleanup_(prmt_freep) struct prmt *p = NULL;
	struct prmt_handler *handlers;
	struct prmt_module m;
	size_t n = 0, at;
	int r;

	r = acpi_table_check(data, len, "PRMT", TABLE_SIZE, e);
	if (r < 0)
		return r;
	r = count_handlers(data, len, &n, e);
	if (r < 0)
		return r;
	p = calloc(1, sizeof(*p) + n * sizeof(*handlers));
	if (!p)
		return error_set(e, ENOMEM, "PRMT: out of memory");
	handlers = (struct prmt_handler *)(p + 1);
	p->handlers = handlers;
	memcpy(p->platform_guid, data + ACPI_HEADER_SIZE, GUID_SIZE);
	at = le32(data + 52);
	for (uint32_t i = 0; i < le32(data + 56); i++, at += m.len) {
		r = module_at(data, len, at, &m, e);
		if (r < 0)
			return r;
		for (size_t h = 0; h < m.n_handlers; h++) {
			r = add_handler(p, handlers, &m, data, m.handlers + h * HANDLER_SIZE, e);
			if (r < 0)
				return r;
		}
	}
	*ret = STEAL_PTR(p);
	return 0;
}

struct prmt *prmt_free(struct prmt *p)
{
	free(p);
	return NULL;
}

const struct prmt_handler *prmt_find(const struct prmt *p, const uint8_t guid[16])
{
	for (size_t i = 0; i < p->n_handlers; i++)
		if (memcmp(p->handlers[i].guid, guid, GUID_SIZE) == 0)
			return &p->handlers[i];
	return NULL;
}

void prmt_guid_format(const uint8_t guid[16], char out[PRMT_GUID_TEXT])
{
	/* The first three fields are numbers, so their bytes are in reverse order. */
	(void)snprintf(out, PRMT_GUID_TEXT, "%08X-%04X-%04X-%02X%02X-%02X%02X%02X%02X%02X%02X",
		       le32(guid), le16(guid + 4), le16(guid + 6), guid[8], guid[9], guid[10],
		       guid[11], guid[12], guid[13], guid[14], guid[15]);
}
