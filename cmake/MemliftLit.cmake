# MemliftLit.cmake - makes a folder of lit tests one ctest test.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# LLVM ships lit as a script for Debian's Python; the folder differs from version to version.
set(memlift_lit_places "")
set(memlift_filechecks "")
foreach(memlift_major IN ITEMS 22 19 LISTS MEMLIFT_LLVM_MAJORS)
  list(APPEND memlift_lit_places /usr/lib/llvm-${memlift_major}/bin
       /usr/lib/llvm-${memlift_major}/build/utils/lit)
  list(APPEND memlift_filechecks FileCheck-${memlift_major})
endforeach()
find_program(MEMLIFT_LIT NAMES lit lit.py llvm-lit HINTS ${memlift_lit_places}
             DOC "LLVM's test runner")
find_program(MEMLIFT_FILECHECK NAMES ${memlift_filechecks} FileCheck HINTS ${memlift_lit_places}
             DOC "LLVM's output checker")

cmake_host_system_information(RESULT memlift_lit_jobs QUERY NUMBER_OF_LOGICAL_CORES)

# add_lit_suite(NAME name DIR folder LABELS label...) - registers `lit-name`, run on the sources in
# `folder`; test/lit.cfg.py reads what it has to know from lit-values.json in the build tree.
# lit runs a test on each processor; `ctest -j` of one more runs other tests beside it, which fill
# the time in which a suite waits for its last test.
function(add_lit_suite)
  cmake_parse_arguments(arg "" "NAME;DIR" "LABELS" ${ARGN})
  if(NOT MEMLIFT_LIT OR NOT MEMLIFT_FILECHECK OR NOT MEMLIFT_PYTHON)
    message(STATUS "memlift: lit suite ${arg_NAME} is left out: it needs lit and FileCheck "
                   "(apt install llvm-22-tools or llvm-19-tools) and Python")
    return()
  endif()
  add_test(NAME lit-${arg_NAME}
           COMMAND ${MEMLIFT_PYTHON} ${MEMLIFT_LIT} -sv
                   --param build=${PROJECT_BINARY_DIR} ${arg_DIR})
  set_tests_properties(lit-${arg_NAME} PROPERTIES LABELS "${arg_LABELS}"
                       PROCESSORS ${memlift_lit_jobs} COST 200 TIMEOUT 1200)
endfunction()
