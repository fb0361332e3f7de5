// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-spa verify: compares firmware's answers with the interleave attributes that the kernel shows,
// and with themselves.
#include "prm/verify.h"

#include <errno.h>
#include <inttypes.h>

#include "cli/cli.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/verify_inject.h"
#include "common/log.h"

enum { SAMPLES_DEFAULT = 1000 }; /* of a decoder: about two seconds at the usual rate */

static void print_comparison(const struct verification *v)
{
	if (v->disagrees) {
		out_indent(2);
		out("first disagreement: DPA 0x%" PRIx64 " is at SPA 0x%" PRIx64
		    ", but modulo interleaving gives SPA 0x%" PRIx64,
		    v->dpa, v->spa, v->expected);
		out_end();
		out_indent(2);
		if (v->in_block == v->answered)
			out("all answers are in the interleave block of their DPA: estimates are right, but only firmware knows the order of the devices in a block");
		else
			out("%zu answer%s outside the interleave block of the DPA: ways and granularity do not describe firmware's mapping",
			    v->answered - v->in_block,
			    v->answered - v->in_block == 1 ? " is" : "s are");
		out_end();
	}
	if (v->changed) {
		out_indent(2);
		out("%zu of %zu answers changed when they were asked for again; the first: DPA 0x%" PRIx64
		    " was at SPA 0x%" PRIx64 ", then at SPA 0x%" PRIx64,
		    v->changed, v->repeated, v->changed_dpa, v->changed_before, v->changed_after);
		out_end();
	}
	if (v->reason[0]) {
		out_indent(2);
		out("%s", v->reason);
		out_end();
	}
}

static void print_text(const struct verification *v)
{
	const struct decoder *d = v->decoder;

	out_styled(STYLE_NAME, "%s", d->name);
	out(" of %s: ", d->port->memdev->name);
	if (!v->has_geometry) {
		out_styled(STYLE_BAD, "no address was sampled");
	} else {
		out_styled(v->agree == v->sampled ? STYLE_GOOD : STYLE_BAD,
			   "%zu of %zu samples agree", v->agree, v->sampled);
		out(" with %u-way interleaving at %u B, position %u, as %s%s", v->ways,
		    v->granularity, v->position,
		    v->from_region ? d->region->name
				   : "firmware's answers for its first and last DPA",
		    v->from_region ? " shows" : " show");
		if (v->answered < v->sampled)
			out("; %zu not answered", v->sampled - v->answered);
	}
	out_end();
	print_comparison(v);
}

static void put_verification(struct json_writer *w, const struct verification *v)
{
	const struct decoder *d = v->decoder;

	put_object(w, NULL);
	put_string(w, "decoder", d->name);
	put_string(w, "memdev", d->port->memdev->name);
	put_string(w, "region", d->region ? d->region->name : NULL);
	put_number(w, "sampled", v->sampled);
	put_number(w, "answered", v->answered);
	put_number(w, "agree", v->agree);
	put_number(w, "in_block", v->in_block);
	put_string(w, "geometry",
		   v->has_geometry ? (v->from_region ? "region" : "firmware") : NULL);
	put_opt_number(w, "ways", v->has_geometry ? OPT_U64(v->ways) : (struct opt_u64){0});
	put_opt_number(w, "granularity",
		       v->has_geometry ? OPT_U64(v->granularity) : (struct opt_u64){0});
	put_opt_number(w, "position", v->has_geometry ? OPT_U64(v->position) : (struct opt_u64){0});
	if (v->disagrees) {
		put_object(w, "first_disagreement");
		put_hex(w, "dpa", v->dpa);
		put_hex(w, "spa", v->spa);
		put_hex(w, "expected", v->expected);
		put_end(w);
	} else {
		put_null(w, "first_disagreement");
	}
	put_number(w, "repeated", v->repeated);
	put_number(w, "changed", v->changed);
	if (v->changed) {
		put_object(w, "first_change");
		put_hex(w, "dpa", v->changed_dpa);
		put_hex(w, "before", v->changed_before);
		put_hex(w, "after", v->changed_after);
		put_end(w);
	} else {
		put_null(w, "first_change");
	}
	put_string(w, "reason", v->reason[0] ? v->reason : NULL);
	put_end(w);
}

/* Return: the number of decoders that were verified, or -ENOMEM. */
static int verify_all(struct cli *cli, struct json_writer *w, bool *ret_all_agree)
{
	const unsigned int samples = cli->verify.samples ? cli->verify.samples : SAMPLES_DEFAULT;
	struct verification v;
	int n = 0, r;

	*ret_all_agree = true;
	for (size_t i = 0; i < cli->host->n_decoders; i++) {
		const struct decoder *d = cli->host->decoders[i];

		cli_progress_step(i, cli->host->n_decoders);
		if (d->port->kind != PORT_ENDPOINT || !d->port->memdev)
			continue;
		r = translator_verify(cli->addresses.translator, d, samples,
				      &cli->addresses.timeout, &v);
		if (r == -ENOMEM)
			return r;
		if (r < 0)
			continue;
		n++;
		if (!v.has_geometry || v.agree < v.sampled || v.changed)
			*ret_all_agree = false;
		cli_progress_pause(true);
		if (cli->json)
			put_verification(w, &v);
		else
			print_text(&v);
		cli_progress_pause(false);
	}
	return n;
}

static int out_of_memory(void)
{
	log_err("verify: out of memory");
	return STATUS_ERROR;
}

/* Return: an option that needs --inject, or NULL. */
static const char *wrong_option(const struct cli *cli)
{
	return cli->verify.model	  ? "--model"
	       : cli->verify.seed.present ? "--seed"
	       : cli->change.force	  ? "--force"
					  : NULL;
}

int command_verify(struct cli *cli, int n_operands, char **operands)
{
	_cleanup_writer_ struct json_writer w = {.absent_is_null = true, .break_depth = 1};
	bool all_agree;
	int n;

	(void)n_operands;
	(void)operands;
	if (cli->verify.inject)
		return command_verify_inject(cli);
	if (wrong_option(cli)) {
		log_err("verify: %s is an option of --inject", wrong_option(cli));
		return STATUS_ERROR;
	}
	if (cli_open(cli) != STATUS_OK)
		return STATUS_ERROR;
	cli_print_notes(cli);
	if (cli->json)
		put_array(&w, NULL);
	cli_progress_begin("verify");
	n = verify_all(cli, &w, &all_agree);
	cli_progress_end();
	if (n < 0)
		return out_of_memory();
	if (cli->json) {
		put_end(&w);
		if (out_json(&w) < 0)
			return out_of_memory();
	} else if (n == 0) {
		out("no decoder uses Normalized addressing, so there is no handler to compare with; --inject tests a region whatever its addressing is");
		out_end();
	}
	return all_agree ? STATUS_OK : STATUS_PARTIAL;
}
