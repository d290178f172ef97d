// crctable.h - the constant data that a CRC's call points to
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_WRITE_CRCTABLE_H
#define MEMLIFT_GCC_WRITE_CRCTABLE_H

#include "../compat.h"

#include "../../idioms/algebra/crc.h"
#include "../../idioms/loop.h"

namespace memlift {

/// Call once, from plugin_init.
void keepCrcTables(const char *pluginName);
/// A constant struct memlift_crc_poly, private to the object file.
tree crcTable(const CrcPoly &crc);
/// A constant array of the table's entries, likewise.
tree entryTable(const Table &table);

} // namespace memlift

#endif
