# MemliftUnity.cmake - compiles the recogniser and each plugin as a few units, not one for each file.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The headers of LLVM and of GCC take some seconds to read, the code of one of our files a fraction
# of one: read together, the plugin for LLVM takes 11 s of processor time instead of 97. The headers
# of C++ cost the recogniser as much as its own code. Names that are local to a file have therefore to
# differ within a plugin; -DMEMLIFT_UNITY=OFF compiles file by file, which is what a tool that reads
# compile_commands.json may want.

option(MEMLIFT_UNITY "Compile the recogniser and each plugin as a few large units: much quicker to build" ON)

function(memlift_unity target)
  if(MEMLIFT_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 24)
  endif()
endfunction()
