#!/usr/bin/env bash
# Builds GNU tools for a TRIPLE from the sources that Debian's packages put into /usr/src. PART is one of
#
#   binutils   as, ld, objdump and the rest                  from binutils-source
#   sim        GDB's simulator: run, and step                from gdb-source; step is gdb-sim-step.c
#   gcc        a C compiler and libgcc, without a C library  from gcc-12-source; needs binutils
#
#   scripts/build-gnu-tools.sh FOLDER TRIPLE PART...         as in: scripts/build-gnu-tools.sh .tools rl78-elf binutils
#
# The tools go to FOLDER/bin; what has been built there is left alone, so it may be run again at any time. On two
# free cores binutils take two minutes, sim one and a half, gcc seven. JOBS is the number of processes, 2 if not set.
set -euo pipefail

(($# >= 3)) || { echo "usage: $0 FOLDER TRIPLE PART..." >&2; exit 2; }
scripts=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1/bin" "$1/build" "$1/done"
folder=$(cd "$1" && pwd)
triple=$2
shift 2

# Nothing here needs a manual, a translation or an optimised build.
export CFLAGS='-O1 -g0 -w' CXXFLAGS='-O1 -g0 -w' MAKEINFO=true PATH="$folder/bin:$PATH"
common=(--target="$triple" --prefix="$folder" --disable-nls --disable-werror --without-zstd)
gnu=(--disable-gprof --disable-gprofng --disable-gold --disable-plugins --disable-libctf --disable-gdb
  --disable-gdbserver --without-debuginfod)

run_make() { nice -n 19 make -j"${JOBS:-2}" "$@"; }

# Each is called in the folder it builds in; the sources are in ../source.
make_binutils() {
  ../source/configure "${common[@]}" "${gnu[@]}" --disable-sim
  run_make all-gas all-ld all-binutils
  make install-gas install-ld install-binutils
}
make_sim() {
  local machine=${triple%%-*}
  ../source/configure "${common[@]}" "${gnu[@]}" --enable-sim
  run_make all-sim
  install -s "sim/$machine/run" "$folder/bin/$triple-run"
  gcc -O1 -I sim -I bfd -I ../source/include -I ../source/bfd -o "$folder/bin/$triple-step" \
    "$scripts/gdb-sim-step.c" "sim/$machine/libsim.a" opcodes/libopcodes.a bfd/.libs/libbfd.a \
    libiberty/libiberty.a gnulib/import/libgnu.a zlib/libz.a -lm
}
make_gcc() {
  ../source/configure "${common[@]}" --enable-languages=c --without-headers --with-newlib --disable-multilib \
    --disable-lto --disable-plugin --disable-shared --disable-threads --disable-libssp --disable-libquadmath \
    --disable-gcov --without-isl
  make configure-gcc
  # Debian took out the manual from which this would be made: it is there, and depends on nothing.
  sed -i 's/^s-tm-texi:.*/s-tm-texi:/' gcc/Makefile
  touch gcc/s-tm-texi
  run_make all-gcc
  run_make all-target-libgcc
  make install-gcc install-target-libgcc
}

archive_of() {
  case $1 in
    binutils) echo /usr/src/binutils/binutils-*.tar.xz ;;
    sim) echo /usr/src/gdb.tar.xz ;;
    gcc) echo /usr/src/gcc-12/gcc-*.tar.xz ;;
    *) echo "$0: unknown part $1 (known: binutils, sim, gcc)" >&2; exit 2 ;;
  esac
}

for part in "$@"; do
  archive=$(archive_of "$part")
  work=$folder/build/$triple-$part
  finished=$folder/done/$triple-$part
  started=$SECONDS
  if [[ -f $finished ]]; then
    echo "$triple $part: there already"
    continue
  fi
  [[ -f $archive ]] || { echo "$0: $archive is not there; scripts/install-packages.sh installs it" >&2; exit 1; }
  echo "$triple $part: building from $archive, log in $work.log"
  rm -rf "$work"
  mkdir -p "$work/source" "$work/build"
  tar --extract --file "$archive" --directory "$work/source" --strip-components 1
  # In the background, because -e does not hold in a condition.
  (cd "$work/build" && "make_$part") >"$work.log" 2>&1 &
  if ! wait $!; then
    tail -n 40 "$work.log" >&2
    echo "$0: building $part for $triple failed; see $work.log" >&2
    exit 1
  fi
  rm -rf "$work"
  touch "$finished"
  echo "$triple $part: done in $((SECONDS - started)) s"
done
