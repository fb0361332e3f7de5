/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_CCI_RECORDED_H
#define CXLR_MAILBOX_CCI_RECORDED_H

/*
 * The answers of a switch in a captured host: how they are recorded, and a CCI that replays them.
 *
 *	mbox/switch-BDF/mailbox		two lines: "origin WORD", one of CCI_ORIGIN_..., and
 *					"payload BYTES", payload_max of the CCI
 *	mbox/switch-BDF/5100.bin	output of a command to the switch without input
 *	mbox/switch-BDF/5101-0100.bin	of one with the input 01h 00h
 *	mbox/switch-BDF/5200-00ff0100.code	text: the return code of one that did not
 *					succeed, "0x0003 Unsupported"; only the number is read
 *	mbox/switch-BDF/port3/0001.bin	of a command to the device on port 3
 *	mbox/switch-BDF/port3/ld1/...	of a command to LD 1 of that device
 *
 * BDF is the address of the PCI function, 0000:0d:00.1. Numbers in names are hexadecimal with lower
 * case, opcodes with four digits, ports and LDs decimal without leading zeros. An input longer than
 * CCI_RECORDED_PART bytes continues below a directory after each such part. An output is at most
 * CCI_PAYLOAD_MAX bytes, a text CCI_RECORDED_TEXT bytes. Only commands that read are recorded and
 * replayed.
 *
 * No state but that of a CCI; any thread.
 */

#include <stddef.h>

#include "common/error.h"
#include "mailbox/cci.h"
#include "sysfs/host_root.h"

enum {
	CCI_RECORDED_PART = 100, /* bytes of an input in one name */
	CCI_RECORDED_TEXT = 128,
	CCI_RECORDED_PATH = 512,
	CCI_RECORDED_INPUT = 256, /* the list of 255 ports */
};

/*
 * cci_recorded_list() - the switches that a captured host has answers of
 * @ret: their names, sorted
 *
 * Return: how many.
 */
size_t cci_recorded_list(const struct host_root *root, char ret[CCI_SWITCHES_MAX][CCI_NAME_MAX]);

/*
 * cci_recorded_new() - a CCI that replays what was recorded of the switch
 * @root: must outlive it
 *
 * Return: 0; -ENOENT when nothing was recorded of it; -EINVAL when the file `mailbox` is invalid;
 * -ENOMEM.
 */
int cci_recorded_new(const struct host_root *root, const char *name, struct cci **ret,
		     struct error *e);

/*
 * Called with each file of a recording.
 * @path: relative to the top of the captured host
 */
typedef void cci_record_fn(void *userdata, const char *path, const void *data, size_t len);

/*
 * cci_recorder_new() - a CCI that sends all to another one and records the answers
 * @inner: the caller's, must outlive it
 * @origin: one of CCI_ORIGIN_...
 *
 * Recorded are replies with any return code but Busy and Retry Required, which say nothing of the
 * command. @record is called on the thread that sends.
 *
 * Return: 0 or -ENOMEM.
 */
int cci_recorder_new(struct cci *inner, const char *origin, cci_record_fn *record, void *userdata,
		     struct cci **ret);

#endif
