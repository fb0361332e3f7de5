# SPDX-License-Identifier: LGPL-2.1-or-later
noinst_LIBRARIES += libcommon.a
libcommon_a_SOURCES = \
	%D%/arena.c %D%/arena.h \
	%D%/array.h \
	%D%/cidr.c %D%/cidr.h \
	%D%/cleanup.h \
	%D%/clock.c %D%/clock.h \
	%D%/conf_file.c %D%/conf_file.h \
	%D%/error.c %D%/error.h \
	%D%/fileio.c %D%/fileio.h \
	%D%/frame.c %D%/frame.h \
	%D%/helper.c %D%/helper.h \
	%D%/helper_child.c %D%/helper_private.h \
	%D%/host_name.c %D%/host_name.h \
	%D%/json_scan.c %D%/json_scan.h \
	%D%/json_writer.c %D%/json_writer.h \
	%D%/little_endian.h \
	%D%/lock_file.c %D%/lock_file.h \
	%D%/log.c %D%/log.h \
	%D%/machine_id.c %D%/machine_id.h \
	%D%/names.c %D%/names.h \
	%D%/opt.h \
	%D%/allow.c %D%/allow.h \
	%D%/option_files.c %D%/option_files.h \
	%D%/options.c %D%/options.h \
	%D%/privileges.c %D%/privileges.h \
	%D%/quantity.c %D%/quantity.h \
	%D%/sql.c %D%/sql.h \
	%D%/sql_file.c %D%/sql_file.h \
	%D%/sql_schema.c %D%/sql_schema.h \
	%D%/strutil.c %D%/strutil.h \
	%D%/thread.c %D%/thread.h \
	%D%/time_text.c %D%/time_text.h \
	%D%/uevent.h \
	%D%/worker.c %D%/worker.h

COMMON_LINK = libcommon.a
