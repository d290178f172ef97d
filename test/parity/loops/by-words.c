// by-words.c - elements by words, where the compiler makes no vectors, and near misses
//
// The functions are those that test/e2e/by-words.test runs.
#include "parity.h"

PARITY_FLAGS("-O1")

#define F(name) name
#include "../../e2e/Inputs/by-words.c"

PARITY(mask, "none guarded")
PARITY(three, "none guarded")
PARITY(clear, "none guarded")
PARITY(inverted, "none guarded")
PARITY(key, "none guarded")
PARITY(added, "none guarded")
PARITY(counted, "none guarded")
PARITY(walked, "none guarded")
PARITY(halves, "none guarded")
PARITY(words, "none guarded")

// --- near misses ---

PARITY(table, "none kept MLF2013 MLF2024")
PARITY(product, "none kept MLF2024")
PARITY(delta, "none kept MLF2024")
PARITY(rolling, "none kept MLF2024")
