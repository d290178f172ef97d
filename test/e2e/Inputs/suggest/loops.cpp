// loops.cpp - the same in C++: methods, templates, namespaces, raw strings beside them
#include <cstddef>
#include <cstdint>

const char *const text = R"(for (;;) { " )";
namespace box {
struct Buffer {
  std::size_t used;
  uint8_t *data;
  void hoist_clear() {
    for (std::size_t i = 0; i < this->used; i++)
      this->data[i] = 0;
  }
};
void restrict_moved(uint32_t *to, const uint32_t *from, long count) {
  for (long i = count - 1; i >= 0; i--)
    to[i] = from[i];
}
template <class Value> void bound_filled(Value *to, std::size_t n, Value v) {
  unsigned i = 0;
  while (i < n) {
    to[i] = v;
    i++;
  }
}
template void bound_filled(short *to, std::size_t n, short v);
} // namespace box
void clear(box::Buffer &b) { b.hoist_clear(); }
