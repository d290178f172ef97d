# MemliftCompilers.cmake - finds the compilers, and switches off what cannot be built here.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Sets, for the directories:
#   MEMLIFT_LLVM19_DIR, MEMLIFT_LLVM22_DIR   prefix of that LLVM (/usr/lib/llvm-22), empty if absent
#   MEMLIFT_CLANG19, MEMLIFT_CLANG22         the compiler that the wrapper of that version calls
#   MEMLIFT_GCC, MEMLIFT_GXX                 native GCC 12
#   MEMLIFT_RISCV64_GCC, MEMLIFT_ARC_GCC, MEMLIFT_SPARC64_GCC, MEMLIFT_QEMU_RISCV64,
#   MEMLIFT_AARCH64_GCC, MEMLIFT_QEMU_AARCH64
#   MEMLIFT_PYTHON                           one that can import what the tools need, or empty

# A plugin links against nothing, but it needs the headers of LLVM and, for attributes, of clang.
function(memlift_find_llvm major)
  find_program(MEMLIFT_LLVM_CONFIG${major} NAMES llvm-config-${major}
               HINTS /usr/lib/llvm-${major}/bin DOC "llvm-config of LLVM ${major}")
  find_program(MEMLIFT_CLANG${major} NAMES clang-${major}
               HINTS /usr/lib/llvm-${major}/bin DOC "clang ${major}")
  set(prefix "")
  if(MEMLIFT_LLVM_CONFIG${major})
    execute_process(COMMAND ${MEMLIFT_LLVM_CONFIG${major}} --prefix OUTPUT_VARIABLE prefix
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  elseif(EXISTS /usr/lib/llvm-${major}/include/llvm/Passes/PassBuilder.h)
    set(prefix /usr/lib/llvm-${major})
  endif()
  set(reason "")
  if(NOT prefix OR NOT EXISTS ${prefix}/include/llvm/Passes/PassBuilder.h)
    set(reason "llvm-${major}-dev is not installed")
  elseif(NOT EXISTS ${prefix}/include/clang/AST/Attr.h)
    set(reason "libclang-${major}-dev is not installed")
  elseif(NOT MEMLIFT_CLANG${major})
    set(reason "clang-${major} is not installed")
  endif()
  if(reason AND MEMLIFT_BUILD_LLVM${major})
    message(STATUS "memlift: the plugin for clang ${major} is left out: ${reason}")
    set(MEMLIFT_BUILD_LLVM${major} OFF PARENT_SCOPE)
    set(prefix "")
  endif()
  set(MEMLIFT_LLVM${major}_DIR "${prefix}" PARENT_SCOPE)
endfunction()

# gcc-plugin/ asks each compiler for its plugin folder; here only whether there is any to ask.
function(memlift_find_gcc)
  find_program(MEMLIFT_GCC NAMES gcc-12 DOC "native GCC 12")
  find_program(MEMLIFT_GXX NAMES g++-12 DOC "native G++ 12")
  find_program(MEMLIFT_RISCV64_GCC NAMES riscv64-linux-gnu-gcc-12 DOC "riscv64 GCC 12")
  find_program(MEMLIFT_ARC_GCC NAMES arc-linux-gnu-gcc-12 DOC "ARC GCC 12")
  find_program(MEMLIFT_SPARC64_GCC NAMES sparc64-linux-gnu-gcc-12 DOC "sparc64 GCC 12")
  find_program(MEMLIFT_AARCH64_GCC NAMES aarch64-linux-gnu-gcc-12 DOC "AArch64 GCC 12")
  find_program(MEMLIFT_QEMU_AARCH64 NAMES qemu-aarch64 qemu-aarch64-static
               DOC "AArch64 user emulation")
  find_program(MEMLIFT_QEMU_RISCV64 NAMES qemu-riscv64 qemu-riscv64-static
               DOC "riscv64 user emulation")
  set(any FALSE)
  foreach(compiler IN ITEMS GCC RISCV64_GCC ARC_GCC SPARC64_GCC)
    if(MEMLIFT_${compiler})
      execute_process(COMMAND ${MEMLIFT_${compiler}} -print-file-name=plugin
                      OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
      if(EXISTS ${folder}/include/gcc-plugin.h)
        set(any TRUE)
      endif()
    endif()
  endforeach()
  if(MEMLIFT_BUILD_GCC AND NOT any)
    message(STATUS "memlift: the GCC plugins are left out: "
                   "no GCC 12 with gcc-12-plugin-dev is installed")
    set(MEMLIFT_BUILD_GCC OFF PARENT_SCOPE)
  endif()
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

function(memlift_print_summary)
  message(STATUS "memlift ${PROJECT_VERSION}: "
                 "runtime ${MEMLIFT_BUILD_RUNTIME}, clang-19 ${MEMLIFT_BUILD_LLVM19}, "
                 "clang-22 ${MEMLIFT_BUILD_LLVM22}, gcc ${MEMLIFT_BUILD_GCC}, "
                 "tests ${MEMLIFT_BUILD_TESTS}")
endfunction()

memlift_find_llvm(19)
memlift_find_llvm(22)
memlift_find_gcc()
memlift_find_python()
