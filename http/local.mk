# SPDX-License-Identifier: LGPL-2.1-or-later
noinst_LIBRARIES += libhttp.a
libhttp_a_SOURCES = \
	%D%/access.c %D%/access.h \
	%D%/budget.c %D%/budget.h \
	%D%/chunks.c %D%/chunks.h \
	%D%/connections.c %D%/connections.h \
	%D%/handler.h \
	%D%/head.c %D%/head.h \
	%D%/hosts.c %D%/hosts.h \
	%D%/interfaces.c %D%/interfaces.h \
	%D%/limits.c %D%/limits.h \
	%D%/listener.c %D%/listener.h \
	%D%/multipart.c %D%/multipart.h \
	%D%/negotiation.c %D%/negotiation.h \
	%D%/peer.c %D%/peer.h \
	%D%/redirect.c %D%/redirect.h \
	%D%/reply.c %D%/reply.h \
	%D%/representation.c %D%/representation.h \
	%D%/request.h \
	%D%/response.c %D%/response.h \
	%D%/server.c %D%/server.h \
	%D%/stream.h \
	%D%/streams.c %D%/streams.h \
	%D%/tls.c %D%/tls.h \
	%D%/tls_certificate.c %D%/tls_certificate.h \
	%D%/tls_files.c %D%/tls_files.h \
	%D%/tls_key.c %D%/tls_key.h \
	%D%/tls_session.c %D%/tls_session.h \
	%D%/transaction.c %D%/transaction.h

HTTP_LINK = libhttp.a $(COMMON_LINK) $(LIBMICROHTTPD_LIBS) $(GNUTLS_LIBS) $(ZLIB_LIBS)
