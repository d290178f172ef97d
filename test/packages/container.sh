#!/bin/bash
# container.sh FOLDER CHROOT NUMBER - builds packages/Dockerfile by buildah, and compiles in it
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# FOLDER/1 has the packages; the bare CHROOT is the image debian:NUMBER, so no registry is asked.
# All that is made is in FOLDER/container; nothing of the machine's own containers is touched.
set -eu
folder=$1 root=$2 number=$3
sources=$(cd "$(dirname -- "$0")/../.." && pwd)
store=$folder/container

images() { # ARGUMENT... - buildah with images of its own
  command=$1
  shift
  buildah --root "$store/root" --runroot "$store/run" --storage-driver vfs "$command" "$@"
}

clean() { # all layers are plain folders
  rm -rf --one-file-system "$store"
}

clean
trap clean EXIT
mkdir -p "$store"
base=$(images from scratch)
tar -C "$root" -c --one-file-system --exclude=./debs --exclude=./check --exclude=./repack \
  --exclude=./proc/* --exclude=./sys/* --exclude=./dev/* . >"$store/bare.tar"
images add --quiet "$base" "$store/bare.tar" /
images commit --quiet --rm "$base" "localhost/debian:$number"
rm "$store/bare.tar"

images build --isolation chroot --pull-never --build-arg "DEBIAN=$number" --tag memlift \
  --file "$sources/packages/Dockerfile" "$folder/1"
container=$(images from --pull-never memlift)
# shellcheck disable=SC2016 # variables of the container
images run --isolation chroot --volume "$sources/examples:/examples:ro" "$container" -- sh -euc '
  cd /tmp
  plain=$("$CC" --memlift-print-command -c x.c)
  "$CC" -O2 /examples/*.c -o with
  "${plain%% *}" -O2 /examples/*.c -o without
  for program in with without; do
    ./"$program" /usr/bin/bash 1 | awk "{ print \$1, \$2 }" >"$program.said"
    test "$(wc -l <"$program.said")" -ge 5
  done
  cmp with.said without.said
  objdump -d with | grep -q "call.*<memlift_"
  echo "int main() { return 0; }" >x.cpp
  "$CXX" -O2 x.cpp -o x && ./x
  test -z "$(ls /tmp/memlift 2>/dev/null)"
  "$CC" --memlift-version
  echo "container: $CC and $CXX work"'
