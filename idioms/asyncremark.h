// asyncremark.h - the plan of an asynchronous operation as a remark
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_IDIOMS_ASYNCREMARK_H
#define MEMLIFT_IDIOMS_ASYNCREMARK_H

#include "decide/async.h"
#include "remark.h"

namespace memlift {

/// The subject of a remark: an operation at `loc`. `locOf` gives the places of statements.
struct AsyncSubject {
  std::string id, function; // as Loop::id; of the function
  SourceLoc loc;
  Idiom idiom = Idiom::None;
  std::string symbol; // the routine
};
Remark asyncRemark(const AsyncSubject &subject, const AsyncPlan &plan,
                   const std::function<SourceLoc(FlowPoint)> &locOf);

} // namespace memlift

#endif
