#!/bin/sh
# Makes the .ll files of this directory from the .c files: ./regenerate.sh [OUTPUT-DIRECTORY]
#
# No released clang compiles for RL78. MSP430 stands in: as on RL78, bytes are little-endian, pointers and `int`
# have 16 bits, and only 8- and 16-bit values are aligned. Then the module gets RL78's triple and data layout.
# What names this machine or this build of the compiler is kept out, so that everybody gets the same files.
set -eu

out=$(cd "${1:-$(dirname "$0")}" && pwd)
cd "$(dirname "$0")"
clang=${CLANG:-clang-19}
layout=e-m:o-p:16:16-p1:16:16-p2:32:16-p3:32:16-i32:16-i64:16-f32:16-f64:16-a:8-n8:16-S16

# -Qn: no compiler version. The prefix map and the sed scripts: no paths, no hashes of the compiler's own headers.
generate() {
    name=$1
    shift
    for level in O0 Os O2; do
        "$clang" --target=msp430 -std=c99 -ffreestanding -nostdlibinc -Qn "-$level" "$@" \
            "-fdebug-prefix-map=$("$clang" -print-resource-dir)/include=." -fdebug-compilation-dir=. \
            -S -emit-llvm "$name.c" -o - |
            sed -e "s/^target datalayout = .*/target datalayout = \"$layout\"/" \
                -e 's/^target triple = .*/target triple = "rl78-unknown-unknown-elf"/' \
                -e 's/, checksumkind: CSK_MD5, checksum: "[0-9a-f]*"//' \
                -e 's/ "target-[a-z]*"="[^"]*"//g' \
                >"$out/$name.$level.ll"
    done
}

generate sha256                                # as a release build of clang writes it: %0, %1, …
generate g23_driver -g -fno-discard-value-names # with names and debug locations
