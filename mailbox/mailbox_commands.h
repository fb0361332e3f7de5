/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_MAILBOX_COMMANDS_H
#define CXLR_MAILBOX_MAILBOX_COMMANDS_H

/*
 * Private to sysfs/: the one table of mailbox commands that are asked, recorded and decoded.
 *
 * mailbox.c asks them, capture_mailbox.c records their answers, mailbox_decode.c takes the answers
 * apart. The table and the decoders are pure; what else is here is as for struct mailbox_client.
 */

#include <stddef.h>
#include <stdint.h>

#include <cxl/libcxl.h>

#include "mailbox/mailbox.h"
#include "sysfs/read_notes.h"

/* Every device takes payloads of 256 bytes (CXL 3.2 8.2.9.4.3), and no answer here is longer. */
enum { MAILBOX_ANSWER_MAX = 256 };

/* Return codes that are told from the others. */
enum { MAILBOX_SUCCESS = 0x0000, MAILBOX_INVALID_LOG = 0x0017 };

struct mailbox_command;

/* What a device answered, and where to say what is wrong with it. */
struct mailbox_answer {
	const char *memdev;
	const struct mailbox_command *command;
	const uint8_t *data;
	size_t len;
	struct read_notes *notes;
};

struct mailbox_command {
	const char *name;  /* of its file in a capture: mbox/memN/NAME.bin */
	const char *title; /* CXL's name for it */
	uint16_t opcode;
	uint32_t id; /* the kernel's */
	/* libcxl's call; NULL when it has none */
	struct cxl_cmd *(*make)(struct cxl_memdev *memdev);
	const uint8_t *input; /* NULL when it takes none */
	uint32_t input_len;
	size_t length; /* of the answer when the command was first specified */
	void (*decode)(const struct mailbox_answer *a, struct mailbox *m);
};

/* Return: the table. */
const struct mailbox_command *mailbox_commands(size_t *ret_n);

/* Return: CXL's name of a return code, never NULL. */
const char *mailbox_return_code_name(unsigned int code);

/*
 * mailbox_decode() - take an answer apart
 * @m: what it says is added
 *
 * A longer answer is a newer device's: CXL appends fields. Of a shorter one what is there is used.
 */
void mailbox_decode(const struct mailbox_answer *a, struct mailbox *m);

/* mailbox_conclude() - what follows from several answers; after the last of them */
void mailbox_conclude(struct mailbox *m);

void mailbox_decode_identify(const struct mailbox_answer *a, struct mailbox *m);
void mailbox_decode_partition_info(const struct mailbox_answer *a, struct mailbox *m);
void mailbox_decode_health_info(const struct mailbox_answer *a, struct mailbox *m);
void mailbox_decode_alert_config(const struct mailbox_answer *a, struct mailbox *m);
void mailbox_decode_fw_info(const struct mailbox_answer *a, struct mailbox *m);
void mailbox_decode_timestamp(const struct mailbox_answer *a, struct mailbox *m);
void mailbox_decode_vendor_debug_log(const struct mailbox_answer *a, struct mailbox *m);
void mailbox_decode_state_dump_log(const struct mailbox_answer *a, struct mailbox *m);
void mailbox_decode_shutdown_state(const struct mailbox_answer *a, struct mailbox *m);

/* A reference for another thread, given back by mailbox_client_free(). Return: @c. */
struct mailbox_client *mailbox_client_ref(struct mailbox_client *c);

/* Return: whether devices are asked, and not records of them. */
bool mailbox_client_is_live(const struct mailbox_client *c);

/* Return: the name of a live host's memdev by its index, NULL behind the last. */
const char *mailbox_client_memdev(const struct mailbox_client *c, size_t i);

/*
 * mailbox_prepare() - ask the driver what a live memdev supports, unless that is known
 *
 * Return: 0; -ENOENT when there is no such memdev; the error of opening or asking /dev/cxl/memN.
 */
int mailbox_prepare(struct mailbox_client *c, const char *memdev);

/*
 * mailbox_ask() - send a command, or find its recorded answer
 * @memdev: after mailbox_prepare() on a live host
 * @ret_code: the device's return code; if that is not MAILBOX_SUCCESS there is no answer
 *
 * Return: length of the answer; -EOPNOTSUPP when the device does not support it or nothing was
 * recorded; the error of the ioctl or of reading the file.
 */
int mailbox_ask(struct mailbox_client *c, const char *memdev, const struct mailbox_command *command,
		uint8_t answer[MAILBOX_ANSWER_MAX], unsigned int *ret_code);

/*
 * All that came back from a memdev, errors included. Two sets that are equal mean the same, which
 * cannot be said of two structs with padding.
 */
struct mailbox_record {
	uint8_t bytes[16 * (MAILBOX_ANSWER_MAX + 8)];
	size_t len;
};

/*
 * mailbox_read() - send all commands and decode the answers; one thread at a time
 * @notes: gets one sentence for each that failed or is nonsense
 * @ret: what is known of the device, always filled
 * @record: all that came back, always filled
 */
void mailbox_read(struct mailbox_client *c, const char *memdev, struct read_notes *notes,
		  struct mailbox *ret, struct mailbox_record *record);

#endif
