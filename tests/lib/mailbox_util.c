// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/mailbox_util.h"

#include <string.h>
#include <unistd.h>

#include "common/strutil.h"

const uint8_t identify[] = {
	'F', 'W', '1', 0, 0,  0, 0,   0, 0, 0, 0, 0, 0, 0, 0, 0, /* revision */
	4,   0,	  0,   0, 0,  0, 0,   0,			 /* capacity: total */
	1,   0,	  0,   0, 0,  0, 0,   0,			 /* volatile only */
	0,   0,	  0,   0, 0,  0, 0,   0,			 /* persistent only */
	1,   0,	  0,   0, 0,  0, 0,   0,			 /* partition alignment */
	16,  0,	  32,  0, 64, 0, 128, 0,			 /* event logs */
	0,   0,	  1,   0,					 /* 64 KiB of labels */
	44,  1,	  0,						 /* 300 poison records */
	5,   0,							 /* injections */
	3,							 /* poison handling */
	2,							 /* QoS telemetry */
};
const uint8_t partition[] = {
	1, 0, 0, 0, 0, 0, 0, 0, /* active volatile */
	3, 0, 0, 0, 0, 0, 0, 0, /* active persistent */
	2, 0, 0, 0, 0, 0, 0, 0, /* next volatile */
	2, 0, 0, 0, 0, 0, 0, 0, /* next persistent */
};
const uint8_t health[] = {
	0x0a,			/* degraded in performance and in capacity */
	0x06,			/* media */
	0x19,			/* additional status */
	97,			/* % of its life */
	0xf6, 0xff,		/* -10 degrees */
	0x03, 0x00, 0x00, 0x80, /* dirty shutdowns */
	0x70, 0x11, 0x01, 0x00, /* corrected volatile errors */
	0x11, 0x00, 0x00, 0x00, /* and persistent ones */
};
const uint8_t alerts[] = {
	0x1d, 0x08, /* valid, programmable */
	95,   80,   /* used life */
	85,   0,    /* critical over-temperature */
	0xfb, 0xff, /* critical under-temperature */
	75,   0,    /* over-temperature */
	5,    0,    /* under-temperature */
	0xf4, 0x01, /* corrected volatile errors */
	0x58, 0x02, /* corrected persistent errors */
};
static const uint8_t firmware[] = {
	3,   0x11, 1,	0,   0,	  0,   0,   0,	 0,   0,   0,	0,   0,	  0,   0,   0,	 /* slots */
	'1', '.',  '4', 0,   0,	  0,   0,   0,	 0,   0,   0,	0,   0,	  0,   0,   0,	 /* 1 */
	'1', '.',  '5', '-', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', /* 2 */
	'0', '.',  '9', ' ', 0,	  0,   0,   0,	 0,   0,   0,	0,   0,	  0,   0,   0,	 /* 3 */
	'x', 0,	   0,	0,   0,	  0,   0,   0,	 0,   0,   0,	0,   0,	  0,   0,   0,	 /* 4 */
};
static const uint8_t timestamp[] = {0x40, 0xbe, 0xec, 0x8a, 0x01, 0x8b, 0x99, 0x18};
static const uint8_t persistent[] = {0x09, 0, 0, 0};
static const uint8_t dirty[] = {1};
static const uint8_t vendor_debug[] = {0x5e, 0x18, 0x19, 0xd9, 0x11, 0xa9, 0x40, 0x0c,
				       0x81, 0x1f, 0xd6, 0x07, 0x19, 0x40, 0x3d, 0x86};
static const uint8_t state_dump[] = {0xb3, 0xfa, 0xb4, 0xcf, 0x01, 0xb6, 0x43, 0x32,
				     0x94, 0x3e, 0x5e, 0x99, 0x62, 0xf2, 0x35, 0x67};

const struct fake_command usual[] = {
	{IDENTIFY, OUT(identify)},
	{PARTITION, OUT(partition)},
	{HEALTH, OUT(health)},
	{ALERTS, OUT(alerts)},
	{FW_INFO, OUT(firmware)},
	{TIMESTAMP, OUT(timestamp)},
	{LOG_CAPS, IN(vendor_debug), OUT(persistent)},
	{LOG_CAPS, IN(state_dump), OUT(persistent)},
	{SHUTDOWN, OUT(dirty)},
};

struct host_root live;
struct mailbox_client *client;
struct read_notes notes;
struct mailbox values;
struct mailbox_record record;

void mailbox_setup(void)
{
	struct error e;

	fake_mailbox_setup();
	fake_mailbox.memdev = "mem0";
	tree_setup();
	enter();
	live = fake_live_root();
	ck_assert_msg(mailbox_client_new(&live, &client, &e) == 0, "%s", e.text);
	notes = (struct read_notes){.arena = arena_new()};
}

void mailbox_teardown(void)
{
	notes.arena = arena_free(notes.arena);
	client = mailbox_client_free(client);
	(void)close(live.dirfd);
	tree_teardown();
}

void read_mem0(void)
{
	notes.n_notes = 0;
	mailbox_read(client, "mem0", &notes, NULL, &values, &record);
	fake_mailbox_finish();
	for (size_t i = 0; i < notes.n_notes && i < HOST_NOTES_MAX; i++)
		ck_assert(str_is_plain(notes.notes[i]));
}

void read_usual(void)
{
	for (size_t i = 0; i < USUAL_COMMANDS; i++)
		fake_mailbox_expect(&usual[i]);
	read_mem0();
}

void read_with(size_t other, struct fake_command command)
{
	for (size_t i = 0; i < USUAL_COMMANDS; i++) {
		struct fake_command c = usual[i];

		if (i == other) {
			c = command;
			c.in = usual[i].in;
			c.in_len = usual[i].in_len;
		}
		fake_mailbox_expect(&c);
	}
	read_mem0();
}

size_t usual_of(uint32_t id)
{
	for (size_t i = 0; i < USUAL_COMMANDS; i++)
		if (usual[i].id == id)
			return i;
	ck_abort_msg("command %u is not sent", id);
}

void read_with_output(uint32_t id, const void *out, size_t len)
{
	read_with(usual_of(id), (struct fake_command){.id = id, .out = out, .out_len = len});
}

bool has_note(const char *text)
{
	for (size_t i = 0; i < notes.n_notes && i < HOST_NOTES_MAX; i++)
		if (strstr(notes.notes[i], text))
			return true;
	return false;
}
