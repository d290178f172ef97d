// AlignFacts.td - MLF2180 to MLF2189: proved and unproved alignment of a pointer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def AlignedProved : Note<2180> {
  let Text = "memlift_aligned is 1: {why}";
  let Advice = "nothing to do";
  let Why = [{
    The pointer is aligned whenever control reaches this place. The remark names what the proof
    used. It may be a declaration, a test or an assumption before this place, or a loop's steps.
    It may also be all callers of a function, or all values that a variable is set to. "Computed
    so" needs none of them: the address is masked or rounded.
  }];
  let Good = [{
    if ((uintptr_t)p & 7)
      return;
    if (memlift_aligned(p, 8)) ...               /* is 1: test at x.c:1 */
  }];
}

def AlignedUnproved : Note<2181> {
  let Text = "memlift_aligned is 0: {why}";
  let Advice =
    "test the pointer, state it with __builtin_assume_aligned, or fix the caller that is named";
  let Why = [{
    No proof was found, or a proof of the opposite. The remark names the obstacle. It may be an
    argument of a function with unknown callers, or the caller that passes a worse pointer than
    the others. It may be a pointer loaded from memory whose stores are not all visible, or the
    steps of a loop. Nothing is derived from an access, which may not be executed.
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
