// UnseenFacts.td - MLF2195: functions whose loops are not read at all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def NotRead : FactFailed<2195> {
  let Text = "the loop is not read: the function or its target is of an unusual kind";
  let Advice = "nothing: memlift leaves such functions to the compiler";
  let Why = [{
    On GPUs and in BPF there are no routines to call; where exceptions are handled in funclets every
    new call would have to name its pad; and where offsets are narrower than pointers, as on CHERI, an
    address is no integer that could be computed with.
  }];
  let Bad = [{
    clang --target=nvptx64 -O2 -c kernel.c
  }];
}
