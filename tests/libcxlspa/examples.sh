#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The examples of libcxlspa, on a captured host, give the answers of cxl-spa; and what the library shows.
. "${0%/*}/../cli/functions"
need_python

host=$scratch/host
mkdir "$host"
tar -xf "$hosts/normalized-7.3.tar.zst" -C "$host" --zstd || exit 99
[ -d "$host/sys" ] || host=$(dirname "$(find "$host" -maxdepth 2 -name sys -type d)")

# Lines that lack hpa, one that has it, one of another program, one of a device that is not there.
cat >"$scratch/trace" <<'END'
kworker/1:2-88 [001] .... 5.000001: cxl_general_media: memdev=mem0 host=0000:0d:00.0 serial=1 log=Fatal : dpa=1040 dpa_flags='' hpa=ffffffffffffffff region= region_uuid=
kworker/1:2-88 [001] .... 5.000002: cxl_dram: memdev=mem0 host=0000:0d:00.0 serial=1 log=Fatal : dpa=1000 hpa=850001000 region=region0
some text hpa=ffffffffffffffff
kworker/1:2-88 [001] .... 5.000003: cxl_dram: memdev=mem99 host=0000:0d:00.0 serial=1 log=Fatal : dpa=1000 hpa=ffffffffffffffff region=
END
run 0 translate --host "$host" --json mem0 0x1040
json 'a[0]["exact"]'
spa_of=$(sed -n 's/.*"spa": *"0x\([0-9a-f]*\)".*/\1/p' "$scratch/out")
source_of=$(sed -n 's/.*"source": *"\([a-z]*\)".*/\1/p' "$scratch/out")
./fill-hpa "$host" <"$scratch/trace" >"$scratch/filled" || fail "fill-hpa: status $?"
sed "1s/hpa=ffffffffffffffff/hpa=$spa_of/" "$scratch/trace" >"$scratch/expected"
cmp "$scratch/filled" "$scratch/expected" || fail "fill-hpa: $(diff "$scratch/expected" "$scratch/filled")"
./fill-hpa "$scratch/none" </dev/null 2>"$scratch/err" && fail "fill-hpa: a host that does not exist"
grep -q "fill-hpa: No such file" "$scratch/err" || fail "fill-hpa: $(cat "$scratch/err")"

# With sanitizers their runtime must come first.
preload=$(ldd .libs/libcxlspa.so.1 | sed -n 's/.*=> \(.*libasan[^ ]*\).*/\1/p')
translate_py() {
	env ${preload:+LD_PRELOAD="$preload"} ASAN_OPTIONS=detect_leaks=0 LD_LIBRARY_PATH=.libs \
		python3 "$srcdir/libcxlspa/examples/translate.py" "$@"
}
answer=$(translate_py mem0 0x1040 "$host") || fail "translate.py: status $?"
[ "$answer" = "0x$spa_of $source_of" ] || fail "translate.py: $answer"
translate_py mem0 0xffffffffffff "$host" >"$scratch/out" && fail "translate.py: an exact answer beyond the device"
grep -q "beyond" "$scratch/out" || fail "translate.py: $(cat "$scratch/out")"
translate_py mem99 0 "$host" 2>"$scratch/err" && fail "translate.py: a device that does not exist"
grep -q "no such memory device" "$scratch/err" || fail "translate.py: $(cat "$scratch/err")"

# Only the interface is exported, each name with its version; the header declares the same names.
declared=$(sed -n 's/^.*\b\(cxlspa_[a-z_]*\)(.*/\1/p' "$srcdir/libcxlspa/cxlspa.h" | grep -v '_fn$' | sort -u)
exported=$(nm -D --defined-only .libs/libcxlspa.so.1 | sed -n 's/.* T \(.*\)@@LIBCXLSPA_1$/\1/p' | sort)
[ "$declared" = "$exported" ] || fail "declared: $declared; exported: $exported"
others=$(nm -D --defined-only .libs/libcxlspa.so.1 | grep -cv 'LIBCXLSPA_1$')
[ "$others" -eq 0 ] || [ -n "$preload" ] || fail "$others other names are exported"
[ "$(PKG_CONFIG_PATH=libcxlspa pkg-config --libs-only-l libcxlspa | tr -d ' ')" = -lcxlspa ] || fail "pkg-config"
finish
