# MemliftUnity.cmake - compiles the recogniser and each plugin as a few units, not one for each file,
# and the headers of the tests once.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The headers of LLVM and of GCC take some seconds to read, the code of one of our files a fraction
# of one: read together, the plugin for LLVM takes 11 s of processor time instead of 97. The headers
# of C++ cost the recogniser as much as its own code. Names that are local to a file have therefore to
# differ within a plugin; -DMEMLIFT_UNITY=OFF compiles file by file, which is what a tool that reads
# compile_commands.json may want.

option(MEMLIFT_UNITY "Compile the recogniser and each plugin as a few large units: much quicker to build" ON)

# GCC looks for garbage each time that the memory of a unit has doubled. Units this large compile a
# tenth faster where it waits for a gigabyte; a plugin takes 1.8 GB then. Their code is the same.
set(unity_options "SHELL:--param ggc-min-heapsize=1000000" "SHELL:--param ggc-min-expand=1000")

# UBSan leaves null pointers, alignment and the sizes of objects to ASan: a quarter of the time of a
# sanitized unit.
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=address")
  list(APPEND unity_options -fno-sanitize=null,alignment,object-size)
endif()

# memlift_unity(target [files]) - units of that many files, 24 by default.
function(memlift_unity target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE ${unity_options})
  endif()
  set(files 24)
  if(ARGC GREATER 1)
    set(files ${ARGV1})
  endif()
  if(MEMLIFT_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${files})
  endif()
endfunction()

# The headers of GoogleTest and of C++ are half of what a program of the tests takes to compile. A
# compiler cache does better without: it cannot keep what includes them precompiled.
set(precompile_default ON)
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(precompile_default OFF)
endif()
option(MEMLIFT_PRECOMPILE "Read the headers that the tests share once; off by default behind a compiler cache"
       ${precompile_default})

# memlift_test_headers(target) - the first target of a folder reads them, the others use what it read.
function(memlift_test_headers target)
  if(NOT MEMLIFT_PRECOMPILE)
    return()
  endif()
  get_property(first DIRECTORY PROPERTY MEMLIFT_TEST_HEADERS)
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
  else()
    set_property(DIRECTORY PROPERTY MEMLIFT_TEST_HEADERS ${target})
    target_precompile_headers(${target} PRIVATE <gtest/gtest.h> <algorithm> <array> <atomic> <cstdio>
      <cstring> <functional> <map> <random> <string> <thread> <vector>)
  endif()
endfunction()
