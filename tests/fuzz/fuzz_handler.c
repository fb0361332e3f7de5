// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * prm/pairs.txt and prm/rule.json of a captured host, on a small host of two devices in a 2-way
 * Normalized region. The input is both files, the first ended by a byte 0xff. An answer must
 * be in the region and in its interleave block, and an exact one must translate back.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prm/translate.h"
#include "tests/fuzz/fuzz_table.h"

#define BASE	 0x1000000000ULL
#define DPA_SIZE 0x10000ULL

static struct host_root root = {.captured = true, .dirfd = -1};
static struct bus bus = {.name = "root0"};
static struct port root_port = {.name = "root0", .kind = PORT_ROOT, .bus = &bus};
static struct decoder window = {.name = "decoder0.0",
				.port = &root_port,
				.start = OPT_U64(BASE),
				.size = OPT_U64(0x1000000),
				.ways = OPT_U64(1),
				.granularity = OPT_U64(256)};
static struct region region = {.name = "region0",
			       .root = &window,
			       .resource = OPT_U64(BASE),
			       .size = OPT_U64(2 * DPA_SIZE),
			       .ways = OPT_U64(2),
			       .granularity = OPT_U64(256),
			       .commit = REGION_COMMITTED};
static struct region_target targets[2];
static struct port endpoints[2];
static struct decoder decoders[2];
static const struct decoder *decoder_lists[2] = {&decoders[0], &decoders[1]};
static struct memdev memdevs[2];

static const struct port *const all_ports[] = {&root_port, &endpoints[0], &endpoints[1]};
static const struct decoder *const all_decoders[] = {&window, &decoders[0], &decoders[1]};
static const struct memdev *const all_memdevs[] = {&memdevs[0], &memdevs[1]};
static const struct region *const all_regions[] = {&region};
static struct host host = {.root = &root,
			   .buses = &bus,
			   .n_buses = 1,
			   .ports = all_ports,
			   .n_ports = 3,
			   .decoders = all_decoders,
			   .n_decoders = 3,
			   .memdevs = all_memdevs,
			   .n_memdevs = 2,
			   .regions = all_regions,
			   .n_regions = 1};

static void build_host(void)
{
	static const char *const names[2][4] = {
		{"mem0", "0000:00:00.0", "decoder1.0", "endpoint1"},
		{"mem1", "0000:01:00.0", "decoder2.0", "endpoint2"},
	};

	bus.root = &root_port;
	region.targets = targets;
	region.n_targets = 2;
	for (unsigned int i = 0; i < 2; i++) {
		decoders[i] = (struct decoder){.name = names[i][2],
					       .port = &endpoints[i],
					       .start = OPT_U64(0),
					       .size = OPT_U64(DPA_SIZE),
					       .ways = OPT_U64(1),
					       .granularity = OPT_U64(256),
					       .dpa_resource = OPT_U64(0),
					       .dpa_size = OPT_U64(DPA_SIZE),
					       .region = &region};
		endpoints[i] = (struct port){.name = names[i][3],
					     .kind = PORT_ENDPOINT,
					     .parent = &root_port,
					     .memdev = &memdevs[i],
					     .decoders = &decoder_lists[i],
					     .n_decoders = 1};
		memdevs[i] = (struct memdev){.name = names[i][0],
					     .bdf = names[i][1],
					     .serial = OPT_U64(0xabc0 + i),
					     .ram_size = OPT_U64(DPA_SIZE),
					     .pmem_size = OPT_U64(0),
					     .endpoint = &endpoints[i]};
		targets[i] = (struct region_target){
			.position = i, .decoder = &decoders[i], .memdev = &memdevs[i]};
	}
}

/* Replacements of functions of sysfs/: the two files are parts of the input. */
static const uint8_t *files[2];
static size_t lengths[2];

const struct host *host_ref(const struct host *h)
{
	return h;
}

const struct host *host_unref(const struct host *h)
{
	(void)h;
	return NULL;
}

int host_root_read(const struct host_root *r, const char *path, size_t max, char **ret,
		   size_t *ret_len)
{
	unsigned int i = strcmp(path, "prm/pairs.txt") == 0 ? 0 : 1;

	(void)r;
	if (!files[i])
		return -ENOENT;
	if (lengths[i] > max)
		return -EFBIG;
	*ret = malloc(lengths[i] + 1);
	if (!*ret)
		return -ENOMEM;
	memcpy(*ret, files[i], lengths[i]);
	(*ret)[lengths[i]] = '\0';
	*ret_len = lengths[i];
	return 0;
}

static void ask(const struct translator *t, const struct memdev *m, uint64_t dpa)
{
	struct answers out = {0}, back = {0};
	const struct answer *a;

	FUZZ_MUST(translate_dpa(t, m, dpa, dpa, &out) == 0 && out.n == 1);
	a = &out.items[0];
	/* A pair outside of its block refutes the intervals of the region. */
	FUZZ_MUST(a->has_spa || (!a->exact && answer_has_reason(a, REASON_INTERVAL_REFUTED)));
	FUZZ_MUST(a->source != SOURCE_DECODER && (a->exact || a->reason[0]));
	FUZZ_MUST(!a->has_spa || (a->spa >= BASE + dpa / 256 * 512 &&
				  a->spa_last <= BASE + dpa / 256 * 512 + 511));
	if (a->exact) {
		FUZZ_MUST((a->spa ^ dpa) % 256 == 0);
		FUZZ_MUST(translate_spa(t, a->spa, a->spa, &back) == 0 && back.n == 1);
		FUZZ_MUST(back.items[0].exact && back.items[0].memdev == m &&
			  back.items[0].dpa == dpa && back.items[0].source == a->source);
	}
	answers_done(&back);
	answers_done(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = size ? memchr(data, 0xff, size) : NULL;
	struct translator *t = NULL;
	struct answers out = {0};

	if (!memdevs[0].name)
		build_host();
	files[0] = data;
	lengths[0] = end ? (size_t)(end - data) : size;
	files[1] = end ? end + 1 : NULL;
	lengths[1] = end ? size - lengths[0] - 1 : 0;
	if (size == 0)
		files[0] = NULL;
	FUZZ_MUST(translator_new(&host, NULL, &t, NULL) == 0);
	for (unsigned int i = 0; i < 2; i++)
		for (uint64_t dpa = 0; dpa < DPA_SIZE; dpa += 0xf40)
			ask(t, &memdevs[i], dpa);
	FUZZ_MUST(translate_dpa(t, &memdevs[0], 0, UINT64_MAX, &out) == 0);
	FUZZ_MUST(translate_spa(t, 0, UINT64_MAX, &out) == 0);
	answers_done(&out);
	translator_unref(t);
	return 0;
}
