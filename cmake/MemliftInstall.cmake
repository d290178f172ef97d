# MemliftInstall.cmake - what an installed prefix holds besides the rooms' own files.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
