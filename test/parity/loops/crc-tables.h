// crc-tables.h - tables of CRCs, made of the entries of single bits
//
// Entry i of such a table is the exclusive-or of entries 1, 2, 4 ... of the bits of
// i. Each list below has these eight entries: the register after that byte and, as
// the number behind the name says, so many zero bytes.
#define ENTRY_(i, a, b, c, d, e, f, g, h)                                      \
  (((i)&1 ? a : 0) ^ ((i)&2 ? b : 0) ^ ((i)&4 ? c : 0) ^ ((i)&8 ? d : 0) ^     \
   ((i)&16 ? e : 0) ^ ((i)&32 ? f : 0) ^ ((i)&64 ? g : 0) ^ ((i)&128 ? h : 0))
#define ENTRY(i, ...) ENTRY_(i, __VA_ARGS__)
#define ENTRIES4(i, ...)                                                       \
  ENTRY(i, __VA_ARGS__), ENTRY(i + 1, __VA_ARGS__), ENTRY(i + 2, __VA_ARGS__), \
      ENTRY(i + 3, __VA_ARGS__)
#define ENTRIES16(i, ...)                                                      \
  ENTRIES4(i, __VA_ARGS__), ENTRIES4(i + 4, __VA_ARGS__),                      \
      ENTRIES4(i + 8, __VA_ARGS__), ENTRIES4(i + 12, __VA_ARGS__)
#define ENTRIES64(i, ...)                                                      \
  ENTRIES16(i, __VA_ARGS__), ENTRIES16(i + 16, __VA_ARGS__),                   \
      ENTRIES16(i + 32, __VA_ARGS__), ENTRIES16(i + 48, __VA_ARGS__)
#define TABLE(...)                                                             \
  ENTRIES64(0, __VA_ARGS__), ENTRIES64(64, __VA_ARGS__),                       \
      ENTRIES64(128, __VA_ARGS__), ENTRIES64(192, __VA_ARGS__)
// Every sixteenth entry: of the upper four bits of a byte alone.
#define ENTRIES4H(i, ...)                                                      \
  ENTRY(i, __VA_ARGS__), ENTRY(i + 16, __VA_ARGS__),                           \
      ENTRY(i + 32, __VA_ARGS__), ENTRY(i + 48, __VA_ARGS__)
#define UPPER16(...)                                                           \
  ENTRIES4H(0, __VA_ARGS__), ENTRIES4H(64, __VA_ARGS__),                       \
      ENTRIES4H(128, __VA_ARGS__), ENTRIES4H(192, __VA_ARGS__)
#define LOWER16(...) ENTRIES16(0, __VA_ARGS__)

#define CRC32_0 0x77073096, 0xee0e612c, 0x076dc419, 0x0edb8832, 0x1db71064, \
  0x3b6e20c8, 0x76dc4190, 0xedb88320
#define CRC32_1 0x191b3141, 0x32366282, 0x646cc504, 0xc8d98a08, 0x4ac21251, \
  0x958424a2, 0xf0794f05, 0x3b83984b
#define CRC32_2 0x01c26a37, 0x0384d46e, 0x0709a8dc, 0x0e1351b8, 0x1c26a370, \
  0x384d46e0, 0x709a8dc0, 0xe1351b80
#define CRC32_3 0xb8bc6765, 0xaa09c88b, 0x8f629757, 0xc5b428ef, 0x5019579f, \
  0xa032af3e, 0x9b14583d, 0xed59b63b
#define CRC32_4 0x3d6029b0, 0x7ac05360, 0xf580a6c0, 0x30704bc1, 0x60e09782, \
  0xc1c12f04, 0x58f35849, 0xb1e6b092
#define CRC32_5 0xcb5cd3a5, 0x4dc8a10b, 0x9b914216, 0xec53826d, 0x03d6029b, \
  0x07ac0536, 0x0f580a6c, 0x1eb014d8
#define CRC32_6 0xa6770bb4, 0x979f1129, 0xf44f2413, 0x33ef4e67, 0x67de9cce, \
  0xcfbd399c, 0x440b7579, 0x8816eaf2
#define CRC32_7 0xccaa009e, 0x4225077d, 0x844a0efa, 0xd3e51bb5, 0x7cbb312b, \
  0xf9766256, 0x299dc2ed, 0x533b85da
#define CRC32_8 0x177b1443, 0x2ef62886, 0x5dec510c, 0xbbd8a218, 0xacc04271, \
  0x82f182a3, 0xde920307, 0x6655004f
