// UnseenFacts.td - MLF2195: functions whose loops are not read at all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def NotRead : FactFailed<2195> {
  let Text = "the loop is not read: memlift does not look at functions of this kind";
  let Advice = "compile with -O1 or more, and not -Og, if that is the reason; else nothing";
  let Why = [{
    Without optimisation, a loop's counter and pointers are in memory, and the compiler runs no
    pass over loops. On GPUs and in BPF there are no routines to call. Where exceptions are
    handled in funclets, every new call would have to name its pad. Where offsets are narrower
    than pointers, as on CHERI, addresses cannot be computed as integers. Only loops that fill one
    object are read there, and they become a memset.
  }];
  let Bad = [{
    memlift-gcc -O0 --memlift-remarks=r.yaml -c x.c
    clang --target=nvptx64 -O2 -c kernel.c
  }];
  let Good = [{
    memlift-gcc -O2 --memlift-remarks=r.yaml -c x.c
  }];
}
