/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_MODEL_HOST_H
#define CXLR_TESTS_LIB_MODEL_HOST_H

/*
 * Hosts built in memory, field by field, so that a test can make any field invalid before it uses
 * the translator. The test has a reference of the host, which it keeps to its end.
 */

#include "common/arena.h"
#include "prm/translate.h"
#include "sysfs/snapshot.h"

enum { MODEL_OBJECTS_MAX = 8192, MODEL_PER_PORT_MAX = 128 };

#define MIB_256 (256ULL << 20)

/* Windows are 64 GiB each, one after the other from here on. */
#define MODEL_WINDOW_BASE 0x1000000000ULL
#define MODEL_WINDOW_SIZE 0x1000000000ULL

struct model {
	struct arena *arena;
	union {
		struct host host;
		struct snapshot snapshot; /* which begins with it */
	};
	struct host_root root_directory;
	struct bus bus;
	struct port *root;
	struct firmware *firmware; /* the test's; NULL without */
	struct translator *t;
	struct answers out; /* of the last call */

	const struct port **ports;
	const struct decoder **decoders;
	const struct region **regions;
	const struct memdev **memdevs;
	const struct dax_region **dax_regions;
};

void model_init(struct model *m);
void model_done(struct model *m);

/* A host bridge below the root; its _UID is its number from 0. */
struct port *model_bridge(struct model *m);

/* A switch below a host bridge or another switch. */
struct port *model_switch(struct model *m, struct port *parent);

/* A window over the bridges, with modulo arithmetic at 256 bytes; start and size as above. */
struct decoder *model_window(struct model *m, struct port *const *bridges, unsigned int n);

/*
 * A device of 256 MiB of RAM below the port, with an endpoint. The port is a bridge or a switch;
 * the root for a restricted device (RCD).
 */
struct memdev *model_memdev(struct model *m, struct port *port);

/*
 * A committed region over the devices, position by position, and its decoders at the endpoints
 * (all DPA not used yet) and on the way up, programmed as Linux does for 256 bytes.
 */
struct region *model_region(struct model *m, struct decoder *window, uint64_t resource,
			    struct memdev *const *members, unsigned int ways);

/* A decoder that is not used, after those of the port; kernels show all of a port. */
struct decoder *model_idle_decoder(struct model *m, struct port *port);

/* Turns a region's endpoint decoders into Normalized ones: DPA, 1-way, locked. */
void model_normalize(struct region *r);

/* Takes the region away from its decoders and the host, as kernels before 7.0 leave it. */
void model_drop_region(struct model *m, struct region *r);

/* Likewise, and the host shows what the decoders, which stay committed, map without it. */
void model_derive_region(struct model *m, struct region *r);

/* A dax device that covers the whole region, on the NUMA node. */
struct dax_device *model_dax(struct model *m, struct region *r, int node);

/* The members' and objects' fields are const in the snapshot; tests may write them. */
struct decoder *endpoint_decoder(const struct memdev *memdev, unsigned int index);
struct region_target *region_target(struct region *r, unsigned int position);

/* A CEDT that describes all windows; @xormaps for the granularity of the first when XOR. */
void model_cedt(struct model *m, uint8_t arithmetic, const uint64_t *xormaps, unsigned int n_maps);

/* Makes it a captured host whose files lie in a directory below @dirfd. */
void model_captured(struct model *m, int dirfd);

/* translator_new(), once the host is as the test wants it. */
void model_ready(struct model *m);

/* Translates; the answers are in m->out. Return: the first. */
const struct answer *model_translate_dpa(struct model *m, const struct memdev *memdev,
					 uint64_t first, uint64_t last);
const struct answer *model_translate_spa(struct model *m, uint64_t first, uint64_t last);

/* Return: the first note that holds the text, or NULL. */
const char *model_note(const struct model *m, const char *text);

/* Translates both ways and fails the test unless both are exact and from that source. */
void expect_both_ways(struct model *m, const struct memdev *memdev, uint64_t dpa, uint64_t spa,
		      enum answer_source source);

/* Fails the test unless the reason of the answer holds the text. */
void expect_reason(const struct answer *a, const char *text);

/* Fails the test unless the answer has that reason, by its code. */
void expect_reason_code(const struct answer *a, enum answer_reason code);

/* Fails the test unless the answer has just these doubts, 1 << enum answer_doubt. */
void expect_doubts(const struct answer *a, uint32_t doubts);

/* Return: whether the translator has a note with that code. */
bool model_has_note(const struct model *m, enum translator_note code);

#endif