#define CRC32_9 0xefc26b3e, 0x04f5d03d, 0x09eba07a, 0x13d740f4, 0x27ae81e8, \
  0x4f5d03d0, 0x9eba07a0, 0xe6050901
#define CRC32_10 0xc18edfc0, 0x586cb9c1, 0xb0d97382, 0xbac3e145, 0xaef6c4cb, \
  0x869c8fd7, 0xd64819ef, 0x77e1359f
#define CRC32_11 0x9ba54c6f, 0xec3b9e9f, 0x03063b7f, 0x060c76fe, 0x0c18edfc, \
  0x1831dbf8, 0x3063b7f0, 0x60c76fe0
#define CRC32_12 0xdd96d985, 0x605cb54b, 0xc0b96a96, 0x5a03d36d, 0xb407a6da, \
  0xb37e4bf5, 0xbd8d91ab, 0xa06a2517
#define CRC32_13 0x9d0fe176, 0xe16ec4ad, 0x19ac8f1b, 0x33591e36, 0x66b23c6c, \
  0xcd6478d8, 0x41b9f7f1, 0x8373efe2
#define CRC32_14 0xb9fbdbe8, 0xa886b191, 0x8a7c6563, 0xcf89cc87, 0x44629f4f, \
  0x88c53e9e, 0xcafb7b7d, 0x4e87f0bb
#define CRC32_15 0xae689191, 0x87a02563, 0xd4314c87, 0x73139f4f, 0xe6273e9e, \
  0x173f7b7d, 0x2e7ef6fa, 0x5cfdedf4
#define BZIP_0 0x04c11db7, 0x09823b6e, 0x130476dc, 0x2608edb8, 0x4c11db70, \
  0x9823b6e0, 0x34867077, 0x690ce0ee
#define BZIP_1 0xd219c1dc, 0xa0f29e0f, 0x452421a9, 0x8a484352, 0x10519b13, \
  0x20a33626, 0x41466c4c, 0x828cd898
#define BZIP_2 0x01d8ac87, 0x03b1590e, 0x0762b21c, 0x0ec56438, 0x1d8ac870, \
  0x3b1590e0, 0x762b21c0, 0xec564380
#define BZIP_3 0xdc6d9ab7, 0xbc1a28d9, 0x7cf54c05, 0xf9ea980a, 0xf7142da3, \
  0xeae946f1, 0xd1139055, 0xa6e63d1d
#define CASTAGNOLI 0xf26b8303, 0xe13b70f7, 0xc79a971f, 0x8ad958cf, \
  0x105ec76f, 0x20bd8ede, 0x417b1dbc, 0x82f63b78
#define XMODEM 0x1021, 0x2042, 0x4084, 0x8108, 0x1231, 0x2462, 0x48c4, 0x9188
#define ARC 0xc0c1, 0xc181, 0xc301, 0xc601, 0xcc01, 0xd801, 0xf001, 0xa001
#define SMBUS 0x07, 0x0e, 0x1c, 0x38, 0x70, 0xe0, 0xc7, 0x89
#define MMC 0x09, 0x12, 0x24, 0x48, 0x19, 0x32, 0x64, 0x41
#define ECMA 0xb32e4cbe03a75f6f, 0xf4843657a840a05b, 0x7bd0c384ff8f5e33, \
  0xf7a18709ff1ebc66, 0x7d9ba13851336649, 0xfb374270a266cc92, \
  0x64b62bcaebc387a1, 0xc96c5795d7870f42
#define WE 0x42f0e1eba9ea3693, 0x85e1c3d753d46d26, 0x493366450e42ecdf, \
  0x9266cc8a1c85d9be, 0x663d78ff90e185ef, 0xcc7af1ff21c30bde, \
  0xda050215ea6c212f, 0xf6fae5c07d3274cd
#define OPENPGP 0x864cfb, 0x8ad50d, 0x93e6e1, 0xa18139, 0xc54e89, 0x0cd1e9, \
  0x19a3d2, 0x3347a4
#define TURNED 0x96300777, 0x2c610eee, 0x19c46d07, 0x3288db0e, 0x6410b71d, \
  0xc8206e3b, 0x9041dc76, 0x2083b8ed
#define ARC_LOW 0xc1, 0x81, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01
#define ARC_HIGH 0xc0, 0xc1, 0xc3, 0xc6, 0xcc, 0xd8, 0xf0, 0xa0
#define ATM10 0x233, 0x255, 0x299, 0x301, 0x031, 0x062, 0x0c4, 0x188
