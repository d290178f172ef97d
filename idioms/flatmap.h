// flatmap.h - a sorted vector with the interface of std::map, for a handful of entries
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The forms of the algebra have a few terms and are copied all the time: one array is
// copied where a tree would be rebuilt node by node. The order is that of std::map,
// so results that depend on it are the same. Inserting and erasing invalidate
// references.
#ifndef MEMLIFT_IDIOMS_FLATMAP_H
#define MEMLIFT_IDIOMS_FLATMAP_H

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <vector>

namespace memlift {

template <class Key, class Value> class FlatMap {
  using Entries = std::vector<std::pair<Key, Value>>;

public:
  using iterator = typename Entries::iterator;
  using const_iterator = typename Entries::const_iterator;

  FlatMap() = default;
  FlatMap(std::initializer_list<std::pair<Key, Value>> list) {
    for (const auto &e : list)
      (*this)[e.first] = e.second;
  }

  iterator begin() { return entries.begin(); }
  iterator end() { return entries.end(); }
  const_iterator begin() const { return entries.begin(); }
  const_iterator end() const { return entries.end(); }
  bool empty() const { return entries.empty(); }
  size_t size() const { return entries.size(); }
  void clear() { entries.clear(); }

  iterator find(const Key &key) {
    iterator at = place(key);
    return at != end() && !(key < at->first) ? at : end();
  }
  const_iterator find(const Key &key) const { return const_cast<FlatMap *>(this)->find(key); }
  size_t count(const Key &key) const { return find(key) != end(); }
  const Value &at(const Key &key) const { return find(key)->second; }
  Value &operator[](const Key &key) {
    iterator at = place(key);
    if (at == end() || key < at->first)
      at = entries.insert(at, {key, Value()});
    return at->second;
  }
  void erase(const Key &key) {
    iterator at = find(key);
    if (at != end())
      entries.erase(at);
  }
  iterator erase(iterator at) { return entries.erase(at); }

  friend bool operator==(const FlatMap &x, const FlatMap &y) { return x.entries == y.entries; }
  friend bool operator!=(const FlatMap &x, const FlatMap &y) { return !(x == y); }

private:
  Entries entries;

  iterator place(const Key &key) {
    return std::lower_bound(
        entries.begin(), entries.end(), key,
        [](const std::pair<Key, Value> &e, const Key &k) { return e.first < k; });
  }
};

} // namespace memlift

#endif
