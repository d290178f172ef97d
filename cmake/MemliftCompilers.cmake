# MemliftCompilers.cmake - finds the compilers, and switches off what cannot be built here.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Sets, for the directories; N is a major version of MEMLIFT_LLVM_MAJORS or MEMLIFT_GCC_MAJORS, T one
# of MEMLIFT_GCC_TARGETS in capitals and underscores (AARCH64_LINUX_GNU):
#   MEMLIFT_LLVM_BUILT              the majors of LLVM whose plugin is built, oldest first
#   MEMLIFT_LLVMN_DIR               prefix of that LLVM (/usr/lib/llvm-22), empty if absent
#   MEMLIFT_CLANGN                  the compiler that the wrapper of that version calls
#   MEMLIFT_GCC_BUILT               the majors of native GCCs with plugin headers, oldest first
#   MEMLIFT_GCCN, MEMLIFT_GXXN      native GCC N, empty or NOTFOUND if absent
#   MEMLIFT_GCCN_T                  GCC N for the target T
#   MEMLIFT_GCC_MAJOR               the major that `memlift-gcc` and the tests use
#   MEMLIFT_GCC, MEMLIFT_GXX        native GCC of that major
#   MEMLIFT_RISCV64_GCC, MEMLIFT_ARC_GCC, MEMLIFT_SPARC64_GCC, MEMLIFT_AARCH64_GCC
#                                   cross compilers, preferably of that major
#   MEMLIFT_QEMU_RISCV64, MEMLIFT_QEMU_AARCH64
#   MEMLIFT_PYTHON                  one that can import what the tools need, or empty

# The versions that the sources are written for; each that is installed gets a plugin.
set(MEMLIFT_LLVM_MAJORS 18 19 20 21 22 23)
set(MEMLIFT_GCC_MAJORS 12 13 14 15 16)
set(MEMLIFT_GCC_TARGETS aarch64-linux-gnu arc-linux-gnu arm-linux-gnueabihf
    mips64el-linux-gnuabi64 mips-linux-gnu powerpc64le-linux-gnu riscv64-linux-gnu
    s390x-linux-gnu sparc64-linux-gnu)

