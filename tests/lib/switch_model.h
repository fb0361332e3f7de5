/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_SWITCH_MODEL_H
#define CXLR_TESTS_LIB_SWITCH_MODEL_H

/*
 * A model of a CXL switch with devices, for tests: its members say what the switch is, and it
 * answers commands byte by byte, by code of its own that shares nothing with mailbox/. It can be
 * used on three levels:
 *
 *	switch_model_command()	one command of the switch's mailbox, tunnels with their contents
 *	switch_model_cci()	a `struct cci` that reaches the switch, its devices and their LDs
 *	switch_model_read32(), switch_model_write32()
 *				the registers, as a driver sees them
 *
 * A test may change any member between commands; with other threads while it has the lock. Commands
 * that change something change the members. A fault makes the model break the rules.
 *
 * Sources: CXL 3.2 7.6.3, 7.6.7, 7.6.8, 8.2.9.4, 8.2.10.1, 8.2.10.2.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mailbox/cci.h"

enum {
	MODEL_PORTS = 256,
	MODEL_VCS = 16,
	MODEL_VPPBS = 256,
	MODEL_LDS = 256,
	MODEL_LOGS = 4, /* informational, warning, failure, fatal */
	MODEL_RECORDS = 64,
	MODEL_RECORD_SIZE = 128,
	MODEL_FAULTS = 16,
	MODEL_COMMANDS = 64, /* different opcodes that are counted */
	MODEL_DC_HOSTS = 4,
	MODEL_DC_REGIONS = 8,
	MODEL_EXTENTS = 128, /* of a host */
	/* The size of an output; also the size of the register block of payloads. */
	MODEL_PAYLOAD_MAX = 4096,
};

struct model_identity {
	uint16_t vendor, device, subsystem_vendor, subsystem;
	uint64_t serial;
	uint8_t max_message; /* exponent of 2; a longer payload is Invalid Payload Length */
	uint8_t component;   /* 0 switch, 3 type 3 */
};

struct model_ld {
	uint64_t range1, range2;  /* multiples of the granularity */
	uint8_t allocated, limit; /* bandwidth in 256ths */
	struct model_identity identity;
};

/* ---- dynamic capacity ---- */

struct model_extent {
	uint64_t start, size; /* bytes */
	uint8_t tag[16];
	uint16_t sequence;
};

struct model_dc_region {
	uint64_t base, size, block; /* bytes; the base is one of 256 MiB */
	uint64_t block_sizes;	    /* bit b: 2^b bytes */
	uint8_t flags;
	bool sanitized;
};

/* How the host of an LD answers when it is offered memory, or asked to release some. */
enum model_host_answer {
	MODEL_HOST_SILENT,  /* until switch_model_host_accepts() or .._rejects() */
	MODEL_HOST_ACCEPTS, /* at once */
	MODEL_HOST_REJECTS, /* at once */
	MODEL_HOST_WAITS,   /* accepts when its list is read for the second time after that */
};

struct model_dc_host {
	enum model_host_answer answer;
	struct model_extent accepted[MODEL_EXTENTS], offered[MODEL_EXTENTS],
		released[MODEL_EXTENTS]; /* that it is asked to release */
	size_t n_accepted, n_offered, n_released, n_reads;
	uint32_t generation;
};

struct model_dcd {
	uint8_t n_hosts, n_regions;
	uint16_t add_policies, release_policies;
	uint8_t sanitize;
	uint64_t capacity; /* bytes, of all hosts */
	struct model_dc_region regions[MODEL_DC_REGIONS];
	uint32_t extents, tags; /* supported, of each host */
	struct model_dc_host hosts[MODEL_DC_HOSTS];
	bool forgets_tags;	 /* accepted extents have none, as QEMU's */
	bool changes_while_read; /* the generation of a list is another one in each reply */
	uint64_t n_sanitized;	 /* bytes, because a release asked for it */
	size_t n_forced;	 /* releases */
};

enum model_device_kind { MODEL_NO_DEVICE, MODEL_PCIE, MODEL_SLD, MODEL_MLD };

struct model_device {
	enum model_device_kind kind; /* a PCIe device does not answer through the tunnel */
	struct model_identity identity;
	/* The rest is of an MLD. */
	uint64_t memory_size;
	uint16_t n_lds;		 /* supported; at most MODEL_LDS */
	uint8_t n_enabled;	 /* LDs */
	uint8_t granularity;	 /* code: 0 256 MiB, 1 512 MiB, 2 1 GiB */
	uint8_t telemetry;	 /* capabilities, as in Get LD Info */
	uint8_t qos[7];		 /* payload of Get QoS Control */
	uint8_t backpressure;	 /* percent */
	bool partial_allocation; /* Set LD Allocations succeeds with what fits */
	struct model_ld lds[MODEL_LDS];
	/* The dynamic capacity of any device; NULL without. The model frees it. */
	struct model_dcd *dcd;
};

