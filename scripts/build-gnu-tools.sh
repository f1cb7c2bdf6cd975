#!/usr/bin/env bash
# Builds GNU as, ld and objdump, the GDB simulator (run, and step: gdb-sim-step.c) for each TRIPLE, from the sources
# that Debian's packages binutils-source and gdb-source put into /usr/src.
#
#   scripts/build-gnu-tools.sh FOLDER TRIPLE...         e.g. scripts/build-gnu-tools.sh .tools rl78-elf v850-elf
#
# The tools go to FOLDER/bin; what has been built there is left alone, so it may be run again at any time. On two
# free cores a triple takes about three minutes. JOBS is the number of processes, 2 if not set.
set -euo pipefail

(($# >= 2)) || { echo "usage: $0 FOLDER TRIPLE..." >&2; exit 2; }
scripts=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1/bin" "$1/build" "$1/done"
folder=$(cd "$1" && pwd)
shift

binutils=(/usr/src/binutils/binutils-*.tar.xz)
gdb=/usr/src/gdb.tar.xz
for need in "${binutils[0]}" "$gdb"; do
  [[ -f $need ]] || { echo "$0: no $need: apt-get install binutils-source gdb-source" >&2; exit 1; }
done
for need in gcc g++ make bison flex xz; do
  command -v "$need" >/dev/null || { echo "$0: no $need: apt-get install gcc g++ make bison flex xz-utils" >&2; exit 1; }
done

# Nothing here needs a manual, a translation or an optimised build.
export CFLAGS='-O1 -g0 -w' CXXFLAGS='-O1 -g0 -w' MAKEINFO=true
common=(--prefix="$folder" --disable-nls --disable-werror --disable-gprof --disable-gprofng --disable-gold
  --disable-plugins --disable-libctf --without-zstd --disable-gdb --disable-gdbserver --without-debuginfod)

run_make() { nice -n 19 make -j"${JOBS:-2}" "$@"; }

# Both are called in the build folder, with the triple; the sources are in ../source.
make_binutils() {
  ../source/configure --target="$1" "${common[@]}" --disable-sim
  run_make all-gas all-ld all-binutils
  make install-gas install-ld install-binutils
}
make_sim() {
  ../source/configure --target="$1" "${common[@]}" --enable-sim
  run_make all-sim
  install -s "sim/${1%%-*}/run" "$folder/bin/$1-run"
  gcc -O1 -I sim -I bfd -I ../source/include -I ../source/bfd -o "$folder/bin/$1-step" "$scripts/gdb-sim-step.c" \
    "sim/${1%%-*}/libsim.a" opcodes/libopcodes.a bfd/.libs/libbfd.a libiberty/libiberty.a gnulib/import/libgnu.a \
    zlib/libz.a -lm
}

# build PART ARCHIVE TRIPLE: unpack, build, install, and leave nothing but the tools.
build() {
  local part=$1 archive=$2 triple=$3 started=$SECONDS
  local work=$folder/build/$triple-$part log=$folder/build/$triple-$part.log finished=$folder/done/$triple-$part
  if [[ -f $finished ]]; then
    echo "$triple $part: there already"
    return
  fi
  echo "$triple $part: building from $archive; log in $log"
  rm -rf "$work"
  mkdir -p "$work/source" "$work/build"
  tar --extract --file "$archive" --directory "$work/source" --strip-components 1
  # A child of its own: -e does not hold inside the condition of an if.
  (cd "$work/build" && set -e && "make_$part" "$triple") >"$log" 2>&1 &
  if ! wait $!; then
    tail -n 40 "$log" >&2
    echo "$0: building $triple $part failed; see $log" >&2
    exit 1
  fi
  rm -rf "$work"
  touch "$finished"
  echo "$triple $part: done in $((SECONDS - started)) s"
}

for triple in "$@"; do
  build binutils "${binutils[0]}" "$triple"
  build sim "$gdb" "$triple"
done
