# benches.cmake - programs that measure the runtime; those that need no time are tests as well
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# The published figures of a DAX in virtual time, and ours: a second or two.
add_executable(bench-t7 ${PROJECT_SOURCE_DIR}/bench/model/t7.c)
target_include_directories(bench-t7 PRIVATE ${PROJECT_SOURCE_DIR}/runtime)
target_compile_options(bench-t7 PRIVATE -Wall -Wextra)
target_link_libraries(bench-t7 PRIVATE memlift_model memlift_runtime_static)
if(NOT watches_threads)
  add_test(NAME runtime.t7 COMMAND bench-t7)
  set_tests_properties(runtime.t7 PROPERTIES LABELS runtime TIMEOUT 300)
endif()

# How much of a device's time independent work hides; from a call to the doorbell.
add_executable(bench-overlap ${PROJECT_SOURCE_DIR}/bench/model/overlap.c)
target_link_libraries(bench-overlap PRIVATE memlift_model)
if(NOT watches_threads)
  add_test(NAME runtime.overlap COMMAND bench-overlap)
  set_tests_properties(runtime.overlap PROPERTIES LABELS runtime TIMEOUT 120)
endif()

add_executable(bench-doorbell ${PROJECT_SOURCE_DIR}/bench/model/doorbell.c)
add_executable(bench-threads ${PROJECT_SOURCE_DIR}/bench/micro/threads.c)
add_executable(bench-grid ${PROJECT_SOURCE_DIR}/bench/micro/grid.c)
add_executable(bench-touch ${PROJECT_SOURCE_DIR}/bench/micro/touch.c)
add_executable(bench-waits ${PROJECT_SOURCE_DIR}/bench/micro/waits.c)
add_executable(bench-streams ${PROJECT_SOURCE_DIR}/bench/micro/streams.c)
add_executable(bench-spread ${PROJECT_SOURCE_DIR}/bench/micro/spread.c)
foreach(name IN ITEMS overlap doorbell threads grid touch waits streams spread)
  target_include_directories(bench-${name} PRIVATE ${PROJECT_SOURCE_DIR}/runtime)
  target_compile_options(bench-${name} PRIVATE -Wall -Wextra)
  target_link_libraries(bench-${name} PRIVATE memlift_runtime_static)
endforeach()

# What tasks cost, beside the peers that are here. Nothing runs it with a sanitizer.
set(unless_sanitized "")
if(sanitized)
  set(unless_sanitized EXCLUDE_FROM_ALL)
endif()
add_executable(bench-tasks ${unless_sanitized} ${PROJECT_SOURCE_DIR}/bench/micro/tasks.cpp
               ${PROJECT_SOURCE_DIR}/bench/micro/metg.cpp)
target_compile_options(bench-tasks PRIVATE -Wall -Wextra)
target_link_libraries(bench-tasks PRIVATE memlift_runtime_static)
find_package(TBB CONFIG QUIET)
find_package(OpenMP COMPONENTS CXX)
if(TBB_FOUND)
  target_compile_definitions(bench-tasks PRIVATE MEMLIFT_PEER_TBB)
  target_link_libraries(bench-tasks PRIVATE TBB::tbb)
else()
  message(STATUS "memlift bench: no oneTBB (libtbb-dev), the comparison of tasks with it is left out")
endif()
if(OpenMP_CXX_FOUND)
  target_link_libraries(bench-tasks PRIVATE OpenMP::OpenMP_CXX)
endif()
