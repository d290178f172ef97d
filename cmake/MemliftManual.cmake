# MemliftManual.cmake - manual pages that are made from what commands print under --help.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# memlift_help_page(NAME SUMMARY COMMAND DEPENDS...): share/man/man1/NAME.1 in the build tree, and in
# the prefix. COMMAND is a program or script of memlift that runs on this machine.
function(memlift_help_page name summary command)
  if(NOT MEMLIFT_PYTHON OR CMAKE_CROSSCOMPILING)
    return()
  endif()
  set(page ${PROJECT_BINARY_DIR}/share/man/man1/${name}.1)
  set(writer ${PROJECT_SOURCE_DIR}/drivers/help_page.py)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/man/man1)
  add_custom_command(OUTPUT ${page}
    COMMAND ${MEMLIFT_PYTHON} -B ${writer} ${name} ${PROJECT_VERSION} ${summary} ${page} ${command}
            --help
    DEPENDS ${writer} ${ARGN} VERBATIM)
  add_custom_target(${name}-page ALL DEPENDS ${page})
  install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endfunction()
