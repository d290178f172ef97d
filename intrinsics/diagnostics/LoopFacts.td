// LoopFacts.td - MLF200x and MLF201x: facts that every idiom needs of the loop and its function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def VolatileAccess : FactFailed<2001> {
  let Text = "the loop makes a volatile access";
  let Advice = "if the memory is ordinary memory, not a device, drop volatile";
  let Why = [{
    volatile promises that each access happens once, in order, with the width written. A call may
    use other widths, another order and touch bytes twice, so volatile loops are never changed.
  }];
  let Bad = [{
    void wipe(volatile uint8_t *p, size_t n) {
      for (size_t i = 0; i < n; i++)
        p[i] = 0;
    }
  }];
  let Good = [{
    void wipe(uint8_t *p, size_t n) {   /* explicit_bzero, if it must not be optimised away */
      for (size_t i = 0; i < n; i++)
        p[i] = 0;
    }
  }];
}

def AtomicAccess : FactFailed<2002> {
  let Text = "the loop makes an atomic access";
  let Advice = "use plain accesses, and order them with one fence or lock around the loop";
  let Why = [{
    Other threads may observe an atomic access. Each must be indivisible and keep its width, and
    its ordering holds for the accesses around it. A bulk routine guarantees none of that, even
    for relaxed order.
  }];
  let Bad = [{
    void reset(_Atomic uint32_t *p, size_t n) {
      for (size_t i = 0; i < n; i++)
        atomic_store_explicit(&p[i], 0, memory_order_relaxed);
    }
  }];
  let Good = [{
    void reset(uint32_t *p, size_t n) {    /* before the threads start */
      for (size_t i = 0; i < n; i++)
        p[i] = 0;
    }
  }];
}

def AddressSpace : FactFailed<2003> {
  let Text = "the memory is in an address space that no routine reaches";
  let Advice = "nothing, unless the pointer can be of the default address space";
  let Why = [{
    Pointers to thread control blocks (__seg_fs, __seg_gs), device windows or accelerator memory
    need their own instructions. The routines take ordinary pointers only.
  }];
  let Bad = [{
    void clear(__seg_gs uint32_t *p, size_t n) {
      for (size_t i = 0; i < n; i++)
        p[i] = 0;
    }
  }];
  let Good = [{
    void clear(uint32_t *p, size_t n) {
      for (size_t i = 0; i < n; i++)
        p[i] = 0;
    }
  }];
}

def ImplementsIdiom : FactFailed<2004> {
  let Text =
    "the function itself implements a memory routine or a part of one, or is named in keep=";
  let Advice =
    "shape=FUNCTION improves its loops without calls; if the name misleads, rename the function";
  let Why = [{
    A loop inside memcpy that became a call of memcpy would never return. The same holds for
    functions that memcpy calls, or whose address it takes. Functions with the names of memory
    and string routines of the C library, and of memlift's runtime, keep their loops. So do
    those listed in keep=FUNCTION[,FUNCTION...]. On request, memlift("shape") or shape=FUNCTION,
    their loops become loops that suit the core, and never a call.
  }];
  let Bad = [{
    void *memset(void *p, int c, size_t n) {
      for (size_t i = 0; i < n; i++)
        ((unsigned char *)p)[i] = (unsigned char)c;
      return p;
    }
  }];
  let Good = [{
    void fill_frame(unsigned char *p, unsigned char c, size_t n) {
      for (size_t i = 0; i < n; i++)
        p[i] = c;
    }
  }];
}

def Sanitizer : FactFailed<2005> {
  let Text = "the function is instrumented by a sanitizer";
  let Advice = "nothing: the loop is lowered in builds without the sanitizer";
  let Why = [{
    Address, hardware-address, memory and thread sanitizers check each access of the loop. A routine
    that the sanitizer cannot see into would hide exactly the errors that are being looked for.
  }];
  let Bad = [{
    memlift-clang -O2 -fsanitize=address -c x.c
  }];
  let Good = [{
    memlift-clang -O2 -c x.c
  }];
}

def NoBuiltin : FactFailed<2006> {
  let Text = "the function may not call library routines (freestanding, no_builtin)";
  let Advice = "if there is a library to link, say which: runtime=memlift or runtime=libc";
  let Why = [{
    Under -ffreestanding, -fno-builtin and __attribute__((no_builtin)) there may be nothing to
    call, so only inline forms are used. An explicit runtime= says what will be there at link
    time, and lifts this limit. The function attribute no_builtin is honoured even then.
  }];
  let Bad = [{
    memlift-gcc -O2 -ffreestanding -c kernel.c
  }];
  let Good = [{
    memlift-gcc -O2 -ffreestanding --memlift-runtime=memlift -c kernel.c
  }];
}

