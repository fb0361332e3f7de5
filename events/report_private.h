/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_REPORT_PRIVATE_H
#define CXLR_EVENTS_REPORT_PRIVATE_H

/* Private to report*.c. */

#include "events/cper.h"
#include "events/report.h"

enum report_section_kind {
	SECTION_NONE,
	SECTION_CXL,	/* bytes */
	SECTION_MEMORY, /* GHES */
	SECTION_PCIE,
	SECTION_PROTOCOL, /* a protocol error that the kernel has decoded */
	SECTION_CHECK,	  /* machine check */
};

/* The sections of one error in the kernel's log, which have several lines. */
struct report_section {
	enum report_section_kind kind;
	size_t line;
	struct trace_when when;
	bool has_severity;
	enum event_severity severity;

	uint8_t uuid[16];
	size_t length, have;
	bool gap; /* bytes are missing */
	uint8_t bytes[CPER_SECTION_BYTES_MAX];

	struct opt_u64 address, mask, status, misc;
	struct opt_int vendor; /* of the processor: 0 Intel, 2 AMD */
	char device[EVENT_HOST_MAX];
	bool is_cxl; /* the class of that function */
	char what[REPORT_WHAT_MAX];

	/* of a protocol error */
	struct opt_u64 agent, serial, uncorrectable, uncorrectable_mask, correctable,
		correctable_mask;
};

struct report_reader {
	report_fn *f;
	void *arg;
	uint64_t page_size;
	unsigned int depth;
	size_t n; /* of the line */
	struct report_section section;
	long sequence;		     /* of the error, "{1}[Hardware Error]"; -1 */
	struct report_section other; /* whose lines may be between those of `section` */
	long other_sequence;
	bool previous_boot; /* the lines are those of BERT */
	struct report part; /* of an error of a PCIe function, whose other lines may follow */
	bool has_part;
	char pcie[EVENT_HOST_MAX]; /* the function of the report that was given last; "" */
};

/* Return: as report_fn. */
int report_give(struct report_reader *reader, struct report *r);

/* report_wrong() - give a malformed report */
int report_wrong(struct report_reader *reader, enum report_form form, size_t line, const char *why);

/*
 * report_host_read() - a report of one line of the host
 * @text: without line ends
 *
 * Return: whether it is one, or a part of one whose end is missing, which is malformed.
 */
bool report_host_read(const char *text, uint64_t page_size, struct report *ret);

/*
 * report_pcie_read() - the same, of an error of a PCIe function
 * @ret: is of REPORT_PCIE
 */
bool report_pcie_read(const char *text, struct report *ret);

/*
 * report_pcie_give() - a report of report_pcie_read(), unless it is of the error of another line
 * report_pcie_end() - no other line of that error follows
 *
 * Return: as report_fn.
 */
int report_pcie_give(struct report_reader *reader, struct report *r);
int report_pcie_end(struct report_reader *reader);

/* Return: how many words of bytes a row of a section has; 0: it is none. */
size_t report_row_words(const char *text);

/* Return: whether a line may be a part of a report of several lines. */
bool report_is_section_line(const char *text);

/*
 * report_section_line() - a line of the kernel's log that may be a part of a report
 * report_section_end() - there is no other line of it
 * report_section_address() - another report follows: one whose address is known has ended
 *
 * Return: as report_fn.
 */
int report_section_line(struct report_reader *reader, const char *text, size_t line,
			const struct trace_when *when);
int report_section_end(struct report_reader *reader);
int report_section_address(struct report_reader *reader);

/*
 * report_set_check() - a machine check
 * @status, @misc: MCi_STATUS and MCi_MISC, as far as the text has them (Intel SDM 3B 17.3.2, AMD
 * APM 2 9.3.2)
 * @vendor: of the processor, 0 for Intel
 *
 * Sets the form, the severity, the address if there is one, and the doubt about it.
 *
 * Return: whether it has an address.
 */
bool report_set_check(struct report *r, struct opt_u64 status, struct opt_u64 misc,
		      struct opt_int vendor, uint64_t address);

/*
 * report_set_address() - the address that a controller or firmware says
 * @address: 0 is none: those without an address show it
 * @grain: how many bytes it cannot tell apart; 0: all of them, no bit of the address is valid
 */
void report_set_address(struct report *r, uint64_t address, uint64_t grain);

void report_set_severity(struct report *r, enum event_severity severity);

/* Copies as printable text, cut at its end. */
void report_set_what(struct report *r, const char *text);

#endif
