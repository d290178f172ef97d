#!/bin/bash
# complete.sh FILE - prints what bash would offer for some lines, one word a line
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck source=drivers/memlift.bash
. "$1"

offer() { # WORD... - of a line whose cursor is at its end
  COMP_LINE=$*
  COMP_POINT=${#COMP_LINE}
  # readline ends words at '=', too.
  mapfile -t COMP_WORDS < <(printf '%s\n' "$@" | sed 's/=/\n=\n/g')
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  local command=$1 word=${COMP_WORDS[COMP_CWORD]} function
  [[ $word != = ]] || word=
  function=$(complete -p "$command" | sed 's/.*-F \([^ ]*\) .*/\1/')
  COMPREPLY=()
  "$function" "$command" "$word" "${COMP_WORDS[COMP_CWORD - 1]}"
  printf '[%s]\n' "$COMP_LINE"
  [[ ${#COMPREPLY[@]} -eq 0 ]] || printf '%s\n' "${COMPREPLY[@]}"
  echo end
}

offer memlift-gcc --memlift-ru
offer memlift-gcc --memlift-trust
offer memlift-gcc -O2 --memlift-runtime=
offer memlift-clang --memlift-runtime=l
offer memlift-gcc --memlift-remarks=so
offer memlift-gcc --memlift-frob
offer memlift-gcc -c so
offer memlift-info --js
offer memlift-loops --run
offer memlift-report ex
offer memlift-report up
offer memlift-report so
