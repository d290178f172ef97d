// crctable.h - the constant data that a CRC's call points to
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_WRITE_CRCTABLE_H
#define MEMLIFT_GCC_WRITE_CRCTABLE_H

#include "../compat.h"

#include "../../idioms/algebra/crc.h"
#include "../../idioms/loop.h"

namespace memlift {

/// Registers the declarations with the garbage collector; call once, from plugin_init.
void keepCrcTables(const char *pluginName);
/// Returns a constant struct memlift_crc_poly, private to the object file.
tree crcTable(const CrcPoly &crc);
/// Returns a constant array of the table's entries, private to the object file.
tree entryTable(const Table &table);

} // namespace memlift

#endif
