// CallFacts.td - MLF2190..: calls of memset, memcpy, memmove, and assignments, that stay calls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def SizeNotConstant : FactAbsent<2190> {
  let Text = "the size is not known when the program is compiled";
  let Advice = "nothing, or pass the size as a constant where it is one";
  let Why = [{
    Only a call of constant size becomes words. Inlining often makes a size constant: a static
    inline wrapper costs nothing. A function of another file that passes its size on hides it.
  }];
  let Bad = [{
    void clear(struct header *h, size_t n) { memset(h, 0, n); }
  }];
  let Good = [{
    void clear(struct header *h) { memset(h, 0, sizeof *h); }
  }];
}

def AlignmentUnproved : FactAbsent<2191> {
  let Text = "the addresses are not proved to be multiples of 4";
  let Advice = "use the pointer's own type, or __builtin_assume_aligned; see the fact's evidence";
  let Why = [{
    If unaligned words trap, only bytes may be used for an address of unknown alignment. A call
    is better then, as the routine tests the address at run time. memlift proves alignment from
    declarations, allocators, attributes, arithmetic, earlier tests and all callers of a static
    function.
  }];
  let Bad = [{
    void clear(void *p) { memset(p, 0, 64); }
  }];
  let Good = [{
    void clear(void *p) { memset(__builtin_assume_aligned(p, 8), 0, 64); }
  }];
}