/* Codes as in Get Physical Port State. */
struct model_port {
	bool exists;
	uint8_t config, device_mode, device_type, supported_modes;
	uint8_t max_width, width, speeds, max_speed, speed, ltssm, first_lane;
	uint16_t link_flags;
	uint8_t additional_lds;
	unsigned int n_perst, n_ppb_resets; /* that were asked for */
	struct model_device device;
};

/* Codes as in Get Virtual CXL Switch Info. */
struct model_vppb {
	uint8_t binding, port, ld;
};

struct model_vcs {
	bool exists, enabled;
	uint8_t usp;
	uint16_t n_vppbs; /* vPPB 0 is that of the upstream port */
	struct model_vppb vppbs[MODEL_VPPBS];
};

struct model_log {
	bool overflow;
	uint16_t n_lost;
	uint64_t first_lost_ns, last_lost_ns;
	size_t n;
	uint8_t records[MODEL_RECORDS][MODEL_RECORD_SIZE];
};

enum model_fault_kind {
	/* With `opcode` and `level`, for `times` commands: */
	MODEL_RETURN_CODE,     /* returns `value` without effect (5: Retry Required, 6: Busy) */
	MODEL_NEVER_COMPLETES, /* the doorbell stays set */
	MODEL_COUNT,	       /* all counts of the output are `value`, as far as they are wide */
	MODEL_BYTE,	       /* byte `offset` of the output is `value` */
	MODEL_SHORT,	       /* the output ends after `value` bytes */
	MODEL_LENGTH,	       /* the output is said to have `value` bytes */
	MODEL_OTHER_COMMAND,   /* the reply is of opcode `value` */
	/* Only of a reply in a tunnel, level 1 and 2: */
	MODEL_TUNNEL_LENGTH, /* Response Length is `value` */
	MODEL_TAG,	     /* `value` is added */
	MODEL_CATEGORY,	     /* is `value` */
	/* Faults of level 0: */
	MODEL_COMPLETES_TWICE, /* the doorbell is set and cleared once more, with another output */
	/* Faults of the whole switch: */
	MODEL_VANISHES,		/* all bits of all registers are one after `value` reads */
	MODEL_TUNNEL_TO_ITSELF, /* the tunnel to port `value` is answered by the switch */
	MODEL_BACKGROUND_STUCK, /* background operations do not end */
	MODEL_BACKGROUND_OTHER, /* the background status is of opcode `value` */
	MODEL_BACKGROUND_CODE,	/* background operations end with return code `value`, no effect */
};

struct model_fault {
	enum model_fault_kind kind;
	uint16_t opcode;    /* 0: of any */
	int level;	    /* 0 the switch's reply, 1 the port's device, 2 an LD; -1 any */
	unsigned int times; /* 0: always */
	uint32_t value;
	size_t offset;
};

struct model_background {
	bool running;
	uint16_t opcode, return_code;
	uint8_t percent;
	uint8_t input[8]; /* of the command */
};

struct model_count {
	uint16_t opcode;
	size_t n;
};

struct model_registers {
	uint8_t command[8], status[8], payload[MODEL_PAYLOAD_MAX];
	unsigned int busy; /* reads of the control register until the doorbell clears */
	bool hangs, again;
};

struct switch_model {
	pthread_mutex_t lock;
	struct model_identity identity;
	uint8_t ingress_port;
	uint8_t n_hdm_decoders;
	bool no_vcs_commands; /* 52xxh is Unsupported */
	bool no_events;	      /* 0100h is */
	struct model_port ports[MODEL_PORTS];
	struct model_vcs vcs[MODEL_VCS];
	struct model_log logs[MODEL_LOGS];
	uint64_t time_ns;   /* of the next record; grows by a second with each */
	uint8_t aer[40];    /* the last request to generate an AER event */
	size_t payload_max; /* of an input and an output, a power of 2 from 256 on */
	uint8_t step;	    /* percent that a background operation proceeds when asked */
	uint32_t regs;	    /* offset of the device capabilities array in the BAR, */
	uint32_t mailbox;   /* and of the mailbox from there */
	uint32_t bar_size;  /* in bytes */
	unsigned int delay; /* reads of the control register while the doorbell is set */

	struct model_fault faults[MODEL_FAULTS];
	size_t n_faults;

	/* Records of what happened. */
	size_t n_commands;	  /* to the switch; a tunnel counts once */
	size_t n_reads, n_writes; /* of registers */
	struct model_count counts[MODEL_COMMANDS];
	char complaint[160]; /* the first access of registers that the specification forbids */

