// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/memory_fixture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "common/strutil.h"

enum { LOG_MAX = 1 << 20 };

#define GIB_2 (UINT64_C(2) << 30)

struct memory_fixture mf;
static FILE *log_file;
static int old_stderr = -1;

static int on_run(void *userdata, const struct change_call *call, struct change_result *ret)
{
	struct error e = {0};

	(void)userdata;
	ck_assert_uint_lt(mf.n_made, MADE_MAX);
	ck_assert_msg(change_check(call->change, &e) == 0, "%s", e.text);
	ck_assert_int_eq(call->image, -1);
	mf.made[mf.n_made++] = *call->change;
	*ret = mf.result;
	return ret->error;
}

static unsigned int on_allowed(void *userdata)
{
	(void)userdata;
	return mf.used->changes_allowed.helper;
}

static const struct change_client_ops ops = {.run = on_run, .allowed = on_allowed};

static struct mailbox_alert made_alert(bool valid, int warning, struct opt_int critical)
{
	return (struct mailbox_alert){
		.valid = valid,
		.programmable = true,
		.warning = {.present = valid, .value = valid ? warning : 0},
		.critical = critical,
	};
}

static void make_mailbox(struct mailbox *mb)
{
	*mb = (struct mailbox){
		.total_size = OPT_U64(GIB_2),
		.volatile_only_size = OPT_U64(MIB_256),
		.persistent_only_size = OPT_U64(2 * MIB_256),
		.partition_alignment = OPT_U64(MIB_256),
		.active_volatile = OPT_U64(4 * MIB_256),
		.active_persistent = OPT_U64(4 * MIB_256),
		.temporary_throughput_reduction = OPT_BOOL(true),
		.has_alerts = true,
	};
	mb->alerts[ALERT_LIFE_USED] = made_alert(true, 80, OPT_INT(95));
	mb->alerts[ALERT_OVER_TEMPERATURE] = made_alert(true, 70, OPT_INT(85));
	mb->alerts[ALERT_UNDER_TEMPERATURE] = made_alert(false, 0, OPT_INT(-20));
	mb->alerts[ALERT_CORRECTED_VOLATILE] = made_alert(true, 100, (struct opt_int){0});
	mb->alerts[ALERT_CORRECTED_PERSISTENT] = made_alert(false, 0, (struct opt_int){0});
	mb->alerts[ALERT_CORRECTED_PERSISTENT].programmable = false;
}

void make_memory(struct fixture *f)
{
	mf.used = f;
	make_mailbox(&mf.mailbox);
	mf.security = (struct memdev_security){"unlocked", true};
	f->memdevs[2]->ram_size = OPT_U64(4 * MIB_256);
	f->memdevs[2]->pmem_size = OPT_U64(4 * MIB_256);
	f->memdevs[2]->label_storage_size = OPT_U64(131072);
	f->memdevs[2]->enabled = true;
	f->readings.mailboxes[2] = &mf.mailbox;
	f->readings.securities[2] = &mf.security;
	f->changes_allowed = (struct changes_allowed){ALLOW_HOST, ALLOW_HOST};
	mf.client = change_client_new(&ops, NULL);
	ck_assert_ptr_nonnull(mf.client);
	f->service->change_client = mf.client;
}

void start_memory(struct accounts *accounts)
{
	mf = (struct memory_fixture){0};
	fixture_init(&mf.f, accounts);
	make_memory(&mf.f);
	show_memory();
}

static void end_log(void)
{
	if (old_stderr < 0)
		return;
	(void)fflush(stderr);
	(void)dup2(old_stderr, STDERR_FILENO);
	(void)close(old_stderr);
	(void)fclose(log_file);
	old_stderr = -1;
}

void stop_memory(void)
{
	end_log();
	fixture_done(&mf.f);
	mf.client = change_client_free(mf.client);
}

void show_memory(void)
{
	fixture_ready(&mf.f);
}

unsigned int change_memory(enum http_method method, const char *uri, const char *of,
			   const char *body)
{
	return ask_change(&mf.f, method, uri, of, body, mf.token);
}

struct change expected_change(enum change_kind kind)
{
	struct change c;

	memset(&c, 0, sizeof(c));
	c.kind = kind;
	c.identity = 0xabc2;
	(void)snprintf(c.object, sizeof(c.object), "mem2");
	return c;
}

void expect_changes(const struct change *items, size_t n)
{
	ck_assert_uint_eq(mf.n_made, n);
	for (size_t i = 0; i < n; i++)
		ck_assert_mem_eq(&mf.made[i], &items[i], sizeof(items[i]));
	explicit_bzero(mf.made, sizeof(mf.made));
	mf.n_made = 0;
}

void expect_text(size_t i, const char *key, const char *text)
{
	char path[64];
	const char *id, *said;

	(void)snprintf(path, sizeof(path), "error/@Message.ExtendedInfo/%zu/MessageId", i);
	id = at(&mf.f, path);
	(void)snprintf(path, sizeof(path), "error/@Message.ExtendedInfo/%zu/Message", i);
	said = at(&mf.f, path);
	ck_assert_msg(id && said, "there is no message %zu: %s", i, mf.f.res.body->bytes);
	ck_assert_msg(str_equal(strrchr(id, '.') + 1, key), "%s: %s", id, said);
	ck_assert_msg(!text || strstr(said, text), "'%s' is not in: %s", text, said);
}

void keep_log(void)
{
	log_file = tmpfile();
	ck_assert_ptr_nonnull(log_file);
	(void)fflush(stderr);
	old_stderr = dup(STDERR_FILENO);
	ck_assert_int_ge(old_stderr, 0);
	ck_assert_int_ge(dup2(fileno(log_file), STDERR_FILENO), 0);
}

void expect_nowhere(const char *secret)
{
	const struct representation *body = mf.f.res.body;
	static char text[LOG_MAX];
	ssize_t n;

	ck_assert_ptr_null(memmem(body->bytes, body->len, secret, strlen(secret)));
	ck_assert_int_ge(old_stderr, 0);
	(void)fflush(stderr);
	n = pread(fileno(log_file), text, sizeof(text), 0);
	/* The log has at least the audit record of the request. */
	ck_assert_int_gt(n, 0);
	ck_assert_ptr_null(memmem(text, (size_t)n, secret, strlen(secret)));
}
