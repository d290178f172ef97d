# memlift.bash - completion of memlift's commands in bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# bash-completion reads it when the name of a command is first completed; `. memlift.bash` does so
# without that package. The options are those that the commands themselves know.

# Prints the folder of what the wrappers read besides themselves, by the place of a command.
_memlift_folder() {
  local command
  command=$(readlink -f -- "$(type -P -- "$1")") && printf '%s/lib/memlift' "${command%/*/*}"
}

# Completes --memlift-NAME and --memlift-NAME=VALUE. Fails where the word is none of these.
_memlift_own_option() { # COMMAND WORD
  local folder name
  [[ $2 == --m* || $2 == --memlift-*=* || $2 == -- ]] || return 1
  folder=$(_memlift_folder "$1") && [[ -r $folder/memlift-options.sh ]] || return 1
  if [[ $2 == --memlift-*=* ]]; then
    name=${2#--memlift-}
    name=${name%%=*}
    # The words of readline end at '=': what is completed comes after it.
    mapfile -t COMPREPLY < <(. "$folder/memlift-options.sh" &&
      compgen -W "$(memlift_option_values "$name")" -- "${2#*=}")
    [[ ${#COMPREPLY[@]} -gt 0 ]] || mapfile -t COMPREPLY < <(compgen -f -- "${2#*=}")
    return
  fi
  mapfile -t COMPREPLY < <(. "$folder/memlift-options.sh" &&
    compgen -P --memlift- -W "$(memlift_option_names) print-command version" -- "${2#--memlift-}")
  [[ $2 == --memlift-* ]] || mapfile -t COMPREPLY < <(. "$folder/memlift-options.sh" &&
    compgen -P --memlift- -W "$(memlift_option_names) print-command version")
  # Options that take a value.
  local index help
  help=$(. "$folder/memlift-options.sh" && memlift_option_help)
  for index in "${!COMPREPLY[@]}"; do
    [[ $help != *"${COMPREPLY[index]}="* ]] || COMPREPLY[index]+==
  done
  compopt -o nospace 2>/dev/null
  return 0
}

# The compiler's own options, by its own completion, if there is one.
_memlift_compiler_option() { # COMMAND WORD PREVIOUS
  local family=gcc
  [[ $1 != *clang* ]] || family=clang
  if declare -F _comp_load >/dev/null; then
    _comp_load "$family"
  elif declare -F _completion_loader >/dev/null; then
    _completion_loader "$family"
  fi
  declare -F "_$family" >/dev/null && "_$family" "$family" "$2" "$3" && [[ ${#COMPREPLY[@]} -gt 0 ]]
}

_memlift_wrapper() {
  local line=${COMP_LINE:0:COMP_POINT} word
  word=${line##*[[:space:]]}
  COMPREPLY=()
  _memlift_own_option "$1" "$word" && return
  [[ $word == -* ]] && _memlift_compiler_option "$1" "$2" "$3" && return
  mapfile -t COMPREPLY < <(compgen -f -- "$2")
  compopt -o filenames 2>/dev/null
}

# Commands that explain all of their words under --help.
_memlift_tool() {
  COMPREPLY=()
  if [[ $2 == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$("$1" --help 2>/dev/null |
      grep -o -e '--[a-z][a-z-]*=\{0,1\}' | sort -u)" -- "$2")
    [[ ${COMPREPLY[*]-} != *= ]] || compopt -o nospace 2>/dev/null
    return
  fi
  if [[ $1 == *memlift-report && $COMP_CWORD -eq 1 ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$("$1" --help 2>/dev/null |
      sed -n '/^COMMANDS/,/^[B-Z]/s/^  \([a-z][a-z-]*\)  .*/\1/p')" -- "$2")
  fi
  local files
  mapfile -t files < <(compgen -f -- "$2")
  COMPREPLY+=("${files[@]}")
  compopt -o filenames 2>/dev/null
}

_memlift_register() {
  local name
  for name in memlift-{gcc,g++,clang,clang++}{,-{12,13,14,15,16,18,19,20,21,22,23}}; do
    complete -F _memlift_wrapper "$name"
  done
  complete -F _memlift_tool memlift-report memlift-info memlift-loops memlift-ni-ping \
    memlift-mpu-cc memlift-gcc-rebuild
}
_memlift_register
