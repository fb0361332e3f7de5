// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/frame.h"

#include <errno.h>
#include <string.h>
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

/* Room for the control message with a descriptor. */
union control {
	struct cmsghdr head;
	char bytes[CMSG_SPACE(sizeof(int))];
};

int frame_send(int fd, const struct iovec *parts, size_t n, size_t max)
{
	return frame_send_fd(fd, parts, n, max, -1);
}

int frame_send_fd(int fd, const struct iovec *parts, size_t n, size_t max, int passed)
{
	struct msghdr m = {.msg_iov = (struct iovec *)parts, .msg_iovlen = n};
	union control control = {0};
	size_t left = max;

	for (size_t i = 0; i < n; i++) {
		if (parts[i].iov_len > left)
			return -E2BIG;
		left -= parts[i].iov_len;
	}
	if (passed >= 0) {
		control.head = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(int)),
						.cmsg_level = SOL_SOCKET,
						.cmsg_type = SCM_RIGHTS};
		memcpy(CMSG_DATA(&control.head), &passed, sizeof(passed));
		m.msg_control = &control;
		m.msg_controllen = sizeof(control.bytes);
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

/*
 * The kernel looks for a packet first and for the end of the connection then: a packet that is
 * sent, with the end behind it, between the two is still there after the end was reported. A peer
 * that ended with unread packets is reported once, too, before the packets that it had sent. So
 * the end is believed when it is reported twice.
 */
static ssize_t receive(int fd, struct msghdr *m, int flags)
{
	struct msghdr first = *m;
	ssize_t n = recvmsg(fd, &first, MSG_DONTWAIT | flags);

	if (n == 0 || (n < 0 && errno == ECONNRESET))
		return recvmsg(fd, m, MSG_DONTWAIT | flags);
	*m = first;
	return n;
}

int frame_receive(int fd, void *buf, size_t min, size_t max, size_t *ret_len)
{
	struct iovec part = {buf, max};
	struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
	/* MSG_TRUNC: the length of the packet, even when it is longer than the buffer. */
	ssize_t n = receive(fd, &m, MSG_TRUNC);

	if (n < 0)
		return frame_error(errno);
	if (n == 0)
		return -EPIPE;
	if ((size_t)n < min || (size_t)n > max)
		return -EBADMSG;
	*ret_len = (size_t)n;
	return 0;
}

/* Return: the descriptor that came with a message, or -1. */
static int frame_take_fd(struct msghdr *m)
{
	const struct cmsghdr *c = CMSG_FIRSTHDR(m);
	int fd = -1;

	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS &&
	    c->cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(&fd, CMSG_DATA(c), sizeof(fd));
	return fd;
}

int frame_receive_fd(int fd, const struct iovec *parts, size_t n, size_t min, size_t *ret_len,
		     int *ret_fd)
{
	union control control = {0};
	/* Without the padding, in which the kernel would put a second descriptor: it drops that
	 * one. */
	struct msghdr m = {.msg_iov = (struct iovec *)parts,
			   .msg_iovlen = n,
			   .msg_control = &control,
			   .msg_controllen = CMSG_LEN(sizeof(int))};
	ssize_t len = receive(fd, &m, MSG_CMSG_CLOEXEC);

	*ret_fd = -1;
	if (len < 0)
		return frame_error(errno);
	*ret_fd = frame_take_fd(&m);
	if (len == 0)
		return -EPIPE;
	if ((size_t)len < min || m.msg_flags & MSG_TRUNC)
		return -EBADMSG;
	*ret_len = (size_t)len;
	return 0;
}
