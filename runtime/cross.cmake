# cross.cmake - lib/<target>/libmemlift.a for other machines, when a cross compiler is there
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# One command a file, since a CMake project has one C compiler: the same sources, and the same flags
# but for the notes of the machine's branch protection.

# memlift_cross_archive(NAME TRIPLE [FLAG...]): the target memlift_runtime_NAME; GCC is
# MEMLIFT_<NAME>_GCC.
function(memlift_cross_archive name triple)
  string(TOUPPER ${name} upper)
  find_program(MEMLIFT_${upper}_GCC NAMES ${triple}-gcc-12 ${triple}-gcc
               DOC "GCC for ${triple}, builds libmemlift.a for it")
  find_program(MEMLIFT_${upper}_AR NAMES ${triple}-gcc-ar-12 ${triple}-ar DOC "ar for ${triple}")
  if(NOT MEMLIFT_${upper}_GCC OR NOT MEMLIFT_${upper}_AR)
    message(STATUS "memlift runtime: no ${triple}-gcc, libmemlift.a for ${name} is left out")
    return()
  endif()

  set(folder ${CMAKE_ARCHIVE_OUTPUT_DIRECTORY}/${triple})
  set(archive ${folder}/libmemlift.a)
  set(objects)
  foreach(source IN LISTS MEMLIFT_RUNTIME_SOURCES)
    string(REPLACE "/" "_" object ${source})
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}/${object}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/${name}
      COMMAND ${MEMLIFT_${upper}_GCC} -std=c11 -O2 -fPIC -fvisibility=hidden -fno-builtin
              -fno-tree-loop-distribute-patterns ${ARGN} -Wall -Wextra -MD -MF ${object}.d
              -c ${CMAKE_CURRENT_SOURCE_DIR}/${source} -o ${object}
      DEPENDS ${source} DEPFILE ${object}.d COMMENT "${name}: ${source}" VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  add_custom_command(OUTPUT ${archive}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${archive}
    COMMAND ${MEMLIFT_${upper}_AR} rcs ${archive} ${objects}
    DEPENDS ${objects} COMMENT "${name}: libmemlift.a" VERBATIM)
  add_custom_target(memlift_runtime_${name} ALL DEPENDS ${archive})
  set_target_properties(memlift_runtime_${name} PROPERTIES MEMLIFT_ARCHIVE ${archive})
  install(FILES ${archive} DESTINATION ${CMAKE_INSTALL_LIBDIR}/${triple})
endfunction()

memlift_cross_archive(riscv64 riscv64-linux-gnu)
memlift_cross_archive(aarch64 aarch64-linux-gnu -mbranch-protection=standard)
