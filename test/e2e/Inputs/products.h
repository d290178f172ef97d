// products.h - CRCs of one polynomial each, for tests of what the target does them by
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef __SIZE_TYPE__ size_t;

#define UP(name, poly)                                                                         \
  u16 name(u16 c, const u8 *p, size_t n) {                                                     \
    for (size_t i = 0; i < n; i++) {                                                           \
      c ^= (u16)(p[i] << 8);                                                                   \
      for (int k = 0; k < 8; k++)                                                              \
        c = (u16)(c & 0x8000 ? c << 1 ^ (poly) : c << 1);                                      \
    }                                                                                          \
    return c;                                                                                  \
  }
#define DOWN(name, poly)                                                                       \
  u32 name(u32 c, const u8 *p, size_t n) {                                                     \
    for (size_t i = 0; i < n; i++) {                                                           \
      c ^= p[i];                                                                               \
      for (int k = 0; k < 8; k++)                                                              \
        c = c & 1 ? c >> 1 ^ (poly) : c >> 1;                                                  \
    }                                                                                          \
    return c;                                                                                  \
  }