	/* Its own state. */
	struct model_background background;
	struct model_registers registers;
	bool hangs, vanished, twice;
	uint16_t replied_opcode;
};

enum switch_model_preset {
	/*
	 * Port 0 is the USP, ports 1 to 4 are DSPs: 1 has an MLD of 4 LDs, 2 an SLD, 3 and 4
	 * nothing. VCS 0 has five vPPBs: that of the USP, one bound to LD 0 of the MLD, one to the
	 * SLD, two unbound ones. Two logs have records.
	 */
	MODEL_SMALL,
	/*
	 * 256 ports: 0 to 3 are USPs of as many VCSs; 4 to 19 have MLDs of 16 LDs, 20 to 83 SLDs.
	 * LD n of each MLD is bound in VCS n, for n of 0 to 3.
	 */
	MODEL_LARGE,
};

/* Fails the test when out of memory. The caller frees it, after all that use it. */
struct switch_model *switch_model_new(enum switch_model_preset preset);

/* Accepts NULL. Return: NULL. */
struct switch_model *switch_model_free(struct switch_model *m);

/* For tests with other threads. */
void switch_model_lock(struct switch_model *m);
void switch_model_unlock(struct switch_model *m);

/* Put a device on a port, or take it away with a kind of MODEL_NO_DEVICE; leaves bindings. */
void switch_model_set_device(struct switch_model *m, uint8_t port, enum model_device_kind kind,
			     uint16_t n_lds);

/*
 * switch_model_add_dynamic() - give the device on a port dynamic capacity
 *
 * Two regions for each of its LDs, of which at most MODEL_DC_HOSTS have it: 4 GiB from 64 GiB on in
 * blocks of 256 MiB, and 2 GiB from 96 GiB on in blocks of 2 MiB, which is shareable; 6 GiB of all
 * of them together, 64 extents and 16 tags. It supports all policies but shared access; hosts are
 * silent.
 *
 * Return: it, to be changed.
 */
struct model_dcd *switch_model_add_dynamic(struct switch_model *m, uint8_t port);

/* All that the host is offered, or asked to release, is answered, as 4802h and 4803h do. */
void switch_model_host_accepts(struct model_dcd *d, uint16_t host);
void switch_model_host_rejects(struct model_dcd *d, uint16_t host);

/* Makes the LDs of an MLD have together more than the device has. */
void switch_model_overlap_lds(struct model_device *d);

void switch_model_fault(struct switch_model *m, const struct model_fault *f);

/*
 * Errors of a switch, each by one fault or by what its members say. A test goes through all
 * of them: whatever is read, it ends, and what is wrong is not used. The preset is MODEL_SMALL.
 */
struct model_scenario {
	const char *name;
	struct model_fault fault;
	void (*change)(struct switch_model *m); /* instead of the fault; NULL for none */
};

const struct model_scenario *switch_model_scenarios(size_t *ret_n);
void switch_model_spoil(struct switch_model *m, const struct model_scenario *s);

/*
 * Append a record of 128 bytes to a log, with UUID, length, severity, a handle and the time filled
 * in: the rest, from byte 30h on, is @body.
 */
enum model_record_kind {
	MODEL_RECORD_PORT,
	MODEL_RECORD_VCS,
	MODEL_RECORD_MLD,
	MODEL_RECORD_OTHER
};

void switch_model_add_record(struct switch_model *m, unsigned int log, enum model_record_kind kind,
			     const uint8_t *body, size_t len);

/*
 * switch_model_command() - what the mailbox of the switch answers
 * @out: MODEL_PAYLOAD_MAX bytes
 * @out_len: as the switch reports it, with MODEL_LENGTH not what is in @out
 *
 * The caller has the lock when there are other threads. MODEL_NEVER_COMPLETES sets `hangs`.
 *
 * Return: the return code.
 */
unsigned int switch_model_command(struct switch_model *m, uint16_t opcode, const uint8_t *in,
				  size_t len, uint8_t *out, size_t *out_len);

/* Return: how often a command was executed, wherever its target was. */
size_t switch_model_count(const struct switch_model *m, uint16_t opcode);

/* A CCI of the model; it takes the lock. cci_free() leaves the model. */
struct cci *switch_model_cci(struct switch_model *m, const char *name);

/* Registers in the BAR of `bar_size` bytes; they take the lock. 64-bit ones in two halves. */
uint32_t switch_model_read32(struct switch_model *m, uint32_t offset);
void switch_model_write32(struct switch_model *m, uint32_t offset, uint32_t value);

#endif
