// Tools.td - MLF0xxx: messages of the wrappers, the plugins and the tools themselves.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def UnknownOption : ToolError<1> {
  let Text = "unknown option '{option}'";
  let Advice = "run with --memlift-help for the list; options are spelled --memlift-NAME[=VALUE]";
  let Why = [{
    memlift has no option of this name. It never ignores an unknown option: a misspelt one would
    silently change what is compiled. The wrappers take --memlift-NAME=VALUE. clang by hand
    takes -mllvm -memlift-NAME=VALUE. gcc by hand takes -fplugin-arg-PLUGIN-NAME=VALUE, where
    PLUGIN is the plugin's file name without .so.
  }];
  let Bad = [{
    memlift-clang -O2 --memlift-run-time=none -c x.c
  }];
  let Good = [{
    memlift-clang -O2 --memlift-runtime=none -c x.c
  }];
}

def BadValue : ToolError<2> {
  let Text = "bad value '{value}' for option '{option}': expected {expected}";
  let Advice = "give one of the values listed; a flag such as print-loops takes no value";
  let Why = [{
    The option exists, the value does not. An option with a fixed list of values takes exactly one
    of them, in lower case. An option that names a file or functions needs a value that is not
    empty. A flag takes none.
  }];
  let Bad = [{
    memlift-gcc -O2 --memlift-runtime=glibc -c x.c
  }];
  let Good = [{
    memlift-gcc -O2 --memlift-runtime=libc -c x.c
  }];
}

def UnknownCore : ToolError<3> {
  let Text = "unknown core '{core}'";
  let Advice = "name one of: {cores}; or leave core= away: 'generic' is used";
  let Why = [{
    core=NAME selects the pipeline that sizes and schedules are chosen for. It never changes which
    instructions may be used: that is the compiler's -march/-mcpu. Cores are records in
    intrinsics/Cores.td; a new one needs no code.
  }];
  let Bad = [{
    memlift-clang -O2 --memlift-core=sifive-u7 -c x.c
  }];
  let Good = [{
    memlift-clang -O2 --memlift-core=sifive-u74 -c x.c
  }];
}

def RemarksUnwritable : ToolError<4> {
  let Text = "cannot write remarks to '{file}': {reason}";
  let Advice = "name a file in a folder that exists and that you may write to";
  let Why = [{
    The wrapper creates or empties the remarks file once, before the compiler starts. Every
    compilation of that command then appends to it. If the file cannot be written, the command
    stops before compiling. An empty report must never be mistaken for a program without loops.
  }];
  let Bad = [{
    memlift-clang -O2 --memlift-remarks=no/such/folder/x.yaml -c x.c
  }];
  let Good = [{
    mkdir -p remarks
    memlift-clang -O2 --memlift-remarks=remarks/x.yaml -c x.c
  }];
}

def WrongCompilerVersion : ToolError<5> {
  let Text = "plugin {plugin} was built for {built}, but is loaded by {running}";
  let Advice = "use the wrapper of that version, or the plugin built for the running compiler";
  let Why = [{
    Compiler plugins use the compiler's own data structures, which change from release to
    release. A plugin for another version would read garbage, so it refuses to start. Plugins
    carry the major version in their names (memlift-llvm22.so, memlift-gcc12.so). For GCC, the
    message includes the compiler's configure arguments. A GCC of the same major version that
    is another build of it is MLF0014.
  }];
  let Bad = [{
    clang-19 -O2 -fpass-plugin=lib/memlift-llvm22.so -c x.c
  }];
  let Good = [{
    clang-22 -O2 -fpass-plugin=lib/memlift-llvm22.so -c x.c
    memlift-clang-19 -O2 -c x.c
  }];
}

def WrongTarget : ToolError<6> {
  let Text = "plugin {plugin} was built for target {built}, but the compiler's is {running}";
  let Advice = "load the plugin named after the compiler's target, or use that target's wrapper";
  let Why = [{
    A GCC is built for one target and its plugin interface contains that target's headers, so each
    cross compiler has a plugin of its own. LLVM plugins serve every target of their clang.
  }];
  let Bad = [{
    riscv64-linux-gnu-gcc-12 -O2 -fplugin=lib/memlift-gcc12.so -c x.c
  }];
  let Good = [{
    riscv64-linux-gnu-gcc-12 -O2 -fplugin=lib/memlift-gcc12-riscv64-linux-gnu.so -c x.c
    memlift-riscv64-linux-gnu-gcc -O2 -c x.c
  }];
}

