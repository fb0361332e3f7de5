# SPDX-License-Identifier: LGPL-2.1-or-later

# CXLR_TRY_CFLAGS(VARIABLE, FLAGS): add each flag the compiler takes without complaint.
AC_DEFUN([CXLR_TRY_CFLAGS], [
	for cxlr_flag in m4_normalize([$2]); do
		cxlr_saved="$CFLAGS"
		CFLAGS="-Werror $cxlr_flag"
		AC_MSG_CHECKING([whether $CC accepts $cxlr_flag])
		AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])],
			[AC_MSG_RESULT([yes])
			 $1="${$1:+$$1 }$cxlr_flag"],
			[AC_MSG_RESULT([no])])
		CFLAGS="$cxlr_saved"
	done
])

# CXLR_TRY_LDFLAGS(VARIABLE, FLAGS): the same for the linker.
AC_DEFUN([CXLR_TRY_LDFLAGS], [
	for cxlr_flag in m4_normalize([$2]); do
		cxlr_saved="$LDFLAGS"
		cxlr_saved_cflags="$CFLAGS"
		LDFLAGS="$LDFLAGS $cxlr_flag"
		CFLAGS="$CFLAGS -fPIE"
		AC_MSG_CHECKING([whether the linker accepts $cxlr_flag])
		AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
			[AC_MSG_RESULT([yes])
			 $1="${$1:+$$1 }$cxlr_flag"],
			[AC_MSG_RESULT([no])])
		LDFLAGS="$cxlr_saved"
		CFLAGS="$cxlr_saved_cflags"
	done
])

# CXLR_PKG(PREFIX, MODULE, DEBIAN-PACKAGE): a library by pkg-config; all that are missing are
# collected, so that one message names them together.
AC_DEFUN([CXLR_PKG], [
	PKG_CHECK_MODULES([$1], [$2], [],
		[AC_MSG_RESULT([no (Debian package: $3)])
		 cxlr_missing="$cxlr_missing $3"])
])

# CXLR_DIR(VARIABLE, MODULE, FALLBACK): a directory that another package reads, from the variable
# of the same name in its .pc file, or $prefix/FALLBACK. --with-VARIABLE=DIR overrides it, and
# --without-VARIABLE leaves out what goes there.
#
# The .pc file names the directory of the distribution, which only a package (--prefix=/usr) may write to:
# with any other prefix nothing may leave it. systemd and udev read those of /usr/local, too.
AC_DEFUN([CXLR_DIR], [
	AC_ARG_WITH([$1],
		[AS_HELP_STRING([--with-$1=DIR], [directory $1 of $2, default: its own or PREFIX/$3])],
		[], [with_$1=yes])
	AC_MSG_CHECKING([for $1])
	AS_CASE([$with_$1],
		[no], [$1=],
		[yes], [
			$1=
			AS_IF([test "x$prefix" = x/usr],
			      [$1=$($PKG_CONFIG --variable=$1 $2 2>/dev/null)])
			AS_IF([test -z "$$1"], [$1='${prefix}/$3'])],
		[$1=$with_$1])
	AC_MSG_RESULT([${$1:-left out}])
	AC_SUBST([$1])
])
