/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_FRAME_H
#define CXLR_COMMON_FRAME_H

/*
 * Messages between two processes of this project: one packet of a SOCK_SEQPACKET socket each, so
 * that a message arrives as a whole or not at all. Neither side trusts the other: both name the
 * sizes that they accept. File descriptors that come with a message are dropped by the kernel,
 * except the one that frame_receive_fd() takes.
 *
 * The socket is the caller's. One thread at a time may send and one may receive.
 */

#include <stddef.h>
#include <sys/uio.h>

/* frame_pair() - two connected sockets, closed on exec. Return: 0 or the error of socketpair(). */
int frame_pair(int ret[2]);

/*
 * frame_send() - send one message without waiting and without SIGPIPE
 * @parts, @n: the message, in pieces
 * @max: most bytes the other side accepts
 *
 * Return: 0; -E2BIG when it is longer, or longer than the kernel takes in one piece; -EAGAIN when
 * the socket is full, until poll() reports POLLOUT; -EPIPE when the other side is closed.
 */
int frame_send(int fd, const struct iovec *parts, size_t n, size_t max);

/* frame_send_wait() - likewise, but wait while the socket is full; for the helper's own side */
int frame_send_wait(int fd, const void *data, size_t len);

/*
 * frame_receive() - receive one message without waiting
 * @buf: @max bytes
 * @min, @max: sizes that are accepted; @min is at least 1
 * @ret_len: bytes of the message
 *
 * Return: 0; -EAGAIN when there is none, until poll() reports POLLIN; -EBADMSG when it was shorter
 * than @min or longer than @max (it is discarded); -EPIPE when the other side is closed.
 */
int frame_receive(int fd, void *buf, size_t min, size_t max, size_t *ret_len);

/* frame_send_fd() - as frame_send(), with the file descriptor @passed, which stays the caller's;
 * negative for none */
int frame_send_fd(int fd, const struct iovec *parts, size_t n, size_t max, int passed);

/*
 * frame_receive_fd() - as frame_receive(), into several pieces, with a file descriptor
 * @parts, @n: where the message is put; together the longest that is accepted
 * @ret_fd: set also when the message is not accepted; -1 when none came
 */
int frame_receive_fd(int fd, const struct iovec *parts, size_t n, size_t min, size_t *ret_len,
		     int *ret_fd);

#endif
