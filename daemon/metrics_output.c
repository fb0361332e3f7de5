// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/metrics_output.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/strutil.h"

const char *metric_format_type(enum metric_format format)
{
	return format == METRICS_OPENMETRICS
		       ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
		       : "text/plain; version=0.0.4; charset=utf-8";
}

static const struct {
	const char *suffix, *openmetrics, *text;
} types[] = {
	[METRIC_COUNTER] = {"_total", "counter", "counter"},
	[METRIC_GAUGE] = {"", "gauge", "gauge"},
	[METRIC_INFO] = {"_info", "info", "gauge"},
	[METRIC_STATESET] = {"", "stateset", "gauge"},
	[METRIC_HISTOGRAM] = {"", "histogram", "histogram"},
};

const char *metric_suffix(enum metric_type type)
{
	return types[type].suffix;
}

const char *metric_type_name(enum metric_type type, enum metric_format format)
{
	return format == METRICS_OPENMETRICS ? types[type].openmetrics : types[type].text;
}

/* In text 0.0.4 the name of a family is that of its samples. */
static void begin_family(struct metric_output *o, const struct metric_family *f)
{
	const char *suffix = o->format == METRICS_OPENMETRICS ? "" : metric_suffix(f->type);

	if (o->begun == f)
		return;
	o->begun = f;
	(void)fprintf(o->f, "# TYPE %s%s %s\n# HELP %s%s %s\n", f->name, suffix,
		      metric_type_name(f->type, o->format), f->name, suffix, f->help);
}

bool metric_value_is_plain(const char *value)
{
	while (*value && plain_byte(*value) == *value)
		value++;
	return !*value;
}

static void label_byte(struct metric_labels *l, char c)
{
	/* With an escape and the final quote. */
	if (l->len + 3 >= sizeof(l->text))
		return;
	c = plain_byte(c);
	if (c == '"' || c == '\\')
		l->text[l->len++] = '\\';
	l->text[l->len++] = c;
}

void metric_label(struct metric_labels *l, const char *name, const char *value)
{
	const size_t len = strlen(name);

	/* ,NAME="" */
	if (!value || l->len + len + 5 > sizeof(l->text))
		return;
	if (l->len)
		l->text[l->len++] = ',';
	memcpy(l->text + l->len, name, len);
	l->len += len;
	l->text[l->len++] = '=';
	l->text[l->len++] = '"';
	while (*value)
		label_byte(l, *value++);
	l->text[l->len++] = '"';
	l->text[l->len] = '\0';
}

/* Whole numbers as such: they are more readable, and exact. */
static void put_value(FILE *f, double value)
{
	if (fabs(value) < 9e15 && value == floor(value))
		(void)fprintf(f, " %" PRId64 "\n", (int64_t)value);
	else
		(void)fprintf(f, " %.9g\n", value);
}

static void put_sample(struct metric_output *o, const struct metric_family *f, const char *suffix,
		       const struct metric_labels *labels, double value)
{
	begin_family(o, f);
	if (labels && labels->len)
		(void)fprintf(o->f, "%s%s{%s}", f->name, suffix, labels->text);
	else
		(void)fprintf(o->f, "%s%s", f->name, suffix);
	put_value(o->f, value);
}

void metric_sample(struct metric_output *o, const struct metric_family *f,
		   const struct metric_labels *labels, double value)
{
	put_sample(o, f, metric_suffix(f->type), labels, value);
}

void metric_sample_with(struct metric_output *o, const struct metric_family *f,
			const struct metric_labels *labels, const char *name, const char *value,
			double n)
{
	struct metric_labels more = {0};

	if (labels)
		more = *labels;
	metric_label(&more, name, value);
	metric_sample(o, f, &more, n);
}

void metric_states(struct metric_output *o, const struct metric_family *f, const char *const *names,
		   size_t n, size_t state)
{
	for (size_t i = 0; i < n; i++)
		if (names[i])
			metric_sample_with(o, f, NULL, f->name, names[i], i == state);
}

static double seconds(uint64_t ns)
{
	return (double)ns / 1e9;
}

void metric_histogram(struct metric_output *o, const struct metric_family *f,
		      const struct metric_labels *labels, const uint64_t *bounds, const uint64_t *n,
		      size_t n_buckets, uint64_t sum_ns)
{
	uint64_t so_far = 0;

	for (size_t i = 0; i < n_buckets; i++) {
		struct metric_labels bucket = *labels;
		char bound[32] = "+Inf";

		/* OpenMetrics: a number with a fraction or an exponent */
		if (i + 1 < n_buckets)
			(void)snprintf(bound, sizeof(bound), "%g%s", seconds(bounds[i]),
				       bounds[i] % 1000000000 ? "" : ".0");
		so_far += n[i];
		metric_label(&bucket, "le", bound);
		put_sample(o, f, "_bucket", &bucket, (double)so_far);
	}
	put_sample(o, f, "_count", labels, (double)so_far);
	put_sample(o, f, "_sum", labels, seconds(sum_ns));
}

void metric_end(struct metric_output *o)
{
	if (o->format == METRICS_OPENMETRICS)
		(void)fputs("# EOF\n", o->f);
}
