// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/verify_inject.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "change/lock.h"
#include "change/poison_line.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "common/cleanup.h"
#include "common/clock.h"
#include "common/fileio.h"
#include "common/log.h"
#include "common/strutil.h"
#include "selftest/dax_memory.h"
#include "selftest/model.h"
#include "selftest/region_free.h"

/* The memory and the devices of a test: those of the machine, or a model. */
struct bench {
	struct selftest_model *model;
	struct dax_memory *dax;
	struct change_lock lock;
	struct inject_report *report;
};

/* ---- the region -------------------------------------------------------------------------------
 */

static void describe_region(struct cli *cli, struct inject_report *r)
{
	const struct region *region = r->region;
	struct plan_region *p = &r->plan;

	p->first = p->base = region->resource.value;
	p->last = p->first + (region->size.value - 1);
	p->ways = (unsigned int)region->ways.value;
	p->granularity = (unsigned int)region->granularity.value;
	p->random = cli->verify.samples ? cli->verify.samples : INJECT_SAMPLES_DEFAULT;
	p->seed = cli->verify.seed.value;
	if (!cli->verify.seed.present)
		(void)!getrandom(&p->seed, sizeof(p->seed), 0);
	for (unsigned int i = 0; i < p->ways; i++) {
		const struct decoder *d = region->targets[i].decoder;

		p->devices[i].first = d->dpa_resource.value;
		p->devices[i].last = d->dpa_resource.value + (d->dpa_size.value - 1);
	}
}

/* Nothing that uses the region may come between the look at its users and the map. */
static int take_lock(const struct inject_report *r, struct change_lock *ret, struct error *e)
{
	struct change c = {.kind = CHANGE_REGION_CREATE, .region = {.ways = r->plan.ways}};

	for (unsigned int i = 0; i < r->plan.ways; i++)
		(void)snprintf(c.region.positions[i].name, sizeof(c.region.positions[i].name), "%s",
			       inject_memdev(r, i)->name);
	return change_lock_take(&c, ret, e);
}

static int check_files(const struct inject_report *r, struct error *e)
{
	for (unsigned int i = 0; i < r->plan.ways; i++) {
		const char *name = inject_memdev(r, i)->name;
		char path[128];

		(void)snprintf(path, sizeof(path), POISON_DEBUGFS "/%s/%s", name,
			       poison_file(false));
		if (access(path, W_OK) < 0)
			return error_set(
				e, EOPNOTSUPP,
				"%s cannot clear poison: %s: %s; it needs debugfs, a kernel that is not locked down, and a device with the command",
				name, path, strerror(errno));
	}
	return 0;
}

/* The region may have been used, or made anew, since the host was read. @ret: valid with @now */
static int find_free_dax(const struct inject_report *r, const struct host *now, bool is_mapped,
			 const struct dax_device **ret, struct error *e)
{
	const struct region *region = host_mapping(now, r->region->name);
	const struct memory_use *use = NULL;
	int result;

	if (!region || region->inode != r->region->inode)
		return error_set(e, ESTALE, "%s is another region now: repeat it", r->region->name);
	result = memory_use_read(now, &use, e);
	if (result == 0)
		result = region_is_free(region, use, is_mapped ? (uint32_t)getpid() : 0, ret, e);
	(void)memory_use_unref(use);
	return result;
}

static int take_dax(struct inject_report *r, const struct dax_device *dax)
{
	(void)snprintf(r->memory, sizeof(r->memory), "/dev/%s", dax->name);
	r->plan.first = dax->resource.value;
	r->plan.last = dax->resource.value + (dax->size.value - 1);
	return 0;
}

static int check_dax(const struct inject_report *r, const struct dax_device *dax, struct error *e)
{
	if (str_equal(str_after_prefix(r->memory, "/dev/"), dax->name) &&
	    dax->resource.value == r->plan.first &&
	    dax->size.value - 1 == r->plan.last - r->plan.first)
		return 0;
	return error_set(e, ESTALE, "%s has another dax device now: repeat it", r->region->name);
}

static int look_at_users(struct cli *cli, struct inject_report *r, bool is_mapped, struct error *e)
{
	const struct dax_device *dax;
	const struct host *now = NULL;
	int result = host_read(cli->root, &now, e);

	if (result == 0)
		result = find_free_dax(r, now, is_mapped, &dax, e);
	if (result == 0)
		result = is_mapped ? check_dax(r, dax, e) : take_dax(r, dax);
	(void)host_unref(now);
	return result;
}

/* Another program may open or change the device until it is mapped, so its users are read again. */
static int open_machine(struct cli *cli, struct bench *b, struct error *e)
{
	struct inject_report *r = b->report;
	int result = take_lock(r, &b->lock, e);

	if (result == 0)
		result = look_at_users(cli, r, false, e);
	if (result == 0)
		result = check_files(r, e);
	if (result == 0)
		result = dax_memory_open(r->memory, r->plan.first, r->plan.last, &b->dax, e);
	return result < 0 ? result : look_at_users(cli, r, true, e);
}

static int open_model(struct bench *b, struct error *e)
{
	const struct memdev *devices[INTERLEAVE_WAYS_MAX];
	struct inject_report *r = b->report;
	_cleanup_free_ char *text = NULL;
	struct error why = {0};
	size_t len;
	int result = read_file_at(AT_FDCWD, r->model, MODEL_BYTES_MAX, &text, &len);

	if (result < 0)
		return error_set(e, result, "--model: %s: %s", r->model, strerror(-result));
	for (unsigned int i = 0; i < r->plan.ways; i++)
		devices[i] = inject_memdev(r, i);
	(void)snprintf(r->memory, sizeof(r->memory), "model");
	result = selftest_model_new(text, len, devices, r->plan.ways, r->plan.first, r->plan.last,
				    &b->model, &why);
	return result < 0 ? error_set(e, result, "--model: %s: %s", r->model, why.text) : 0;
}

