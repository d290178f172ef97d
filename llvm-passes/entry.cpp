// entry.cpp - the plugin's entry point: checks the version before it uses anything else of LLVM
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options have to be registered while the library is loaded (clang parses -mllvm
// right after), so a constructor does it. In a host of another version even that
// would crash; so the constructor asks LLVMGetVersion first, which is C and the
// same in all versions, and does nothing if it disagrees. The host then asks for
// the plugin's description and gets an interface version that it refuses.
//
// The description has grown by a field between versions. A wrong host's buffer
// may be the short one, so only the fields that all versions have are written
// then; this is why the type is declared here and not taken from the header.
#include "pass.h"
#include "options.h"

#include "llvm-c/Core.h"
#include "llvm/Config/llvm-config.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

// LLVM 15 and older do not have it, and loading the plugin there must be an error, too.
#pragma weak LLVMGetVersion

namespace memlift {

extern const unsigned pluginApiVersion;

namespace {

/// An interface version that no LLVM has.
constexpr uint32_t Refused = 0xffffffff;

struct Description {
  uint32_t apiVersion;
  const char *name, *version;
  void (*registerCallbacks)(llvm::PassBuilder &);
  void *preCodeGen; // since LLVM 22
};

struct HostVersion {
  unsigned major = 0, minor = 0, patch = 0; // 0: before LLVM 16, which cannot tell its version
};

HostVersion hostVersion() {
  HostVersion v;
  if (&LLVMGetVersion)
    LLVMGetVersion(&v.major, &v.minor, &v.patch);
  return v;
}

bool hostMatches() { return hostVersion().major == LLVM_VERSION_MAJOR; }

const char *ownPath() {
  Dl_info info;
  if (dladdr(reinterpret_cast<void *>(&ownPath), &info) && info.dli_fname)
    return info.dli_fname;
  return "memlift-llvm";
}

void complain() {
  HostVersion v = hostVersion();
  fprintf(stderr, "memlift: error: plugin %s was built for LLVM %d, but is loaded by ", ownPath(),
          LLVM_VERSION_MAJOR);
  if (v.major)
    fprintf(stderr,
            "LLVM %u.%u.%u [MLF0005]\n"
            "memlift: note: use memlift-clang-%u, or the plugin memlift-llvm%u.so\n",
            v.major, v.minor, v.patch, v.major, v.major);
  else
    fprintf(stderr,
            "an LLVM older than 16 [MLF0005]\n"
            "memlift: note: use clang-%d, as memlift-clang-%d does\n",
            LLVM_VERSION_MAJOR, LLVM_VERSION_MAJOR);
}

__attribute__((constructor)) void whenLoaded() {
  if (!hostMatches())
    return;
  registerOptions();
  registerAttribute();
  registerMapCheck();
  registerDataflow();
  registerRequire();
  registerTrust();
}

} // namespace
} // namespace memlift

extern "C" __attribute__((visibility("default"))) memlift::Description llvmGetPassPluginInfo() {
  memlift::Description d;
  d.name = "memlift";
  d.version = MEMLIFT_VERSION;
  d.registerCallbacks = memlift::registerPasses;
  if (memlift::hostMatches()) {
    d.apiVersion = memlift::pluginApiVersion;
    d.preCodeGen = nullptr;
  } else {
    memlift::complain();
    d.apiVersion = memlift::Refused;
  }
  return d;
}
