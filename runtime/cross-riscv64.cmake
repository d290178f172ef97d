# cross-riscv64.cmake - lib/riscv64-linux-gnu/libmemlift.a, when a cross compiler is there
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# One command a file, since a CMake project has one C compiler: the same sources, no other flags.

find_program(MEMLIFT_RISCV64_GCC NAMES riscv64-linux-gnu-gcc-12 riscv64-linux-gnu-gcc
             DOC "GCC for riscv64-linux-gnu, builds libmemlift.a for it")
find_program(MEMLIFT_RISCV64_AR NAMES riscv64-linux-gnu-gcc-ar-12 riscv64-linux-gnu-ar
             DOC "ar for riscv64-linux-gnu")
if(NOT MEMLIFT_RISCV64_GCC OR NOT MEMLIFT_RISCV64_AR)
  message(STATUS "memlift runtime: no riscv64-linux-gnu-gcc, libmemlift.a for riscv64 is left out")
  return()
endif()

set(riscv64_dir ${CMAKE_ARCHIVE_OUTPUT_DIRECTORY}/riscv64-linux-gnu)
set(riscv64_archive ${riscv64_dir}/libmemlift.a)
set(riscv64_objects)
foreach(source IN LISTS MEMLIFT_RUNTIME_SOURCES)
  string(REPLACE "/" "_" object ${source})
  set(object ${CMAKE_CURRENT_BINARY_DIR}/riscv64/${object}.o)
  add_custom_command(OUTPUT ${object}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/riscv64
    COMMAND ${MEMLIFT_RISCV64_GCC} -std=c11 -O2 -fPIC -fvisibility=hidden -fno-builtin
            -fno-tree-loop-distribute-patterns -Wall -Wextra -MD -MF ${object}.d
            -c ${CMAKE_CURRENT_SOURCE_DIR}/${source} -o ${object}
    DEPENDS ${source} DEPFILE ${object}.d COMMENT "riscv64: ${source}" VERBATIM)
  list(APPEND riscv64_objects ${object})
endforeach()
add_custom_command(OUTPUT ${riscv64_archive}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${riscv64_dir}
  COMMAND ${CMAKE_COMMAND} -E rm -f ${riscv64_archive}
  COMMAND ${MEMLIFT_RISCV64_AR} rcs ${riscv64_archive} ${riscv64_objects}
  DEPENDS ${riscv64_objects} COMMENT "riscv64: libmemlift.a" VERBATIM)
add_custom_target(memlift_runtime_riscv64 ALL DEPENDS ${riscv64_archive})
set_target_properties(memlift_runtime_riscv64 PROPERTIES MEMLIFT_ARCHIVE ${riscv64_archive})
install(FILES ${riscv64_archive} DESTINATION ${CMAKE_INSTALL_LIBDIR}/riscv64-linux-gnu)