static void bench_done(struct bench *b)
{
	b->model = selftest_model_free(b->model);
	b->dax = dax_memory_close(b->dax);
	change_lock_release(&b->lock);
}

/* ---- the device -------------------------------------------------------------------------------
 */

static int clear_line(void *userdata, unsigned int position, uint64_t dpa, struct error *e)
{
	const struct memdev *m = inject_memdev(userdata, position);
	int r = poison_line_change(m->name, false, dpa);

	return r < 0 ? error_set(e, r, "%s: clear_poison of DPA 0x%" PRIx64 ": %s", m->name, dpa,
				 strerror(-r))
		     : 0;
}

static bool on_progress(void *userdata, size_t done, size_t total)
{
	(void)userdata;
	cli_progress_step(total + done, 2 * total);
	return cli_interrupted();
}

static int judge_all(struct bench *b)
{
	struct inject_report *r = b->report;
	const struct selftest_memory memory =
		b->model ? selftest_model_memory(b->model) : dax_memory_interface(b->dax);
	const struct selftest_device device =
		b->model ? selftest_model_device(b->model)
			 : (struct selftest_device){.clear = clear_line, .userdata = r};
	const struct judge j = {.memory = &memory,
				.device = &device,
				.seed = r->plan.seed,
				.search_bytes = b->model ? MODEL_SEARCH_BYTES : 0,
				.progress = on_progress};
	int result = judge_points(&j, r->points, r->n_points, r->judgements, &r->summary);

	r->cancelled = result == -ECANCELED;
	return r->cancelled ? 0 : result;
}

/* ---- the whole --------------------------------------------------------------------------------
 */

static int make_round_trips(struct cli *cli, struct bench *b)
{
	const struct selftest_memory memory = dax_memory_interface(b->dax);
	const struct round_trip_bench bench = round_trip_machine(&memory);

	return inject_round_trips(cli, &bench, b->report);
}

static int run_test(struct cli *cli, struct bench *b)
{
	struct inject_report *r = b->report;
	int result = inject_make_points(cli, r);

	if (result == 0 && !r->cancelled)
		result = judge_all(b);
	if (result < 0 || r->cancelled)
		return result;
	if (b->dax)
		return make_round_trips(cli, b);
	(void)snprintf(r->no_round_trips, sizeof(r->no_round_trips),
		       "the kernel makes no records of a model");
	return 0;
}

static void report_done(struct inject_report *r)
{
	free(r->samples);
	free(r->points);
	free(r->judgements);
	free(r->sample_of);
}

/* Return: whether the test may go on: root, and the word of the caller. A usage error otherwise. */
static bool may_destroy(const struct cli *cli, const struct region *region)
{
	char size[SIZE_TEXT_MAX];

	if (cli->verify.model)
		return true;
	if (cli->host_path)
		log_err("verify: a captured host has no memory to write to: give a model of its devices with --model");
	else if (!cli->change.force)
		log_err("verify: --inject destroys the content of %s (%s), and nothing was written yet: repeat it with --force if that may be lost",
			region->name, size_text(region->size, size));
	else if (geteuid() != 0)
		log_err("verify: --inject writes to memory and to devices: run this as root");
	else
		return true;
	return false;
}

static int print_report(const struct cli *cli, const struct inject_report *r)
{
	if (r->refused[0])
		log_err("verify: %s", r->refused);
	if (cli->json && inject_print_json(r) < 0) {
		log_err("verify: out of memory");
		return STATUS_ERROR;
	}
	/* As text it is in the report; one as JSON may be read much later. */
	if (cli->json && r->ended_by)
		log_err("verify: %s", r->ended_by);
	if (!cli->json && !r->refused[0])
		inject_print_text(r);
	return inject_is_ok(r) ? STATUS_OK : STATUS_PARTIAL;
}

/* Return: the exit status. */
static int make_report(struct cli *cli, struct inject_report *r)
{
	struct bench b = {.lock = {.fd = -1}, .report = r};
	struct error e = {0};
	int result = region_shape_check(r->region, &e);

	if (result == 0) {
		describe_region(cli, r);
		result = r->model ? open_model(&b, &e) : open_machine(cli, &b, &e);
	}
	if (result < 0) {
		bench_done(&b);
		if (r->model) {
			log_err("verify: %s", e.text);
			return STATUS_ERROR;
		}
		(void)snprintf(r->refused, sizeof(r->refused), "%s", e.text);
		return print_report(cli, r);
	}
	cli_catch_interrupt();
	cli_progress_begin("verify");
	result = run_test(cli, &b);
	cli_progress_end();
	bench_done(&b);
	if (result < 0) {
		log_err("verify: out of memory");
		return STATUS_ERROR;
	}
	return print_report(cli, r);
}

int command_verify_inject(struct cli *cli)
{
	struct inject_report r = {.model = cli->verify.model, .started_ns = clock_realtime_ns()};
	int status;

	if (cli_open(cli) != STATUS_OK)
		return STATUS_ERROR;
	r.host = cli->host;
	r.region = host_mapping(cli->host, cli->verify.inject);
	if (!r.region) {
		log_err("verify: %.64s: no such region; cxl-spa list shows the names",
			cli->verify.inject);
		return STATUS_ERROR;
	}
	if (!may_destroy(cli, r.region))
		return STATUS_ERROR;
	cli_print_notes(cli);
	status = make_report(cli, &r);
	report_done(&r);
	return status;
}
