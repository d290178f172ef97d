// UserFacts.td - MLF320x: what a loop over memory that may fault lacks, by name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def UserLoop : Reason<3200> {
  let Text = "accesses of this loop cannot get entries in __ex_table";
  let Advice = "write it as a copy or a fill of single bytes between restrict pointers";
  let Why = [{
    In a function that is memlift("user") a fault has to leave exactly the bytes done that the
    source's loop would have done. That is known for copies and fills of single bytes, upwards,
    whose regions do not overlap, without a test at run time. The fact of this code says which of
    these is missing. The compiler stops with MLF0012.
  }];
  let Bad = [{
    __attribute__((memlift("user")))
    size_t copy_in(char *d, const char *s, size_t n) {      /* may overlap */
      for (size_t i = 0; i < n; i++)
        d[i] = s[i];
      return 0;
    }
  }];
  let Good = [{
    __attribute__((memlift("user")))
    size_t copy_in(char *restrict d, const char *restrict s, size_t n) {
      for (size_t i = 0; i < n; i++)
        d[i] = s[i];
      return 0;
    }
  }];
}