def MissingFile : ToolError<7> {
  let Text = "'{file}' cannot be read: {reason}";
  let Advice = "check the path; a plugin is built only if its compiler is installed";
  let Why = [{
    A file that was named, or that a wrapper needs, is absent or unreadable. It may be a plugin,
    the runtime library or a remarks file. When memlift is built, a component is left out if its
    compiler is not installed. Install the compiler, configure again and build.
  }];
  let Bad = [{
    memlift-report buidl/
  }];
  let Good = [{
    memlift-report build/
  }];
}

def BadRemarkFile : ToolError<8> {
  let Text = "{file}:{line}: not a remark file that can be read: {reason}";
  let Advice = "compile again; if several commands wrote to one file, give each its own";
  let Why = [{
    The file is cut off, or is not the YAML that compilers write for optimisation records. A
    compiler that was killed leaves a half written record at the end. Nothing of such a file is
    reported, as the missing part could hold any number of loops.
  }];
  let Bad = [{
    --- !Missed
    Pass:            memlift
    Name:            Trip
  }];
  let Good = [{
    --- !Missed
    Pass:            memlift
    Name:            TripCountUnknown
    Function:        f
    Args:
      - Code:            MLF2010
    ...
  }];
}

def BadAttributeValue : ToolError<9> {
  let Text = "attribute memlift(\"{value}\") has no meaning";
  let Advice =
    "on a function, it takes \"off\", \"require\", \"shape\", \"user\", \"async\", \"stream\" or "
    "\"spread\"";
  let Why = [{
    The attribute takes one string. An unknown value is an error, not a warning. Code that
    silently does not get what it asks for is worse than code that does not compile.
  }];
  let Bad = [{
    __attribute__((memlift("no"))) void clear(char *p, int n);
  }];
  let Good = [{
    __attribute__((memlift("off"))) void clear(char *p, int n);
  }];
}

def LoopTextError : ToolError<10> {
  let Text = "{file}:{line}: {reason}";
  let Advice = "compare with what print-loops prints; memlift-loops --help has the grammar";
  let Why = [{
    memlift-loops reads loops in the text form that the compilers print under print-loops. The text
    breaks the grammar, uses a name before it is defined, or states widths that do not fit
    together. The line and what was expected there are in the message.
  }];
  let Bad = [{
    memlift-loops x.c
  }];
  let Good = [{
    memlift-gcc -O2 --memlift-print-loops -c x.c 2>x.loop && memlift-loops x.loop
  }];
}

def ShapeInlined : ToolError<11> {
  let Text = "'{function}' is always_inline: its loops are its callers', and cannot be shaped";
  let Advice = "remove always_inline, or have the callers shaped";
  let Why = [{
    memlift("shape") and shape=FUNCTION apply to a function: neither memlift nor later passes of
    the compiler may add calls to it. The body of an always_inline function exists only in its
    callers, which may call anything.
  }];
  let Bad = [{
    __attribute__((memlift("shape"), always_inline)) static inline
    void put(char *d, const char *s, size_t n) {
      for (size_t i = 0; i < n; i++)
        d[i] = s[i];
    }
  }];
  let Good = [{
    __attribute__((memlift("shape"))) static
    void put(char *d, const char *s, size_t n) {
      for (size_t i = 0; i < n; i++)
        d[i] = s[i];
    }
  }];
}

