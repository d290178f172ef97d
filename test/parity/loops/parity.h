// parity.h - the expectation that stands in front of each loop
//
// PARITY(function, "idiom decision [code ...]") is what clang-19, clang-22 and
// gcc-12 must all say of the one candidate in the function; of several candidates
// the verdicts stand in the order of lines, " + " between them; "untouched" has none. PARITY_BUT adds what
// one compiler says instead, and why that is right. PARITY_FLAGS("..."): options for the file.
#include <stddef.h>
#include <stdint.h>

#define PARITY(function, verdict)
#define PARITY_FLAGS(options)
#define PARITY_BUT(function, compiler, verdict, why)

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