def SpecialFunction : FactFailed<2007> {
  let Text = "the function is naked, an interrupt handler, or saves its caller's registers";
  let Advice = "move the loop to an ordinary function that the handler calls";
  let Why = [{
    A naked function has no frame. An interrupt handler saves only the registers that it is
    known to use, and so does a function with no_caller_saved_registers or preserve_all. A new
    call could overwrite registers of the code that was interrupted, or of the caller.
  }];
  let Bad = [{
    __attribute__((interrupt)) void irq(void) {
      for (int i = 0; i < 256; i++)
        ring[i] = 0;
    }
  }];
  let Good = [{
    static void reset_ring(void) {
      for (int i = 0; i < 256; i++)
        ring[i] = 0;
    }
  }];
}

def SwitchedOff : FactFailed<2008> {
  let Text = "memlift is switched off for this function";
  let Advice = "remove __attribute__((memlift(\"off\"))) to have the loop lowered";
  let Why = [{
    The source asks for it. The attribute holds for the body of the function, also where that
    body is inlined, but not for the functions that it calls.
  }];
  let Bad = [{
    __attribute__((memlift("off"))) void clear(int *p, int n) {
      for (int i = 0; i < n; i++)
        p[i] = 0;
    }
  }];
  let Good = [{
    void clear(int *p, int n) {
      for (int i = 0; i < n; i++)
        p[i] = 0;
    }
  }];
}

def InTransaction : FactFailed<2009> {
  let Text = "the loop runs in a transaction";
  let Advice = "move the loop out of the transaction, or to a function with transaction_pure";
  let Why = [{
    Under -fgnu-tm the compiler instruments every access of a transaction after memlift has run,
    so that a cancelled transaction leaves no trace. The writes of a routine would not be
    instrumented.
  }];
  let Bad = [{
    __transaction_atomic {
      for (size_t i = 0; i < n; i++)
        d[i] = s[i];
    }
  }];
  let Good = [{
    __transaction_atomic { claimed = claim(d); }
    for (size_t i = 0; claimed && i < n; i++)
      d[i] = s[i];
  }];
}

def TripCountUnknown : FactFailed<2010> {
  let Text = "how often the loop runs is not known before it starts";
  let Advice = "count up to a bound that the loop does not change: hold it in a local variable";
  let Why = [{
    A bulk operation needs its length first. The count must follow from values that are fixed
    when the loop begins. Three things hide it: a bound in memory that the loop may overwrite, a
    sentinel such as a terminating zero, and a varying step.
  }];
  let Bad = [{
    void clear(struct buf *b) {
      for (int i = 0; i < b->n; i++)
        b->p[i] = 0;              /* may b->p[i] be b->n? */
    }
  }];
  let Good = [{
    void clear(struct buf *b) {
      int n = b->n;
      int *p = b->p;
      for (int i = 0; i < n; i++)
        p[i] = 0;
    }
  }];
}

def SeveralExits : FactFailed<2011> {
  let Text = "the loop can be left in more than one place";
  let Advice = "move the early exit before the loop, or search first and copy afterwards";
  let Why = [{
    With a break, a return or a goto out of the body, the number of iterations depends on the
    data that the loop reads. Everything before the exit must happen, and nothing after it.
    Exits where a counter reaches a bound (`i < n && i < *m`) are counted, wherever they lead
    to.
  }];
  let Bad = [{
    for (i = 0; i < n; i++) {
      if (s[i] == '\n')
        break;
      d[i] = s[i];
    }
  }];
  let Good = [{
    const char *e = memchr(s, '\n', n);
    size_t m = e ? (size_t)(e - s) : n;
    for (i = 0; i < m; i++)
      d[i] = s[i];
  }];
}

def SideEffects : FactFailed<2012> {
  let Text = "the loop does something besides its loads and stores: a call, assembler, a fence";
  let Advice = "split it: one loop that fills or copies, one that does the rest";
  let Why = [{
    A call or assembler statement may read or write the same memory, or may not return. The stores
    could then be seen in the middle of the loop, so they cannot be done at once.
  }];
  let Bad = [{
    for (i = 0; i < n; i++) {
      p[i] = 0;
      progress(i);
    }
  }];
  let Good = [{
    for (i = 0; i < n; i++)
      p[i] = 0;
    progress(n);
  }];
}

