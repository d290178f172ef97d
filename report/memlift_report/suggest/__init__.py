# __init__.py - changes of the source that a compiler was seen to reward, as patches.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
