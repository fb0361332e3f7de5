// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Graphviz is loaded when a picture is wanted: the program runs without it.
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>

#include "cli/graph.h"
#include "common/array.h"

/* As in gvc.h and cgraph.h of Graphviz 2.42; another ABI has another soname. */
#define GVC_LIBRARY    "libgvc.so.6"
#define CGRAPH_LIBRARY "libcgraph.so.6"

struct graphviz {
	void *(*gvContext)(void);
	int (*gvFreeContext)(void *gvc);
	int (*gvLayout)(void *gvc, void *graph, const char *engine);
	int (*gvFreeLayout)(void *gvc, void *graph);
	int (*gvRenderData)(void *gvc, void *graph, const char *format, char **ret,
			    unsigned int *ret_len);
	void (*gvFreeRenderData)(char *data);
	void *(*agmemread)(const char *dot);
	int (*agclose)(void *graph);
};

static int load(struct graphviz *g, struct error *e)
{
	/* A pointer to a function may be written as one to an object: POSIX, dlsym(). */
	const struct {
		void *function;
		const char *name;
		bool cgraph;
	} rows[] = {
		{&g->gvContext, "gvContext", false},
		{&g->gvFreeContext, "gvFreeContext", false},
		{&g->gvLayout, "gvLayout", false},
		{&g->gvFreeLayout, "gvFreeLayout", false},
		{&g->gvRenderData, "gvRenderData", false},
		{&g->gvFreeRenderData, "gvFreeRenderData", false},
		{&g->agmemread, "agmemread", true},
		{&g->agclose, "agclose", true},
	};
	void *cgraph = dlopen(CGRAPH_LIBRARY, RTLD_NOW | RTLD_GLOBAL);
	void *gvc = cgraph ? dlopen(GVC_LIBRARY, RTLD_NOW | RTLD_GLOBAL) : NULL;

	if (!gvc)
		return error_set(
			e, ENOENT,
			"--svg needs the library of Graphviz, %s: install Graphviz (Debian package: libgvc6), or draw the output without --svg elsewhere",
			cgraph ? GVC_LIBRARY : CGRAPH_LIBRARY);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		void *symbol = dlsym(rows[i].cgraph ? cgraph : gvc, rows[i].name);

		if (!symbol)
			return error_set(e, ENOENT, "the library of Graphviz has no %s",
					 rows[i].name);
		*(void **)rows[i].function = symbol;
	}
	return 0;
}

static int render(const struct graphviz *g, void *gvc, void *graph, FILE *out)
{
	unsigned int len = 0;
	char *svg = NULL;
	int r = g->gvLayout(gvc, graph, "dot");

	if (r != 0)
		return -EINVAL;
	if (g->gvRenderData(gvc, graph, "svg", &svg, &len) == 0 && svg)
		(void)fwrite(svg, 1, len, out);
	else
		r = -EINVAL;
	if (svg)
		g->gvFreeRenderData(svg);
	(void)g->gvFreeLayout(gvc, graph);
	return r;
}

int graph_svg(const char *dot, FILE *out, struct error *e)
{
	struct graphviz g;
	void *gvc, *graph;
	int r = load(&g, e);

	if (r < 0)
		return r;
	gvc = g.gvContext();
	graph = gvc ? g.agmemread(dot) : NULL;
	r = graph ? render(&g, gvc, graph, out) : -EINVAL;
	if (graph)
		(void)g.agclose(graph);
	if (gvc)
		(void)g.gvFreeContext(gvc);
	if (r < 0)
		return error_set(
			e, EINVAL,
			"Graphviz cannot draw the graph; 'dot -c' as root may repair its list of plugins");
	return 0;
}
