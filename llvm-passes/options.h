// options.h - what the user asked for, per function
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options arrive as `-mllvm -memlift-NAME[=VALUE]`. The pass that runs first in
// a pipeline writes them into function attributes ("memlift-NAME"), because the
// link stage of LTO knows no command line of ours; there the attribute is all
// there is. An attribute wins over the command line.
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
  std::string keep;    // functions that implement an idiom, by comma
  std::string remarks; // file, empty: none
  bool off = false;
  bool trustTypes = false;
  bool trustNames = false; // memset is memset without built-ins, too
  bool printLoops = false;
  bool countCalls = false;
  bool async = false; // operations run beside the function
};

/// Registers the command-line options, once per process: a second copy of the
/// plugin uses those of the first. Call after the version check only.
void registerOptions();

/// The options that hold for `f`: command line, attributes, target.
Config configOf(const llvm::Function &f);

/// Reports bad values (as errors of the compilation) and -memlift-help.
/// False if something was wrong.
bool checkOptions(llvm::Module &m);

/// Whether -memlift-off is on the command line.
bool isSwitchedOff();

/// Whether print-alignment and trust-types are on the command line.
bool printsAlignment();
bool trustsTypes();

/// The command line's functions to be shaped, by comma.
std::string givenShape();

/// Gives an error of the compilation.
void refuse(llvm::Module &m, Diag code, const std::string &message);

/// The command line's map; empty if there is none or a bad one.
SymbolMap givenMap();

/// False, with an error of the compilation that is given once for a module, if
/// the module has a symbol of the map that is something else (map.cpp).
bool checkMap(llvm::Module &m, const SymbolMap &map);

/// Keeps the routines of the map as functions of their own, for the link.
bool keepMapped(llvm::Module &m, const SymbolMap &map);
/// Marks what the map's routines, and memcpy and its like where they are defined, are made of, so
/// that no loop of it becomes a call of what it serves.
bool markServants(llvm::Module &m, const SymbolMap &map);
constexpr char ImplementsAttribute[] = "memlift-implements";

/// Writes the command line's options into the attributes of every function
/// defined in `m`. True if anything changed.
bool carryOptions(llvm::Module &m);

/// Keeps functions that carry other options than a caller from being inlined into it: a link joins
/// files that were compiled with different ones. True if anything changed.
bool keepOptionsApart(llvm::Module &m);

/// Of a function of a compilation at -O3, whose loops may grow; the link may be at another level.
constexpr char FastAttribute[] = "memlift-fast";
/// Writes it, where the level counts. True if anything changed.
bool carryLevel(llvm::Module &m);

} // namespace memlift

#endif
