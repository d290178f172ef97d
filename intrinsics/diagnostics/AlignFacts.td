// AlignFacts.td - MLF2180 to MLF2189: what is proved of the alignment of a pointer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def AlignedProved : Note<2180> {
  let Text = "memlift_aligned is 1: {why}";
  let Advice = "nothing to do";
  let Why = [{
    The pointer is aligned so wherever this place is reached. What the proof used is named: a
    declaration, a test or an assumption on the way, the steps of a loop, all callers of a function,
    all that a variable is ever set to. "Computed so" needs none of them: a mask, a rounded address.
  }];
  let Good = [{
    if ((uintptr_t)p & 7)
      return;
    if (memlift_aligned(p, 8)) ...               /* is 1: test at x.c:1 */
  }];
}

def AlignedUnproved : Note<2181> {
  let Text = "memlift_aligned is 0: {why}";
  let Advice = "test the pointer, state it with __builtin_assume_aligned, or mend the caller named";
  let Why = [{
    No proof was found, or a proof that it is not so. What stands in the way is named: an argument
    that anybody may pass, the caller that passes a worse pointer than the others, a pointer that is
    loaded from memory that is not all in sight, the steps of a loop. Nothing is derived from an
    access, which may not be executed.
  }];
  let Bad = [{
    static void callee(char *p) { if (memlift_aligned(p, 8)) ... }
    callee(buffer);
    callee(buffer + 2);                          /* caller at x.c:3 passes buffer + 2 */
  }];
  let Good = [{
    callee(buffer);
    callee(buffer + 8);
  }];
}
