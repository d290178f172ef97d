// Diagnostics.td - every MLF code: what it says, what to do about it, and why, in one place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The record's name is the code's enumerator and the Name of the remark that carries it. Numbers
// are stable: a code that is no longer given leaves a hole, it is never reused.
//
//   MLF0xxx  messages of the tools: a bad option, a wrong version, a file that cannot be read
//   MLF1xxx  the change that was made to the loop
//   MLF2xxx  a fact about the loop that could not be proved
//   MLF3xxx  reasons of the decision: the facts hold, but another form is better, or there is none
//
// Text and Advice are folded onto one line. {words} in braces are filled in by the reporter.
// A sentence of Text, Advice or Why has at most 25 words: test/intrinsics/sentences.py.
// Bad and Good are small C programs: one that draws the code, and one that does not.

class Diagnostic<int number, string severity> {
  int Number = number;
  // Error: the tool stops. Passed, Missed, Analysis: the kind of remark.
  string Severity = severity;
  // One line: the finding, cause first.
  string Text = ?;
  // Change that the programmer can make, in the programmer's terms.
  string Advice = ?;
  // The long explanation, for `memlift-report explain` and the reference.
  string Why = ?;
  string Bad = "";
  string Good = "";
}

class ToolError<int number> : Diagnostic<number, "Error">;
class Done<int number> : Diagnostic<number, "Passed">;
class FactFailed<int number> : Diagnostic<number, "Missed">;
class FactAbsent<int number> : Diagnostic<number, "Analysis">;
class Reason<int number> : Diagnostic<number, "Missed">;
class Note<int number> : Diagnostic<number, "Analysis">;

include "diagnostics/Tools.td"
include "diagnostics/Done.td"
include "diagnostics/LoopFacts.td"
include "diagnostics/FillFacts.td"
include "diagnostics/CopyFacts.td"
include "diagnostics/SumFacts.td"
include "diagnostics/GuardFacts.td"
include "diagnostics/ShapeFacts.td"
include "diagnostics/InetFacts.td"
include "diagnostics/ResidueFacts.td"
include "diagnostics/CrcFacts.td"
include "diagnostics/AccumulatorFacts.td"
include "diagnostics/TableFacts.td"
include "diagnostics/StateFacts.td"
include "diagnostics/CounterFacts.td"
include "diagnostics/GroupFacts.td"
include "diagnostics/HashFacts.td"
include "diagnostics/SearchFacts.td"
include "diagnostics/AlignFacts.td"
include "diagnostics/CallFacts.td"
include "diagnostics/UnseenFacts.td"
include "diagnostics/StreamFacts.td"
include "diagnostics/Reasons.td"
include "diagnostics/ThreadNotes.td"
include "diagnostics/UserFacts.td"
