# MemliftInstall.cmake - the CMake package and the pkg-config files of a prefix.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A prefix may be moved: the package and the .pc files find it from their own place.

include(CMakePackageConfigHelpers)

set(memlift_package ${CMAKE_INSTALL_LIBDIR}/cmake/memlift)
set(memlift_native "")
if(MEMLIFT_GCC)
  execute_process(COMMAND ${MEMLIFT_GCC} -dumpmachine OUTPUT_VARIABLE memlift_native
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REPLACE "-" "_" memlift_native "${memlift_native}")
endif()
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/memliftConfig.cmake.in memliftConfig.cmake
                              INSTALL_DESTINATION ${memlift_package}
                              PATH_VARS MEMLIFT_INSTALL_PLUGINDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(memliftConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/memliftConfig.cmake
              ${PROJECT_BINARY_DIR}/memliftConfigVersion.cmake
        DESTINATION ${memlift_package})
if(MEMLIFT_BUILD_RUNTIME AND TARGET memlift_runtime_static)
  install(EXPORT memliftTargets NAMESPACE memlift:: DESTINATION ${memlift_package})
endif()

# The way from a .pc file up to the prefix.
string(REGEX REPLACE "[^/]+" ".." PC_UP ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# memlift_pkgconfig(NAME DESCRIPTION CFLAGS LIBS)
function(memlift_pkgconfig PC_NAME PC_DESCRIPTION PC_CFLAGS PC_LIBS)
  configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/memlift.pc.in ${PC_NAME}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${PC_NAME}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

# The plugins come with the archive, as in the wrappers: a program gains no library to carry along.
set(memlift_archive "\${libdir}/libmemlift.a")
if(MEMLIFT_BUILD_RUNTIME)
  memlift_pkgconfig(memlift-runtime "memlift's runtime library" "" "-L\${libdir} -lmemlift")
  if(TARGET memlift_mars_static)
    memlift_pkgconfig(memlift-mars "MARS's interface over memlift's tasks"
                      "-I\${includedir}/memlift-mars" "-L\${libdir} -lmemlift_mars -lmemlift")
  endif()
endif()
function(memlift_pkgconfig_clang name major)
  set(so "\${plugindir}/memlift-llvm${major}.so")
  memlift_pkgconfig(${name} "memlift's plugin for clang ${major}"
                    "-fplugin=${so} -fpass-plugin=${so}" "${memlift_archive}")
endfunction()
set(memlift_newest "")
foreach(major IN LISTS MEMLIFT_LLVM_BUILT)
  memlift_pkgconfig_clang(memlift-clang-${major} ${major})
  set(memlift_newest ${major})
endforeach()
if(memlift_newest)
  memlift_pkgconfig_clang(memlift-clang ${memlift_newest})
endif()
function(memlift_pkgconfig_gcc name major)
  memlift_pkgconfig(${name} "memlift's plugin for GCC ${major}"
                    "-fplugin=\${plugindir}/memlift_gcc${major}.so" "${memlift_archive}")
endfunction()
foreach(major IN LISTS MEMLIFT_GCC_BUILT)
  memlift_pkgconfig_gcc(memlift-gcc-${major} ${major})
  if(major EQUAL MEMLIFT_GCC_MAJOR)
    memlift_pkgconfig_gcc(memlift-gcc ${major})
  endif()
endforeach()

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
