// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The answers that are expected of the firmware's handler:
 *
 *	rule plain|permuted spa DEVICES <"BDF DPA"	writes "BDF DPA SPA"
 *	rule plain|permuted dpa DEVICES <"BDF SPA"	writes "BDF SPA DPA", with the BDF of the
 *							device that has the DPA
 *	rule random COUNT SEED DEVICES			writes COUNT lines "BDF DPA"
 *	rule boundaries DEVICES				writes "BDF DPA" around each power of two
 *
 * DEVICES is a file of "SERIAL BDF BASE POSITION" lines, see cxl_devices in lib.sh. Each device
 * has 256 MiB and interleaves with one other.
 */
#include "address.h"
#include "rule.h"

#define DEVICE_SIZE UINT64_C(0x10000000)
#define WAYS	    2
#define MAX_DEVICES 16

struct device {
	char bdf[16];
	uint64_t base;
	uint32_t position;
};

static struct device devices[MAX_DEVICES];
static size_t n_devices;

static int fail(const char *message)
{
	fprintf(stderr, "rule: %s\n", message);
	return 2;
}

static int read_devices(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[128];

	if (file == NULL)
		return fail("no such file of devices");
	while (n_devices < MAX_DEVICES && fgets(line, sizeof(line), file) != NULL) {
		struct device *device = &devices[n_devices];

		if (sscanf(line, "%*s %15s %" SCNi64 " %" SCNu32, device->bdf,
			   (int64_t *)&device->base, &device->position) == 3)
			n_devices++;
	}
	fclose(file);
	return n_devices > 0 ? 0 : fail("no devices in the file");
}

static const struct device *find_device(const char *bdf)
{
	for (size_t i = 0; i < n_devices; i++)
		if (strcmp(devices[i].bdf, bdf) == 0)
			return &devices[i];
	return NULL;
}

static const struct device *find_position(uint64_t base, uint32_t position)
{
	for (size_t i = 0; i < n_devices; i++)
		if (devices[i].base == base && devices[i].position == position)
			return &devices[i];
	return NULL;
}

static int answer_spa(enum rule rule)
{
	struct address address;

	while (read_address(stdin, &address)) {
		const struct device *device = find_device(address.bdf);

		if (device == NULL || address.value >= DEVICE_SIZE)
			return fail("no such device or DPA");
		printf("%s 0x%" PRIx64 " 0x%" PRIx64 "\n", address.bdf, address.value,
		       rule_spa(rule, device->base, WAYS, device->position, address.value));
	}
	return 0;
}

static int answer_dpa(enum rule rule)
{
	struct address address;

	while (read_address(stdin, &address)) {
		const struct device *named = find_device(address.bdf);
		const struct device *device;
		uint32_t position;
		uint64_t dpa;

		if (named == NULL || address.value < named->base ||
		    address.value >= named->base + WAYS * DEVICE_SIZE)
			return fail("no such device, or the SPA is not in its region");
		dpa = rule_dpa(rule, named->base, WAYS, address.value, &position);
		device = find_position(named->base, position);
		if (device == NULL)
			return fail("no device has the position");
		printf("%s 0x%" PRIx64 " 0x%" PRIx64 "\n", device->bdf, address.value, dpa);
	}
	return 0;
}

/* splitmix64: the same addresses for the same seed on every machine. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15ULL);

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

static int write_random(uint64_t count, uint64_t seed)
{
	for (uint64_t i = 0; i < count; i++) {
		const struct device *device = &devices[next_random(&seed) % n_devices];

		printf("%s 0x%" PRIx64 "\n", device->bdf, next_random(&seed) % DEVICE_SIZE);
	}
	return 0;
}

/* First and last byte below and above each power of two, and the ends of the device. */
static int write_boundaries(void)
{
	for (size_t i = 0; i < n_devices; i++) {
		printf("%s 0x0\n", devices[i].bdf);
		for (uint64_t power = 64; power < DEVICE_SIZE; power <<= 1) {
			printf("%s 0x%" PRIx64 "\n", devices[i].bdf, power - 1);
			printf("%s 0x%" PRIx64 "\n", devices[i].bdf, power);
			printf("%s 0x%" PRIx64 "\n", devices[i].bdf, DEVICE_SIZE - power);
		}
		printf("%s 0x%" PRIx64 "\n", devices[i].bdf, DEVICE_SIZE - 1);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *command = argc > 1 ? argv[1] : "";
	enum rule rule = strcmp(command, "permuted") == 0 ? RULE_PERMUTED : RULE_PLAIN;
	int direction = argc == 4 && (strcmp(command, "plain") == 0 || rule == RULE_PERMUTED);

	if (argc < 3 || read_devices(argv[argc - 1]) != 0)
		return fail("usage: rule plain|permuted spa|dpa DEVICES, rule random COUNT SEED "
			    "DEVICES, rule boundaries DEVICES");
	if (direction && strcmp(argv[2], "spa") == 0)
		return answer_spa(rule);
	if (direction && strcmp(argv[2], "dpa") == 0)
		return answer_dpa(rule);
	if (strcmp(command, "random") == 0 && argc == 5)
		return write_random(strtoull(argv[2], NULL, 0), strtoull(argv[3], NULL, 0));
	if (strcmp(command, "boundaries") == 0)
		return write_boundaries();
	return fail("unknown command");
}
