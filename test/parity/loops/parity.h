// parity.h - the expectation that stands in front of each loop
//
// PARITY(function, "idiom decision [code ...]") is what every compiler must say of the one candidate
// in the function, clang-18 to clang-23 and gcc-12 to gcc-16; of several candidates
// the verdicts stand in the order of lines, " + " between them; "untouched" has none. PARITY_BUT adds what
// one compiler says instead, and why that is right; later versions of GCC say it, too. PARITY_ALREADY
// does so for what the compiler does by itself: without memlift its assembly of the function has
// each of the words in `names`. PARITY_FLAGS("..."): options for the file.
#include <stddef.h>
#include <stdint.h>

#define PARITY(function, verdict)
#define PARITY_FLAGS(options)
#define PARITY_BUT(function, compiler, verdict, why)
#define PARITY_ALREADY(function, compiler, verdict, names, why)

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
