# SPDX-License-Identifier: LGPL-2.1-or-later
noinst_LIBRARIES += libhttp.a
libhttp_a_CFLAGS = $(AM_CFLAGS) $(LIBMICROHTTPD_CFLAGS) $(GNUTLS_CFLAGS) $(ZLIB_CFLAGS)
libhttp_a_SOURCES = \
	%D%/connections.c %D%/connections.h \
	%D%/handler.h \
	%D%/head.c %D%/head.h \
	%D%/limits.c %D%/limits.h \
	%D%/listener.c %D%/listener.h \
	%D%/negotiation.c %D%/negotiation.h \
	%D%/reply.c %D%/reply.h \
	%D%/representation.c %D%/representation.h \
	%D%/request.h \
	%D%/response.c %D%/response.h \
	%D%/server.c %D%/server.h \
	%D%/stream.h \
	%D%/streams.c %D%/streams.h \
	%D%/transaction.c %D%/transaction.h

HTTP_LINK = libhttp.a $(COMMON_LINK) $(LIBMICROHTTPD_LIBS) $(GNUTLS_LIBS) $(ZLIB_LIBS)
