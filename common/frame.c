// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/frame.h"

#include <errno.h>
#include <sys/socket.h>

int frame_pair(int ret[2])
{
	return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ret) < 0 ? -errno : 0;
}

/* Every other error leaves a socket that is of no more use. */
static int frame_error(int error)
{
	switch (error) {
	case EAGAIN:
	case EINTR:
	case ENOBUFS:
	case ENOMEM:
		return -EAGAIN;
	case EMSGSIZE:
		return -E2BIG;
	default:
		return -EPIPE;
	}
}

int frame_send(int fd, const struct iovec *parts, size_t n, size_t max)
{
	const struct msghdr m = {.msg_iov = (struct iovec *)parts, .msg_iovlen = n};
	size_t left = max;

	for (size_t i = 0; i < n; i++) {
		if (parts[i].iov_len > left)
			return -E2BIG;
		left -= parts[i].iov_len;
	}
	return sendmsg(fd, &m, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? frame_error(errno) : 0;
}

int frame_send_wait(int fd, const void *data, size_t len)
{
	ssize_t n;

	do
		n = send(fd, data, len, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n < 0 ? frame_error(errno) : 0;
}

int frame_receive(int fd, void *buf, size_t min, size_t max, size_t *ret_len)
{
	/* MSG_TRUNC: the length of the packet, even when it is longer than the buffer. */
	ssize_t n = recv(fd, buf, max, MSG_DONTWAIT | MSG_TRUNC);

	if (n < 0)
		return frame_error(errno);
	if (n == 0)
		return -EPIPE;
	if ((size_t)n < min || (size_t)n > max)
		return -EBADMSG;
	*ret_len = (size_t)n;
	return 0;
}
