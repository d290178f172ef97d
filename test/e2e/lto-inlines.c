// lto-inlines.c - records and cores of their own do not keep a link of LTO from inlining across files
//
// Only options that give a loop another meaning do: without inlining the program would be slower.
// RUN: rm -rf %t && mkdir -p %t && cd %t && for cc in %wrappers; do \
// RUN:   case $cc in *clang*) modes="-flto=full -flto=thin"; lld=-fuse-ld=lld ;; *) modes=-flto; lld= ;; esac; \
// RUN:   for mode in $modes; do \
// RUN:     $cc -O2 $mode --memlift-core=rocket --memlift-remarks=a.yaml -DCALLED -c %s -o a.o && \
// RUN:     $cc -O2 $mode --memlift-remarks=b.yaml -c %s -o b.o && \
// RUN:     $cc -O2 $mode $lld a.o b.o -o run && ./run && objdump -d --disassemble=main run >code && \
// RUN:     grep -q "<main>:" code && not grep "call.*<called>" code \
// RUN:       || { echo "not inlined: $cc $mode"; exit 1; }; \
// RUN:     $cc -O2 $mode --memlift-runtime=none -DCALLED -c %s -o a.o && \
// RUN:     $cc -O2 $mode $lld a.o b.o -o run && ./run && objdump -d --disassemble=main run >code && \
// RUN:     grep -q "\(call\|jmp\).*<called>" code || { echo "inlined: $cc $mode"; exit 1; }; \
// RUN:   done; done
// REQUIRES: runtime

int called(int x);

#ifdef CALLED
int called(int x) { return x * 3 + 1; }
#else
int main(int argc, char **argv) {
  (void)argv;
  return called(argc) - 4;
}
#endif
