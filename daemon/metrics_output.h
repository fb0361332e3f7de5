/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_METRICS_OUTPUT_H
#define CXLR_DAEMON_METRICS_OUTPUT_H

/*
 * Families of metrics as text, in either of the two formats that Prometheus reads. The names of the
 * samples are the same in both. Sources: OpenMetrics 1.0.0; Prometheus' "Exposition formats", text
 * 0.0.4. For an OpenTelemetry collector the samples of the same names become data points.
 *
 * A `struct metric_output` belongs to one thread. The head of a family is written with its first
 * sample, so a family of which nothing is known is absent.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/opt.h"
#include "otlp/points.h"

enum metric_format { METRICS_TEXT, METRICS_OPENMETRICS };

/* The media type of a format. */
const char *metric_format_type(enum metric_format format);

enum metric_type {
	METRIC_COUNTER,	  /* "_total" is appended to its name */
	METRIC_GAUGE,	  /* nothing is */
	METRIC_INFO,	  /* "_info"; the value is 1 */
	METRIC_STATESET,  /* nothing; a label with the name of the family, 0 and 1 */
	METRIC_HISTOGRAM, /* "_bucket", "_sum", "_count" */
};

struct metric_device;
struct metrics_scrape;
struct region;

struct metric_family {
	const char *name; /* without what is appended */
	enum metric_type type;
	const char *labels; /* "device,memdev"; "" none */
	const char *help;   /* a sentence */
	/*
	 * Sources of the samples, of which a family has one: the one value, the value of a device
	 * or of a region, or it puts samples with other labels. false: the value is not known.
	 */
	bool (*value)(struct metrics_scrape *x, double *ret);
	bool (*of_device)(const struct metric_device *d, double *ret);
	bool (*of_region)(const struct metrics_scrape *x, const struct region *r, double *ret);
	void (*put)(struct metrics_scrape *x, const struct metric_family *f);
};

/* The families of one file. */
struct metric_families {
	const struct metric_family *rows;
	size_t n;
};

#define METRIC_FAMILIES(rows)                                                                      \
	{                                                                                          \
		rows, sizeof(rows) / sizeof((rows)[0])                                             \
	}

/* Return: the suffix of a sample's name; samples of a histogram have others. */
const char *metric_suffix(enum metric_type type);

/* The name of a type in a format. */
const char *metric_type_name(enum metric_type type, enum metric_format format);

struct metric_output {
	FILE *f; /* NULL: no text is written */
	enum metric_format format;
	/* In place of the text: samples are added to these points. */
	struct otlp_points *points;
	uint64_t started_ns;		   /* when the service was started, ns since 1970 */
	uint64_t since_ns;		   /* since when the other counters go on */
	const struct metric_family *begun; /* whose head was written last */
};

/* Return: whether a label has the value as it is; in others some bytes are replaced. */
bool metric_value_is_plain(const char *value);

enum { METRIC_LABELS_MAX = 640 };

/* The labels of a sample as text; zero-initialised there are none. */
struct metric_labels {
	char text[METRIC_LABELS_MAX]; /* a=\"b\",c=\"d\" */
	size_t len;
};

/*
 * Appends a label. Names may be those of a captured host: bytes that are not ASCII are shown as
 * '?'. A text that does not fit is cut off. NULL: no label.
 */
void metric_label(struct metric_labels *l, const char *name, const char *value);

/* Writes a sample. @labels: NULL for none. */
void metric_sample(struct metric_output *o, const struct metric_family *f,
		   const struct metric_labels *labels, double value);

/* The same with one more label. */
void metric_sample_with(struct metric_output *o, const struct metric_family *f,
			const struct metric_labels *labels, const char *name, const char *value,
			double n);

/* The samples of a state set: 1 for one of @n states. */
void metric_states(struct metric_output *o, const struct metric_family *f, const char *const *names,
		   size_t n, size_t state);

/*
 * The samples of a histogram.
 * @bounds: the upper bounds of the buckets but the last, nanoseconds
 * @n: in each bucket, @n_buckets of them
 */
void metric_histogram(struct metric_output *o, const struct metric_family *f,
		      const struct metric_labels *labels, const uint64_t *bounds, const uint64_t *n,
		      size_t n_buckets, uint64_t sum_ns);

/* The end of the help of a counter that begins with the service. */
#define SINCE_START " since the service started."

/* Ends the text. */
void metric_end(struct metric_output *o);

#endif
