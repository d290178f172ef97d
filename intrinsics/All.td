// All.td - everything that exists, as data: the file that the generator reads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

include "BulkOps.td"
include "Cores.td"
include "Engines.td"
include "Formats.td"
include "Diagnostics.td"
include "Builtins.td"
include "Functions.td"
include "UserAccess.td"
