# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The programs of scripts/bench; built by `make benchmarks`, never by `make check`.
benchmark_programs = bench_bare_server bench_events bench_firmware bench_history bench_incidents \
	bench_interleave bench_lookup bench_outage bench_pages bench_pipeline bench_plan bench_render bench_store \
	bench_switch
EXTRA_PROGRAMS += $(benchmark_programs)
CLEANFILES += $(benchmark_programs)

bare_insert = %D%/bench_bare_insert.c %D%/bench_bare_insert.h
ring_page = %D%/ring_page.c %D%/ring_page.h

bench_bare_server_SOURCES = %D%/bench_bare_server.c
bench_bare_server_LDADD = $(COMMON_LINK) $(LIBMICROHTTPD_LIBS)

bench_events_SOURCES = %D%/bench_events.c $(ring_page)
bench_events_LDADD = $(EVENTS_LINK)

bench_firmware_SOURCES = %D%/bench_firmware.c $(fake_module)
bench_firmware_LDADD = $(PRM_LINK)

bench_history_SOURCES = %D%/bench_history.c
bench_history_LDADD = $(REDFISH_LINK)

bench_incidents_SOURCES = %D%/bench_incidents.c
bench_incidents_LDADD = libtests.a $(EVENTS_LINK)

bench_interleave_SOURCES = %D%/bench_interleave.c %D%/bench_baseline.c %D%/bench_baseline.h
bench_interleave_LDADD = $(PRM_LINK)

bench_lookup_SOURCES = %D%/bench_lookup.c
bench_lookup_LDADD = $(CAPTURE_LINK) $(PRM_LINK)

bench_outage_SOURCES = %D%/bench_outage.c
bench_outage_LDADD = libtests.a $(EVENTING_LINK)

bench_pages_SOURCES = %D%/bench_pages.c
bench_pages_LDADD = libtests.a $(HELPER_LINK) $(CAPTURE_LINK) $(CHECK_LIBS)
bench_pages_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=write

bench_pipeline_SOURCES = %D%/bench_pipeline.c $(bare_insert) $(ring_page)
bench_pipeline_LDADD = $(CAPTURE_LINK) $(EVENTS_LINK)

bench_plan_SOURCES = %D%/bench_plan.c
bench_plan_LDADD = libtests.a $(MODEL_LINK) $(CHECK_LIBS)

bench_render_SOURCES = %D%/bench_render.c
bench_render_LDADD = $(CAPTURE_LINK) $(REDFISH_LINK)

bench_store_SOURCES = %D%/bench_store.c $(bare_insert)
bench_store_LDADD = libtests.a $(EVENTS_LINK)

bench_switch_SOURCES = %D%/bench_switch.c
bench_switch_LDADD = libtests.a $(HELPER_LINK) $(CAPTURE_LINK) $(CHECK_LIBS)

benchmarks: $(benchmark_programs)
.PHONY: benchmarks