# A plugin links against nothing, but it needs the headers of LLVM and, for attributes, of clang.
function(memlift_find_llvm major)
  option(MEMLIFT_BUILD_LLVM${major} "Build the plugin for clang ${major}, if it is installed" ON)
  find_program(MEMLIFT_LLVM_CONFIG${major} NAMES llvm-config-${major}
               HINTS /usr/lib/llvm-${major}/bin DOC "llvm-config of LLVM ${major}")
  set(prefix "")
  if(MEMLIFT_LLVM_CONFIG${major})
    execute_process(COMMAND ${MEMLIFT_LLVM_CONFIG${major}} --prefix OUTPUT_VARIABLE prefix
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  elseif(EXISTS /usr/lib/llvm-${major}/include/llvm/Passes/PassBuilder.h)
    set(prefix /usr/lib/llvm-${major})
  endif()
  # An LLVM outside of the usual folders has its clang beside llvm-config.
  find_program(MEMLIFT_CLANG${major} NAMES clang-${major}
               HINTS "${prefix}/bin" /usr/lib/llvm-${major}/bin DOC "clang ${major}")
  set(reason "")
  if(NOT prefix OR NOT EXISTS ${prefix}/include/llvm/Passes/PassBuilder.h)
    set(reason "llvm-${major}-dev is not installed")
  elseif(NOT EXISTS ${prefix}/include/clang/AST/Attr.h)
    set(reason "libclang-${major}-dev is not installed")
  elseif(NOT MEMLIFT_CLANG${major})
    set(reason "clang-${major} is not installed")
  endif()
  set(wanted FALSE)
  if(MEMLIFT_BUILD_LLVM AND MEMLIFT_BUILD_LLVM${major})
    set(wanted TRUE)
  endif()
  if(wanted AND NOT reason)
    set(MEMLIFT_LLVM_BUILT ${MEMLIFT_LLVM_BUILT} ${major} PARENT_SCOPE)
  else()
    # A version of which nothing is installed is nobody's wish.
    if(wanted AND (prefix OR MEMLIFT_CLANG${major}))
      message(STATUS "memlift: the plugin for clang ${major} is left out: ${reason}")
    endif()
    set(MEMLIFT_BUILD_LLVM${major} OFF PARENT_SCOPE)
    if(reason)
      set(prefix "")
    endif()
  endif()
  set(MEMLIFT_LLVM${major}_DIR "${prefix}" PARENT_SCOPE)
endfunction()

# memlift_has_plugin_headers(COMPILER RESULT)
function(memlift_has_plugin_headers compiler result)
  set(${result} FALSE PARENT_SCOPE)
  if(compiler)
    execute_process(COMMAND ${compiler} -print-file-name=plugin OUTPUT_VARIABLE folder
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(EXISTS ${folder}/include/gcc-plugin.h)
      set(${result} TRUE PARENT_SCOPE)
    endif()
  endif()
endfunction()

# Sets MEMLIFT_SYSTEM_GCC_MAJOR: that of the compiler called gcc, whatever it is.
function(memlift_find_system_gcc)
  find_program(MEMLIFT_SYSTEM_GCC NAMES gcc DOC "the system's own GCC")
  find_program(MEMLIFT_SYSTEM_GXX NAMES g++ DOC "the system's own G++")
  mark_as_advanced(MEMLIFT_SYSTEM_GCC MEMLIFT_SYSTEM_GXX)
  set(major "")
  if(MEMLIFT_SYSTEM_GCC)
    execute_process(COMMAND ${MEMLIFT_SYSTEM_GCC} -dumpversion OUTPUT_VARIABLE major
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    string(REGEX MATCH "^[0-9]+" major "${major}")
  endif()
  set(MEMLIFT_SYSTEM_GCC_MAJOR "${major}" PARENT_SCOPE)
endfunction()

# memlift_find_gcc(MAJOR): the native compilers of that version. A system may have no name with a
# number for the one called gcc.
function(memlift_find_gcc major)
  find_program(MEMLIFT_GCC${major} NAMES gcc-${major} DOC "native GCC ${major}")
  find_program(MEMLIFT_GXX${major} NAMES g++-${major} DOC "native G++ ${major}")
  if(major STREQUAL MEMLIFT_SYSTEM_GCC_MAJOR)
    foreach(language IN ITEMS GCC GXX)
      if(NOT MEMLIFT_${language}${major} AND MEMLIFT_SYSTEM_${language})
        set(MEMLIFT_${language}${major} ${MEMLIFT_SYSTEM_${language}} CACHE FILEPATH "" FORCE)
      endif()
    endforeach()
  endif()
  mark_as_advanced(MEMLIFT_GCC${major} MEMLIFT_GXX${major})
  memlift_has_plugin_headers("${MEMLIFT_GCC${major}}" found)
  if(found AND MEMLIFT_BUILD_GCC)
    set(MEMLIFT_GCC_BUILT ${MEMLIFT_GCC_BUILT} ${major} PARENT_SCOPE)
  elseif(MEMLIFT_GCC${major} AND MEMLIFT_BUILD_GCC)
    message(STATUS "memlift: the plugin for GCC ${major} is left out: "
                   "gcc-${major}-plugin-dev is not installed")
  endif()
endfunction()

# memlift_find_cross_gcc(MAJOR TARGET): sets MEMLIFT_GCCN_T, adds to MEMLIFT_GCC_CROSS_BUILT.
function(memlift_find_cross_gcc major target)
  string(TOUPPER ${target} upper)
  string(REPLACE "-" "_" upper ${upper})
  find_program(MEMLIFT_GCC${major}_${upper} NAMES ${target}-gcc-${major}
               DOC "GCC ${major} for ${target}")
  mark_as_advanced(MEMLIFT_GCC${major}_${upper})
  memlift_has_plugin_headers("${MEMLIFT_GCC${major}_${upper}}" found)
  if(found AND MEMLIFT_BUILD_GCC AND MEMLIFT_CROSS)
    list(APPEND MEMLIFT_GCC_CROSS_BUILT ${major}:${target})
    set(MEMLIFT_GCC_CROSS_BUILT ${MEMLIFT_GCC_CROSS_BUILT} PARENT_SCOPE)
  endif()
endfunction()

# Chooses the GCC of `memlift-gcc` and of the tests: the system's own, else the newest that is built,
# else any that is there.
function(memlift_choose_gcc)
  set(order ${MEMLIFT_GCC_MAJORS})
  list(REVERSE order)
  list(PREPEND order ${MEMLIFT_SYSTEM_GCC_MAJOR})
  set(major "")
  foreach(candidate IN LISTS order)
    if(NOT major AND candidate IN_LIST MEMLIFT_GCC_BUILT)
      set(major ${candidate})
    endif()
  endforeach()
  foreach(candidate IN LISTS order)
    if(NOT major AND candidate IN_LIST MEMLIFT_GCC_MAJORS AND MEMLIFT_GCC${candidate})
      set(major ${candidate})
    endif()
  endforeach()
  if(NOT major)
    set(major 12)
  endif()
  set(MEMLIFT_GCC_MAJOR "" CACHE STRING
      "Major of the GCC that memlift-gcc and the tests use; empty: the system's own, if it can be")
  if(MEMLIFT_GCC_MAJOR)
    set(major ${MEMLIFT_GCC_MAJOR})
  endif()
  set(MEMLIFT_GCC_MAJOR ${major} PARENT_SCOPE)
  set(MEMLIFT_GCC "${MEMLIFT_GCC${major}}" PARENT_SCOPE)
  set(MEMLIFT_GXX "${MEMLIFT_GXX${major}}" PARENT_SCOPE)
endfunction()

# memlift_choose_cross_gcc(NAME TARGET): sets MEMLIFT_NAME_GCC, for which plugins and runtime are
# tested: of the major that the tests use, else the newest that is there.
function(memlift_choose_cross_gcc name target)
  set(names ${target}-gcc-${MEMLIFT_GCC_MAJOR})
  set(order ${MEMLIFT_GCC_MAJORS})
  list(REVERSE order)
  foreach(major IN LISTS order)
    list(APPEND names ${target}-gcc-${major})
  endforeach()
  find_program(MEMLIFT_${name}_GCC NAMES ${names} DOC "GCC for ${target}")
endfunction()

function(memlift_find_gccs)
  foreach(major IN LISTS MEMLIFT_GCC_MAJORS)
    memlift_find_gcc(${major})
    foreach(target IN LISTS MEMLIFT_GCC_TARGETS)
      memlift_find_cross_gcc(${major} ${target})
    endforeach()
  endforeach()
  memlift_choose_gcc()
  memlift_choose_cross_gcc(RISCV64 riscv64-linux-gnu)
  memlift_choose_cross_gcc(ARC arc-linux-gnu)
  memlift_choose_cross_gcc(SPARC64 sparc64-linux-gnu)
  memlift_choose_cross_gcc(AARCH64 aarch64-linux-gnu)
  find_program(MEMLIFT_QEMU_AARCH64 NAMES qemu-aarch64 qemu-aarch64-static
               DOC "AArch64 user emulation")
  find_program(MEMLIFT_QEMU_RISCV64 NAMES qemu-riscv64 qemu-riscv64-static
               DOC "riscv64 user emulation")
  if(MEMLIFT_BUILD_GCC AND NOT MEMLIFT_GCC_BUILT AND NOT MEMLIFT_GCC_CROSS_BUILT)
    list(GET MEMLIFT_GCC_MAJORS 0 oldest)
    list(GET MEMLIFT_GCC_MAJORS -1 newest)
    message(STATUS "memlift: the GCC plugins are left out: no GCC of ${oldest} to ${newest} is "
                   "installed with its plugin headers (gcc-N-plugin-dev)")
    set(MEMLIFT_BUILD_GCC OFF PARENT_SCOPE)
  endif()
  foreach(variable IN ITEMS MEMLIFT_GCC_MAJOR MEMLIFT_GCC MEMLIFT_GXX MEMLIFT_GCC_BUILT MEMLIFT_GCC_CROSS_BUILT)
    set(${variable} "${${variable}}" PARENT_SCOPE)
  endforeach()
endfunction()

# The first python3 in PATH may be one (pyenv, conda) that does not see Debian's packages.
function(memlift_find_python)
  if(MEMLIFT_PYTHON)
    return()
  endif()
  foreach(candidate IN ITEMS python3 /usr/bin/python3)
    execute_process(COMMAND ${candidate} -c
                            "import jinja2, yaml, jsonschema, sys; print(sys.executable)"
                    RESULT_VARIABLE status OUTPUT_VARIABLE where
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(status EQUAL 0)
      set(MEMLIFT_PYTHON "${where}" CACHE FILEPATH "Python 3 with jinja2, yaml and jsonschema"
          FORCE)
      return()
    endif()
  endforeach()
  set(MEMLIFT_PYTHON "" CACHE FILEPATH "Python 3 with jinja2, yaml and jsonschema" FORCE)
  message(STATUS "memlift: no Python 3 with jinja2, yaml and jsonschema: the lit suites and the "
                 "regeneration check are left out "
                 "(apt install python3-jinja2 python3-yaml python3-jsonschema)")
endfunction()

# Sets `result` to the list with commas, or to OFF.
function(memlift_listed result)
  set(text OFF)
  if(ARGN)
    string(REPLACE ";" ", " text "${ARGN}")
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

function(memlift_print_summary)
  memlift_listed(clangs ${MEMLIFT_LLVM_BUILT})
  memlift_listed(gccs ${MEMLIFT_GCC_BUILT} ${MEMLIFT_GCC_CROSS_BUILT})
  message(STATUS "memlift ${PROJECT_VERSION}: runtime ${MEMLIFT_BUILD_RUNTIME}, clang ${clangs}, "
                 "gcc ${gccs}, tests ${MEMLIFT_BUILD_TESTS}")
endfunction()

set(MEMLIFT_LLVM_BUILT "")
foreach(memlift_major IN LISTS MEMLIFT_LLVM_MAJORS)
  memlift_find_llvm(${memlift_major})
endforeach()
memlift_find_system_gcc()
set(MEMLIFT_GCC_BUILT "")
set(MEMLIFT_GCC_CROSS_BUILT "")
memlift_find_gccs()
memlift_find_python()