def AddressNotAffine : FactFailed<2013> {
  let Text = "an address does not move by the same number of bytes in every iteration";
  let Advice = "index with the loop counter itself, without tables, masks or remainders";
  let Why = [{
    The loop's bytes are known as a whole only if each address is a start plus a constant times
    the number of the iteration. An index out of a table, i * i, i % n and i & mask are not of
    this form. Nor is a pointer read from memory (a linked list).
  }];
  let Bad = [{
    for (i = 0; i < n; i++)
      ring[(head + i) & 255] = 0;
  }];
  let Good = [{
    size_t first = 256 - head < n ? 256 - head : n;
    for (i = 0; i < first; i++)
      ring[head + i] = 0;
    for (i = first; i < n; i++)
      ring[i - first] = 0;
  }];
}

def IndexMayWrap : FactFailed<2014> {
  let Text = "the index may wrap around before the loop ends";
  let Advice = "make the counter as wide as a pointer (size_t), or signed";
  let Why = [{
    An unsigned counter that is narrower than a pointer starts again at zero when it overflows, and
    the addresses then jump back. Signed overflow is undefined, so a signed counter is free of it;
    size_t cannot wrap within one object.
  }];
  let Bad = [{
    for (uint32_t i = 0; i != n; i++)
      p[base + i] = 0;            /* base + i wraps at 2^32 */
  }];
  let Good = [{
    for (size_t i = 0; i != n; i++)
      p[base + i] = 0;
  }];
}

def ConditionalAccess : FactFailed<2015> {
  let Text = "an access happens in some iterations only";
  let Advice = "move the condition out of the loop, or split the loop where it changes";
  let Why = [{
    A bulk operation writes every byte of its range. Where the loop skips an element, the old
    value has to stay. If the condition is the same in all iterations, move it before the loop.
    If it changes at a known iteration, split the loop there.
  }];
  let Bad = [{
    for (i = 0; i < n; i++)
      if (enabled[i])
        p[i] = 0;
  }];
  let Good = [{
    if (enabled_all)
      for (i = 0; i < n; i++)
        p[i] = 0;
  }];
}

def LiveOut : FactFailed<2016> {
  let Text = "a value computed in the loop is used after it and cannot be computed without it";
  let Advice = "compute that value in a loop of its own, or from the length";
  let Why = [{
    Final counters and pointers are computed from the number of iterations. A sum, a maximum or
    the last element loaded cannot be: the loop would have to stay for it.
  }];
  let Bad = [{
    for (i = 0; i < n; i++) {
      d[i] = s[i];
      max = s[i] > max ? s[i] : max;
    }
    return max;
  }];
  let Good = [{
    for (i = 0; i < n; i++)
      d[i] = s[i];
    for (i = 0; i < n; i++)
      max = s[i] > max ? s[i] : max;
    return max;
  }];
}

def NotInnermostForm : FactFailed<2017> {
  let Text = "the loop's control flow does not fit memlift's loop model";
  let Advice = "write it as a counted for loop: one entry, one condition, no goto into the body";
  let Why = [{
    memlift reads loops with one entry, one back edge and one exit test. The body is
    straight-line code, or branches that join again. Jumps into the body, computed gotos and
    exception edges do not fit this loop model. Neither do inner loops that are not rows of one
    nest.
  }];
  let Bad = [{
    again:
      *p++ = 0;
      if (p == mid) goto skip;
      if (p != end) goto again;
  }];
  let Good = [{
    for (; p != end; p++)
      *p = 0;
  }];
}

def OverflowTraps : FactFailed<2018> {
  let Text = "the loop computes with integers whose overflow traps (-ftrapv)";
  let Advice = "sum in an unsigned type: its overflow is defined, and traps nowhere";
  let Why = [{
    Under -ftrapv each addition, subtraction and multiplication of signed integers stops the program
    when it overflows. A routine adds modulo a power of two and would go on with the wrong sum.
  }];
  let Bad = [{
    int total(const int *p, size_t n) {
      int s = 0;
      for (size_t i = 0; i < n; i++)
        s += p[i];
      return s;
    }
  }];
  let Good = [{
    unsigned total(const int *p, size_t n) {
      unsigned s = 0;
      for (size_t i = 0; i < n; i++)
        s += (unsigned)p[i];
      return s;
    }
  }];
}

def FaultThrows : FactFailed<2019> {
  let Text = "an access that faults throws an exception (-fnon-call-exceptions)";
  let Advice = "compile the loop's function without -fnon-call-exceptions";
  let Why = [{
    A handler for SIGSEGV may throw from the access that faulted, and the loop's caller catches
    that. The routines are compiled without the unwind tables for it. The compiler also assumes
    that their calls never throw.
  }];
  let Bad = [{
    g++ -fnon-call-exceptions: for (size_t i = 0; i < n; i++) d[i] = s[i];
  }];
  let Good = [{
    g++ -O2: for (size_t i = 0; i < n; i++) d[i] = s[i];
  }];
}
