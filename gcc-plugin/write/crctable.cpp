// crctable.cpp - the constant data that a CRC's call points to
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// struct memlift_crc_poly of runtime/include/memlift/memlift.h is emitted as an
// array of 64-bit numbers: width and reflected share the first one, poly is the
// second, the tables follow.
#include "crctable.h"

namespace memlift {
namespace {

/// Tables remembered for the whole file; further ones are emitted anew.
constexpr unsigned maxTables = 16;
tree tables[maxTables];
CrcPoly polys[maxTables];
unsigned known = 0;

/// Arrays for loops in place, likewise.
tree arrays[maxTables];
std::vector<uint64_t> contents[maxTables];
unsigned knownArrays = 0;

tree constantArray(const std::vector<uint64_t> &numbers, unsigned bits, const char *name) {
  tree word = build_nonstandard_integer_type(bits, 1);
  vec<constructor_elt, va_gc> *elements = nullptr;
  vec_alloc(elements, numbers.size());
  for (size_t i = 0; i < numbers.size(); ++i)
    CONSTRUCTOR_APPEND_ELT(elements, size_int(i), build_int_cstu(word, numbers[i]));
  tree type = build_array_type_nelts(build_qualified_type(word, TYPE_QUAL_CONST), numbers.size());
  tree init = build_constructor(type, elements);
  TREE_CONSTANT(init) = TREE_STATIC(init) = TREE_READONLY(init) = 1;

  tree decl = build_decl(UNKNOWN_LOCATION, VAR_DECL, create_tmp_var_name(name), type);
  TREE_STATIC(decl) = TREE_CONSTANT(decl) = TREE_READONLY(decl) = TREE_ADDRESSABLE(decl) = 1;
  DECL_ARTIFICIAL(decl) = DECL_IGNORED_P(decl) = 1;
  DECL_INITIAL(decl) = init;
  varpool_node::finalize_decl(decl);
  return decl;
}

tree build(const CrcPoly &crc) {
  uint64_t width = crc.width, reflected = crc.reflected;
  uint64_t both = BYTES_BIG_ENDIAN ? width << 32 | reflected : reflected << 32 | width;
  std::vector<uint64_t> numbers = {both, crc.poly};
  std::vector<uint64_t> entries = crcTables(crc);
  numbers.insert(numbers.end(), entries.begin(), entries.end());
  return constantArray(numbers, 64, "memlift_crc");
}

} // namespace

void keepCrcTables(const char *pluginName) {
  static const ggc_root_tab roots[] = {
      {tables, maxTables, sizeof *tables, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
      {arrays, maxTables, sizeof *arrays, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
      LAST_GGC_ROOT_TAB};
  register_callback(pluginName, PLUGIN_REGISTER_GGC_ROOTS, nullptr,
                    const_cast<ggc_root_tab *>(roots));
}

tree entryTable(const Table &table) {
  for (unsigned i = 0; i < knownArrays; ++i)
    if (contents[i] == table.entries &&
        int_size_in_bytes(TREE_TYPE(TREE_TYPE(arrays[i]))) * 8 == int(table.entryBits))
      return arrays[i];
  tree decl = constantArray(table.entries, table.entryBits, "memlift_table");
  if (knownArrays < maxTables) {
    contents[knownArrays] = table.entries;
    arrays[knownArrays++] = decl;
  }
  return decl;
}

tree crcTable(const CrcPoly &crc) {
  for (unsigned i = 0; i < known; ++i)
    if (polys[i] == crc)
      return tables[i];
  tree decl = build(crc);
  if (known < maxTables) {
    polys[known] = crc;
    tables[known++] = decl;
  }
  return decl;
}

} // namespace memlift
