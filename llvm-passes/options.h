// options.h - the user's options, per function
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options arrive as `-mllvm -memlift-NAME[=VALUE]`. The first pass of a pipeline writes them into
// function attributes ("memlift-NAME"): the link stage of LTO does not see our command line, so
// only the attributes are left there. An attribute wins over the command line.
#ifndef MEMLIFT_LLVM_OPTIONS_H
#define MEMLIFT_LLVM_OPTIONS_H

#include "decide/decide.h"

#include <string>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace memlift {

/// Options of one function. Plain data: passes run on several threads.
struct Config {
  Options options;     // for judge()
  std::string keep;    // functions that implement an idiom, comma-separated
  std::string remarks; // file, empty: none
  bool off = false;
  bool trustTypes = false;
  bool trustNames = false; // memset is memset without built-ins, too
  bool printLoops = false;
  bool countCalls = false;
  bool async = false; // operations overlap the function
};

/// Answers to a requirement that is not met (require/require.h).
enum class How : uint8_t { Error, Warn, Off };

/// Registers the command-line options, once per process: a second copy of the
/// plugin uses those of the first. Call after the version check only.
void registerOptions();

/// Returns the options of `f`, from the command line, attributes and target.
Config configOf(const llvm::Function &f);
/// Returns what the option require says for `f`.
How howRequired(const llvm::Function &f);

/// Reports bad values (as errors of the compilation) and -memlift-help. Returns false after an
/// error.
bool checkOptions(llvm::Module &m);

/// Returns whether -memlift-off is on the command line.
bool isSwitchedOff();

/// Returns whether print-alignment or trust-types, respectively, is on the command line.
bool printsAlignment();
bool trustsTypes();

/// Returns the command line's functions to be shaped, comma-separated.
std::string givenShape();

/// Reports an error of the compilation.
void refuse(llvm::Module &m, Diag code, const std::string &message);

/// Returns the command line's map; empty if there is none or a bad one.
SymbolMap givenMap();

/// Checks the module's symbols of the map (map.cpp). Returns false if one is something else, with
/// an error of the compilation that is reported once per module.
bool checkMap(llvm::Module &m, const SymbolMap &map);

/// Keeps the map's routines from being inlined or deleted, for the link.
bool keepMapped(llvm::Module &m, const SymbolMap &map);
/// Marks the functions that implement the map's routines, memcpy and its like, so that none of
/// their loops becomes a call of the routine that they serve.
bool markServants(llvm::Module &m, const SymbolMap &map);
constexpr char ImplementsAttribute[] = "memlift-implements";

/// Writes the command line's options into the attributes of every function defined in `m`. Returns
/// true if anything changed.
bool carryOptions(llvm::Module &m);

/// Keeps functions that carry other options than a caller from being inlined into it: a link joins
/// files that were compiled with different ones. Returns true if anything changed.
bool keepOptionsApart(llvm::Module &m);

/// Attribute of functions whose accesses may fault, and its value once they have entries.
constexpr char UserAttribute[] = "memlift-user", UserCovered[] = "covered";

/// Attribute of a function whose loops are to be cut into blocks. Its value is the local store in
/// bytes, 0 for all that there is.
constexpr char StreamAttribute[] = "memlift-stream-store";
constexpr char SpreadAttribute[] = "memlift-spread"; // beside StreamAttribute
/// Beside StreamAttribute: the source or an option asks for it, not for threads alone.
constexpr char LocalAttribute[] = "memlift-local";
/// A function that was made of a loop: it has no remarks of its own.
constexpr char OutlinedAttribute[] = "memlift-outlined";
/// Returns the command line's functions whose loops are to be cut into blocks, comma-separated, or
/// "all".
std::string givenStream();
/// Returns the local store in bytes that the command line gives them; 0 if it gives none.
uint64_t givenStore();
/// Returns the command line's functions whose loops several threads may compute, in that form.
std::string givenSpread();

/// Attribute of a function compiled at -O3, whose loops may grow; the link may be at another level.
constexpr char FastAttribute[] = "memlift-fast";
/// Writes FastAttribute where the level is -O3. Returns true if anything changed.
bool carryLevel(llvm::Module &m);

} // namespace memlift

#endif
