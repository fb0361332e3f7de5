/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_OTLP_FIELDS_H
#define CXLR_OTLP_FIELDS_H

/*
 * The messages of OTLP that this service writes, as one table of fields, by which both encodings
 * are made (otlp/writer.h). Source: opentelemetry-proto 1.5.0. Constant; any thread.
 */

#include <stdbool.h>

enum otlp_message {
	OTLP_EXPORT_LOGS,    /* ExportLogsServiceRequest */
	OTLP_EXPORT_METRICS, /* ExportMetricsServiceRequest */
	OTLP_RESOURCE_LOGS,
	OTLP_RESOURCE_METRICS,
	OTLP_RESOURCE,
	OTLP_SCOPE, /* InstrumentationScope */
	OTLP_SCOPE_LOGS,
	OTLP_SCOPE_METRICS,
	OTLP_LOG_RECORD,
	OTLP_METRIC,
	OTLP_GAUGE,
	OTLP_SUM,
	OTLP_HISTOGRAM,
	OTLP_NUMBER_POINT,
	OTLP_HISTOGRAM_POINT,
	OTLP_KEY_VALUE,
	OTLP_ANY_VALUE,
	OTLP_MESSAGES,
};

/* By protobuf's names. */
enum otlp_type {
	OTLP_TYPE_MESSAGE,
	OTLP_TYPE_STRING,
	OTLP_TYPE_BOOL,
	OTLP_TYPE_ENUM,
	OTLP_TYPE_INT64,
	OTLP_TYPE_FIXED64,
	OTLP_TYPE_SFIXED64,
	OTLP_TYPE_DOUBLE,
};

/*
 * All fields: X(name, message, number, JSON name, type, kind, message of the field)
 * kind: ONE is absent when it is zero; SET is written whatever its value, as one of a oneof or an
 * optional field; MANY is repeated, and packed unless it is a message
 */