def UserUncovered : ToolError<12> {
  let Text = "'{function}' is memlift(\"user\"), but an access may fault without an entry: {reason}";
  let Advice = "write one loop that copies or fills bytes, with restrict, and compile with -O1 or more";
  let Why = [{
    A fault at an access without an entry in __ex_table stops the kernel. So all accesses of such a
    function are covered, or it does not compile. Covered is one loop that is a copy or a fill, byte
    by byte. It is in no other loop, its regions are known not to overlap, and nothing else of the
    function touches memory. The remark of the loop says which of these fails. The targets are
    riscv64, x86-64 and AArch64. Code at -O0, and code that is compiled with memlift switched
    off, is never covered.
  }];
  let Bad = [{
    __attribute__((memlift("user")))
    size_t copy_in(volatile char *d, const char *s, size_t n) {
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

def UserReturns : ToolError<13> {
  let Text = "'{function}' is memlift(\"user\") and has to return an integer as wide as a pointer";
  let Advice = "return size_t or unsigned long: 0 at the end of the loop";
  let Why = [{
    After a fault the function returns the number of bytes that its loop had left. That number has
    the width of a pointer.
  }];
  let Bad = [{
    __attribute__((memlift("user"))) void clear(char *p, size_t n);
  }];
  let Good = [{
    __attribute__((memlift("user"))) size_t clear(char *p, size_t n);
  }];
}

def OtherBuild : Note<14> {
  let Text = "plugin {plugin} was built for {built}, but is loaded by {running}: this file is "
             "compiled without memlift";
  let Advice = "run memlift-gcc-rebuild, which builds the plugin for the GCC that is installed";
  let Why = [{
    A GCC plugin fits the very build of GCC whose headers it was compiled with. A point release, or
    another revision of the distribution's package, may have changed them. The plugin then does
    nothing, so that an update of the compiler breaks no build. Debian's packages rebuild the plugin
    by themselves, if the compiler's plugin headers and a C++ compiler are installed.
  }];
  let Bad = [{
    apt-get install gcc-12
    memlift-gcc-12 -O2 -c x.c
  }];
  let Good = [{
    apt-get install gcc-12 g++-12 gcc-12-plugin-dev
    memlift-gcc-rebuild gcc-12
    memlift-gcc-12 -O2 -c x.c
  }];
}

def RequiredKept : ToolError<16> {
  let Text = "loop must be lowered ({by}), but is kept: {reason}";
  let Advice = "change what the reasons below name, or only warn, with --memlift-require=warn";
  let Why = [{
    The source says of this loop that it must be lowered, and memlift keeps it. All facts that could
    not be proved follow, in the order of the proof, and then what would change the decision. Each
    copy of the loop has to be lowered: in functions that it was inlined into, in clones, and in
    instantiations of templates. An inlined copy may stay if it is known to be too short. A loop that the
    compiler unrolled or replaced by itself counts as lowered. Nothing is checked at -O0,
    where no loop is lowered, nor with --memlift-off.
  }];
  let Bad = [{
    __attribute__((memlift("require"))) void set(char *p, int n) {
      for (int i = 0; i < n; i++)
        p[2 * i] = 0;
    }
  }];
  let Good = [{
    __attribute__((memlift("require"))) void set(char *p, int n) {
      for (int i = 0; i < n; i++)
        p[i] = 0;
    }
  }];
}

def RequiredOther : ToolError<17> {
  let Text = "loop must be lowered as {idiom} (#pragma memlift require), but it is {have}";
  let Advice = "name the operation that the loop is, or no operation";
  let Why = [{
    The pragma names an operation, and the loop was lowered as another one. So the loop does not do
    what its author had in mind.
  }];
  let Bad = [{
    #pragma memlift require crc
      for (int i = 0; i < n; i++)
        sum += p[i];
  }];
  let Good = [{
    #pragma memlift require sum
      for (int i = 0; i < n; i++)
        sum += p[i];
  }];
}

def RequiredAbsent : ToolError<18> {
  let Text = "{what} must be lowered ({by}), but {reason}";
  let Advice = "take the requirement away, or put it where the work is done";
  let Why = [{
    There is no loop that could have been lowered. A function with memlift("require") has no
    candidate, neither a loop nor a call of memset, memcpy or memmove. Or the loop after the pragma
    writes no memory and computes nothing from it, or the compiler deleted it. A function that is
    itself deleted, since nothing calls it or all calls were inlined, is not checked.
  }];
  let Bad = [{
    __attribute__((memlift("require"))) int twice(int x) { return 2 * x; }
  }];
  let Good = [{
    int twice(int x) { return 2 * x; }
  }];
}

def BadRequirePragma : ToolError<19> {
  let Text = "#pragma memlift: {reason}";
  let Advice = "write #pragma memlift require, or require IDIOM, just before a loop";
  let Why = [{
    The only pragma of memlift is "require", perhaps with the name of an operation such as copy or
    crc. It has to stand just before a for, while or do statement in a function. A pragma that says
    nothing about any loop would be a requirement that nobody checks.
  }];
  let Bad = [{
    #pragma memlift require
      int i = 0;
      for (; i < n; i++)
        p[i] = 0;
  }];
  let Good = [{
      int i = 0;
    #pragma memlift require
      for (; i < n; i++)
        p[i] = 0;
  }];
}

def BadMapItem : ToolError<20> {
  let Text = "'{item}' in map is not of the form KEY=SYMBOL";
  let Advice = "write map=KEY=SYMBOL, more of them with commas and no spaces between";
  let Why = [{
    Each item names an operation and the routine that takes its place. SYMBOL is the name that the
    linker sees: letters, digits, '_', '.' and '$'. In C++ declare the routine extern "C".
  }];
  let Bad = [{
    memlift-gcc -O2 --memlift-map=inet_checksum -c x.c
  }];
  let Good = [{
    memlift-gcc -O2 --memlift-map=inet_checksum=my_sum,copy=my_copy -c x.c
  }];
}

def UnknownMapKey : ToolError<21> {
  let Text = "map knows no operation '{key}'";
  let Advice = "name an operation of docs/reference/operations.md without its memlift_";
  let Why = [{
    A key of a map is the symbol of an operation without "memlift_": copy, move, fill8, sum_u8,
    crc ... An idiom's name will do where the idiom has one operation: inet_checksum. "fill" and
    "sum" have several, with prototypes of their own, so they have to be named one by one.
  }];
  let Bad = [{
    memlift-gcc -O2 --memlift-map=fill=my_fill -c x.c
  }];
  let Good = [{
    memlift-gcc -O2 --memlift-map=fill8=my_fill,fill32=my_fill_words -c x.c
  }];
}

def MapKeyTwice : ToolError<22> {
  let Text = "map names '{key}' twice";
  let Advice = "keep one of the two symbols";
  let Why = [{
    Two routines for one operation leave open which of them is meant. An idiom and its only
    operation (inet_checksum, inet_sum) are one key. The last --memlift-map on a command line
    replaces those before it; they are not added up.
  }];
  let Bad = [{
    memlift-gcc -O2 --memlift-map=copy=a,copy=b -c x.c
  }];
  let Good = [{
    memlift-gcc -O2 --memlift-map=copy=a,move=b -c x.c
  }];
}

def MapPrototype : ToolError<23> {
  let Text = "'{symbol}' is to be {key} of the map, which needs '{need}', but is '{have}'";
  let Advice = "give the routine that prototype, or map another one";
  let Why = [{
    A call through another type passes the arguments where the routine does not look for them.
    So the compiler compares each declaration and definition of a mapped routine with the
    operation's prototype. It compares the kinds of the types, their widths, and up to 32 bits
    their signs. Where the operation returns nothing, the routine may return anything. A
    declaration without a prototype (int f();) says too little.
  }];
  let Bad = [{
    uint16_t my_sum(const void *p, int n);       /* --memlift-map=inet_checksum=my_sum */
  }];
  let Good = [{
    uint32_t my_sum(const void *p, size_t n, uint32_t init);
  }];
}

def MapLinkage : ToolError<24> {
  let Text = "'{symbol}' of the map is static, or no function";
  let Advice = "give the routine external linkage: no static, and in C++ extern \"C\"";
  let Why = [{
    A map names symbols, as the linker does. A static function has no reliable symbol: if
    nothing in the source calls it, the compiler drops it before loops become calls.
  }];
  let Bad = [{
    static uint32_t my_sum(const void *p, size_t n, uint32_t init) { ... }
  }];
  let Good = [{
    uint32_t my_sum(const void *p, size_t n, uint32_t init) { ... }
  }];
}

def AlignedNoPower : ToolError<25> {
  let Text = "__builtin_memlift_aligned needs a power of two, not {have}";
  let Advice = "ask for an alignment: 1, 2, 4, 8, ...";
  let Why = [{
    An address is aligned to a power of two: that many of its lowest bits are zero. For any
    other number the builtin has no answer, and 0 would be taken for one.
  }];
  let Bad = [{
    if (__builtin_memlift_aligned(p, 12)) ...
  }];
  let Good = [{
    if (__builtin_memlift_aligned(p, 4)) ...
  }];
}

def AlignedNotConstant : ToolError<26> {
  let Text = "the alignment given to __builtin_memlift_aligned is not constant";
  let Advice = "pass a constant; if the alignment is a parameter, inline the function";
  let Why = [{
    The builtin is decided when the program is compiled, after inlining. An alignment that is
    not constant by then cannot be checked. At run time, test the address itself.
  }];
  let Bad = [{
    int is_aligned(const void *p, size_t n) { return __builtin_memlift_aligned(p, n); }
  }];
  let Good = [{
    #define is_aligned(p, n) __builtin_memlift_aligned(p, n)
  }];
}
