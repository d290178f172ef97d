// Functions.td - properties of a function that keep its loops, and how each compiler says so.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both plugins use this list, also for properties that only one compiler knows. The tables of
// test/meanings name every attribute and option of the compilers. They say whether it is listed
// here, is honoured in another way, or has no effect on memlift.

// A property that an attribute, an option or a calling convention gives to a function.
class FunctionProperty<string word, Diagnostic diagnostic> {
  // Name in the text form of a loop, and in remarks.
  string Word = word;
  Diagnostic Code = diagnostic;
  // Kept: no loop of the function is changed. NoCalls: loops become in-line code only.
  string Effect = "Kept";
  // The fact: the need, and the obstacle if no attribute is known that names it better.
  string Need = ?;
  string Have = ?;
  // Attributes of a function or of its type, in GCC.
  list<string> GccAttributes = [];
  // Options of GCC that give it to the functions that they hold for, without the dash.
  list<string> GccOptions = [];
  // Attributes of a function in LLVM's IR, enumerated ones and strings.
  list<string> LlvmAttributes = [];
}

def Special : FunctionProperty<"special", SpecialFunction> {
  let Need = "an ordinary function";
  let Have = "naked, an interrupt handler, or saves the registers of its caller";
  // Interrupt handlers go by several names: each target of GCC has its own.
  let GccAttributes = ["naked", "interrupt", "interrupt_handler", "isr", "signal",
    "no_caller_saved_registers", "exception_handler", "exception", "nmi_handler", "nmi",
    "fast_interrupt", "break_handler", "interrupt_thread", "save_volatiles", "saveall", "resbank",
    "trap_exit", "nested", "reset", "wakeup", "bank_switch", "naked_handler",
    "keep_interrupts_masked", "use_shadow_register_set", "use_debug_exception_return"];
  let LlvmAttributes = ["naked", "interrupt", "interrupt_handler", "interrupt-save-fp", "signal",
    "no_caller_saved_registers"];
}

// The calls would switch the mode back and forth.
def Streaming : FunctionProperty<"streaming", CallsRuledOut> {
  let Effect = "NoCalls";
  let Need = "a function that may call ordinary routines";
  let Have = "runs in streaming mode, or holds the ZA array";
  let LlvmAttributes = ["aarch64_pstate_sm_enabled", "aarch64_pstate_sm_body",
    "aarch64_pstate_sm_compatible", "aarch64_new_za", "aarch64_in_za", "aarch64_out_za",
    "aarch64_inout_za", "aarch64_preserves_za", "aarch64_new_zt0", "aarch64_in_zt0",
    "aarch64_out_zt0", "aarch64_inout_zt0", "aarch64_preserves_zt0", "aarch64_za_state_agnostic"];
}

// For GCC and for clang's options the target's flags decide.
def NoVectors : FunctionProperty<"no-vectors", CallsRuledOut> {
  let Effect = "NoCalls";
  let Need = "vector registers, which the routines use";
  let Have = "compiled for general registers only";
  let LlvmAttributes = ["noimplicitfloat"];
}

def SplitStack : FunctionProperty<"split-stack", CallsRuledOut> {
  let Effect = "NoCalls";
  let Need = "a stack that the routines need not check";
  let Have = "compiled with -fsplit-stack";
  let LlvmAttributes = ["split-stack"];
}

// The options name registers; each plugin knows which ones a routine may overwrite.
def ReservedRegisters : FunctionProperty<"reserved-registers", CallsRuledOut> {
  let Effect = "NoCalls";
  let Need = "the registers that the calling convention gives to a routine";
  let Have = "some registers are reserved, or saved in another way (-ffixed-, -fcall-saved-)";
}

// -mregparm= and -mrtd of 32-bit x86 are not among these: a runtime for that target has them, too.
def ForeignCalls : FunctionProperty<"foreign-calls", CallsRuledOut> {
  let Effect = "NoCalls";
  let Need = "the calling convention that the routines were compiled with";
  let Have = "another convention is the default (-mabi=ms)";
}

def Transactional : FunctionProperty<"transaction", InTransaction> {
  let Need = "no transaction";
  let Have = "holds a transaction, or is the instrumented clone of a function";
}

def FaultsThrow : FunctionProperty<"faults-throw", FaultThrows> {
  let Need = "accesses that throw no exception";
  let Have = "compiled with -fnon-call-exceptions";
  let GccOptions = ["fnon-call-exceptions"];
}

def Instrumented : FunctionProperty<"sanitizer", Sanitizer> {
  let Need = "no instrumentation of memory accesses";
  let Have = "a sanitizer watches this function";
  let LlvmAttributes = ["sanitize_address", "sanitize_hwaddress", "sanitize_memory",
    "sanitize_memtag", "sanitize_thread", "sanitize_type", "sanitize_realtime",
    "sanitize_numerical_stability", "speculative_load_hardening"];
}

// The target and the kind of function decide, no attribute does.
def Unread : FunctionProperty<"unread", NotRead> {
  let Need = "a function and a target that memlift reads";
  let Have = "a function or a target of another kind";
}
