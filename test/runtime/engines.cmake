# engines.cmake - long tests of engines and of the network interface, label "engine"
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

add_test(NAME engine.tasks-faults COMMAND runtime-tasks-faults)
set_tests_properties(engine.tasks-faults PROPERTIES LABELS "engine;long" TIMEOUT 600
                     ENVIRONMENT MEMLIFT_TEST_LONG=1)
if(NOT CMAKE_C_FLAGS MATCHES "-fsanitize")
  add_test(NAME engine.doorbell COMMAND bench-doorbell --bar 150)
  set_tests_properties(engine.doorbell PROPERTIES LABELS "engine;long" TIMEOUT 300 RUN_SERIAL ON)
endif()

# Of the network interface: a million messages through faults, and 10,000 kills.
foreach(name IN ITEMS ni ni-shm)
  if(TARGET runtime-${name} AND NOT watches_threads)
    add_test(NAME engine.${name} COMMAND runtime-${name} --gtest_brief=1
             --gtest_filter=*Random*:*Killed*:*EightProcesses*)
    set_tests_properties(engine.${name} PROPERTIES LABELS "engine;long" TIMEOUT 3600
                         ENVIRONMENT MEMLIFT_TEST_LONG=1)
  endif()
endforeach()

# What takes longer of the engines: every way to fail taken out, a million operations under faults.
if(Python3_FOUND AND NOT CMAKE_C_FLAGS MATCHES "-fsanitize")
  add_test(NAME engine.mutations COMMAND ${Python3_EXECUTABLE}
           ${CMAKE_CURRENT_SOURCE_DIR}/mutate_engines.py --build ${PROJECT_BINARY_DIR}
           --cc ${CMAKE_C_COMPILER} --cxx ${CMAKE_CXX_COMPILER})
  set_tests_properties(engine.mutations PROPERTIES LABELS "engine;long" TIMEOUT 3600)
  add_test(NAME runtime.records
           COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/mutate_engines.py --fit)
  set_tests_properties(runtime.records PROPERTIES LABELS runtime)
endif()
if(Python3_FOUND)
  if(NOT CMAKE_C_FLAGS MATCHES "-fsanitize")
    add_test(NAME engine.recipe COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/recipe.py
             --template $<TARGET_FILE:runtime-template> --cc ${CMAKE_C_COMPILER}
             --cxx ${CMAKE_CXX_COMPILER})
    set_tests_properties(engine.recipe PROPERTIES LABELS "engine;long" SKIP_RETURN_CODE 77 TIMEOUT 600)
  endif()
  foreach(part IN ITEMS ring firmware harts costs)
    add_test(NAME engine.${part} COMMAND ${Python3_EXECUTABLE}
             ${PROJECT_SOURCE_DIR}/test/engine/engine.py --build ${PROJECT_BINARY_DIR} ${part})
    set_tests_properties(engine.${part} PROPERTIES LABELS "engine;long" SKIP_RETURN_CODE 77
                         TIMEOUT 1800)
  endforeach()
endif()
if(Python3_FOUND)
  add_test(NAME engine.stream-blocks COMMAND ${Python3_EXECUTABLE}
           ${PROJECT_SOURCE_DIR}/test/tasks/stream.py)
  set_tests_properties(engine.stream-blocks PROPERTIES LABELS "engine;long" SKIP_RETURN_CODE 77
                       TIMEOUT 900)
endif()
set(random async async-models dax dsa stream threads)
if(NOT watches_threads)
  list(APPEND random template)
endif()
foreach(name IN LISTS random)
  add_test(NAME engine.random-${name}
           COMMAND runtime-${name} --gtest_brief=1 --gtest_filter=*Random*)
  set_tests_properties(engine.random-${name} PROPERTIES LABELS "engine;long" TIMEOUT 3600
                       ENVIRONMENT MEMLIFT_TEST_LONG=1)
endforeach()
