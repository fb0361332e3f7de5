// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/metrics_output.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/arena.h"
#include "common/array.h"
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

static double seconds(uint64_t ns)
{
	return (double)ns / 1e9;
}

/* ---- points -----------------------------------------------------------------------------------
 */

/* The unit of OpenTelemetry, by the end of a name. */
static const char *unit_of(const char *name)
{
	static const struct {
		const char *end, *unit;
	} units[] = {{"_bytes", "By"}, {"_seconds", "s"}, {"_celsius", "Cel"}, {"_ratio", "1"}};

	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		const char *at = strstr(name, units[i].end);

		if (at && at[strlen(units[i].end)] == '\0')
			return units[i].unit;
	}
	return NULL;
}

static bool ends_with(const char *text, const char *end)
{
	const size_t len = strlen(text), n = strlen(end);

	return len >= n && strcmp(text + len - n, end) == 0;
}

/* A point of a family without value; its name is that of its sample. */
static struct otlp_point point_of(struct metric_output *o, const struct metric_family *f)
{
	const bool of_process = ends_with(f->help, SINCE_START);

	return (struct otlp_point){
		.kind = f->type == METRIC_COUNTER     ? OTLP_METRIC_COUNTER
			: f->type == METRIC_HISTOGRAM ? OTLP_METRIC_BUCKETS
						      : OTLP_METRIC_GAUGE,
		.name = arena_printf(o->points->arena, "%s%s", f->name, metric_suffix(f->type)),
		.unit = unit_of(f->name),
		.description = f->help,
		.start_ns = of_process ? o->started_ns : o->since_ns,
	};
}

/*
 * Reads a label as metric_label() writes it.
 * @text: a copy of the labels, which is written to
 *
 * Return: the text behind it; NULL at the end.
 */
static char *next_label(char *text, const char **ret_key, const char **ret_value)
{
	char *quote = strchr(text, '"'), *to, *from;

	if (!quote)
		return NULL;
	to = from = quote + 1;
	*ret_key = text;
	*ret_value = to;
	quote[-1] = '\0';
	while (*from && *from != '"') {
		if (*from == '\\')
			from++;
		*to++ = *from++;
	}
	from += *from == '"';
	from += *from == ',';
	*to = '\0';
	return from;
}

static void add_point(struct metric_output *o, struct otlp_point *p,
		      const struct metric_labels *labels)
{
	char copy[METRIC_LABELS_MAX] = "", *at = copy;
	const char *key, *value;

	if (labels && labels->len)
		memcpy(copy, labels->text, labels->len + 1);
	while ((at = next_label(at, &key, &value)))
		otlp_point_set(p, key, value);
	o->points->failed |= !p->name;
	if (p->name)
		otlp_points_add(o->points, p);
}

static void add_sample(struct metric_output *o, const struct metric_family *f,
		       const struct metric_labels *labels, double value)
{
	struct otlp_point p = point_of(o, f);

	p.value = value;
	add_point(o, &p, labels);
}

static void add_histogram(struct metric_output *o, const struct metric_family *f,
			  const struct metric_labels *labels, const uint64_t *bounds,
			  const uint64_t *n, size_t n_buckets, uint64_t sum_ns)
{
	struct otlp_buckets b = {.n = n_buckets, .sum = seconds(sum_ns)};
	struct otlp_point p = point_of(o, f);

	if (n_buckets > OTLP_BUCKETS_MAX)
		return;
	for (size_t i = 0; i < n_buckets; i++)
		b.counts[i] = n[i];
	for (size_t i = 0; i + 1 < n_buckets; i++)
		b.bounds[i] = seconds(bounds[i]);
	p.buckets = &b;
	add_point(o, &p, labels);
}

/* ---- samples ----------------------------------------------------------------------------------
 */

static void put_sample(struct metric_output *o, const struct metric_family *f, const char *suffix,
		       const struct metric_labels *labels, double value)
{
	if (o->points) {
		add_sample(o, f, labels, value);
		return;
	}
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

void metric_histogram(struct metric_output *o, const struct metric_family *f,
		      const struct metric_labels *labels, const uint64_t *bounds, const uint64_t *n,
		      size_t n_buckets, uint64_t sum_ns)
{
	uint64_t so_far = 0;

	if (o->points) {
		add_histogram(o, f, labels, bounds, n, n_buckets, sum_ns);
		return;
	}
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