#define OTLP_FIELD_ROWS(X)                                                                         \
	X(LOGS_RESOURCES, EXPORT_LOGS, 1, "resourceLogs", MESSAGE, MANY, RESOURCE_LOGS)            \
	X(METRICS_RESOURCES, EXPORT_METRICS, 1, "resourceMetrics", MESSAGE, MANY,                  \
	  RESOURCE_METRICS)                                                                        \
	X(RESOURCE_LOGS_RESOURCE, RESOURCE_LOGS, 1, "resource", MESSAGE, ONE, RESOURCE)            \
	X(RESOURCE_LOGS_SCOPES, RESOURCE_LOGS, 2, "scopeLogs", MESSAGE, MANY, SCOPE_LOGS)          \
	X(RESOURCE_LOGS_SCHEMA, RESOURCE_LOGS, 3, "schemaUrl", STRING, ONE, MESSAGES)              \
	X(RESOURCE_METRICS_RESOURCE, RESOURCE_METRICS, 1, "resource", MESSAGE, ONE, RESOURCE)      \
	X(RESOURCE_METRICS_SCOPES, RESOURCE_METRICS, 2, "scopeMetrics", MESSAGE, MANY,             \
	  SCOPE_METRICS)                                                                           \
	X(RESOURCE_METRICS_SCHEMA, RESOURCE_METRICS, 3, "schemaUrl", STRING, ONE, MESSAGES)        \
	X(RESOURCE_ATTRIBUTES, RESOURCE, 1, "attributes", MESSAGE, MANY, KEY_VALUE)                \
	X(SCOPE_NAME, SCOPE, 1, "name", STRING, ONE, MESSAGES)                                     \
	X(SCOPE_VERSION, SCOPE, 2, "version", STRING, ONE, MESSAGES)                               \
	X(SCOPE_LOGS_SCOPE, SCOPE_LOGS, 1, "scope", MESSAGE, ONE, SCOPE)                           \
	X(SCOPE_LOGS_RECORDS, SCOPE_LOGS, 2, "logRecords", MESSAGE, MANY, LOG_RECORD)              \
	X(SCOPE_LOGS_SCHEMA, SCOPE_LOGS, 3, "schemaUrl", STRING, ONE, MESSAGES)                    \
	X(SCOPE_METRICS_SCOPE, SCOPE_METRICS, 1, "scope", MESSAGE, ONE, SCOPE)                     \
	X(SCOPE_METRICS_METRICS, SCOPE_METRICS, 2, "metrics", MESSAGE, MANY, METRIC)               \
	X(SCOPE_METRICS_SCHEMA, SCOPE_METRICS, 3, "schemaUrl", STRING, ONE, MESSAGES)              \
	X(LOG_TIME, LOG_RECORD, 1, "timeUnixNano", FIXED64, ONE, MESSAGES)                         \
	X(LOG_SEVERITY, LOG_RECORD, 2, "severityNumber", ENUM, ONE, MESSAGES)                      \
	X(LOG_SEVERITY_TEXT, LOG_RECORD, 3, "severityText", STRING, ONE, MESSAGES)                 \
	X(LOG_BODY, LOG_RECORD, 5, "body", MESSAGE, ONE, ANY_VALUE)                                \
	X(LOG_ATTRIBUTES, LOG_RECORD, 6, "attributes", MESSAGE, MANY, KEY_VALUE)                   \
	X(LOG_OBSERVED, LOG_RECORD, 11, "observedTimeUnixNano", FIXED64, ONE, MESSAGES)            \
	X(LOG_EVENT_NAME, LOG_RECORD, 12, "eventName", STRING, ONE, MESSAGES)                      \
	X(METRIC_NAME, METRIC, 1, "name", STRING, ONE, MESSAGES)                                   \
	X(METRIC_DESCRIPTION, METRIC, 2, "description", STRING, ONE, MESSAGES)                     \
	X(METRIC_UNIT, METRIC, 3, "unit", STRING, ONE, MESSAGES)                                   \
	X(METRIC_GAUGE, METRIC, 5, "gauge", MESSAGE, SET, GAUGE)                                   \
	X(METRIC_SUM, METRIC, 7, "sum", MESSAGE, SET, SUM)                                         \
	X(METRIC_HISTOGRAM, METRIC, 9, "histogram", MESSAGE, SET, HISTOGRAM)                       \
	X(GAUGE_POINTS, GAUGE, 1, "dataPoints", MESSAGE, MANY, NUMBER_POINT)                       \
	X(SUM_POINTS, SUM, 1, "dataPoints", MESSAGE, MANY, NUMBER_POINT)                           \
	X(SUM_TEMPORALITY, SUM, 2, "aggregationTemporality", ENUM, ONE, MESSAGES)                  \
	X(SUM_MONOTONIC, SUM, 3, "isMonotonic", BOOL, ONE, MESSAGES)                               \
	X(HISTOGRAM_POINTS, HISTOGRAM, 1, "dataPoints", MESSAGE, MANY, HISTOGRAM_POINT)            \
	X(HISTOGRAM_TEMPORALITY, HISTOGRAM, 2, "aggregationTemporality", ENUM, ONE, MESSAGES)      \
	X(NUMBER_START, NUMBER_POINT, 2, "startTimeUnixNano", FIXED64, ONE, MESSAGES)              \
	X(NUMBER_TIME, NUMBER_POINT, 3, "timeUnixNano", FIXED64, ONE, MESSAGES)                    \
	X(NUMBER_DOUBLE, NUMBER_POINT, 4, "asDouble", DOUBLE, SET, MESSAGES)                       \
	X(NUMBER_INT, NUMBER_POINT, 6, "asInt", SFIXED64, SET, MESSAGES)                           \
	X(NUMBER_ATTRIBUTES, NUMBER_POINT, 7, "attributes", MESSAGE, MANY, KEY_VALUE)              \
	X(BUCKETS_START, HISTOGRAM_POINT, 2, "startTimeUnixNano", FIXED64, ONE, MESSAGES)          \
	X(BUCKETS_TIME, HISTOGRAM_POINT, 3, "timeUnixNano", FIXED64, ONE, MESSAGES)                \
	X(BUCKETS_COUNT, HISTOGRAM_POINT, 4, "count", FIXED64, ONE, MESSAGES)                      \
	X(BUCKETS_SUM, HISTOGRAM_POINT, 5, "sum", DOUBLE, SET, MESSAGES)                           \
	X(BUCKETS_COUNTS, HISTOGRAM_POINT, 6, "bucketCounts", FIXED64, MANY, MESSAGES)             \
	X(BUCKETS_BOUNDS, HISTOGRAM_POINT, 7, "explicitBounds", DOUBLE, MANY, MESSAGES)            \
	X(BUCKETS_ATTRIBUTES, HISTOGRAM_POINT, 9, "attributes", MESSAGE, MANY, KEY_VALUE)          \
	X(KEY, KEY_VALUE, 1, "key", STRING, ONE, MESSAGES)                                         \
	X(VALUE, KEY_VALUE, 2, "value", MESSAGE, ONE, ANY_VALUE)                                   \
	X(ANY_STRING, ANY_VALUE, 1, "stringValue", STRING, SET, MESSAGES)                          \
	X(ANY_BOOL, ANY_VALUE, 2, "boolValue", BOOL, SET, MESSAGES)                                \
	X(ANY_INT, ANY_VALUE, 3, "intValue", INT64, SET, MESSAGES)                                 \
	X(ANY_DOUBLE, ANY_VALUE, 4, "doubleValue", DOUBLE, SET, MESSAGES)

enum otlp_field {
#define OTLP_FIELD_NAME(name, message, number, json, type, kind, child) OTLP_FIELD_##name,
	OTLP_FIELD_ROWS(OTLP_FIELD_NAME)
#undef OTLP_FIELD_NAME
		OTLP_FIELDS,
};

enum otlp_kind { OTLP_KIND_ONE, OTLP_KIND_SET, OTLP_KIND_MANY };

struct otlp_field_row {
	enum otlp_message message; /* that has it */
	unsigned int number;
	const char *json;
	enum otlp_type type;
	enum otlp_kind kind;
	enum otlp_message child; /* of the field; OTLP_MESSAGES unless it is a message */
};

extern const struct otlp_field_row otlp_fields[OTLP_FIELDS];

#endif
