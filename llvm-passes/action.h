// action.h - lets a file define an action of clang's and still be loaded by other hosts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// opt and lld hold no clang. Symbols that the loader binds at once are therefore weak, and an
// action is registered only where clang's registry exists.
#ifndef MEMLIFT_LLVM_ACTION_H
#define MEMLIFT_LLVM_ACTION_H

#include "compat.h"

// Data and function of llvm::Registry<clang::PluginASTAction>, and those of the base classes that
// the vtables of the classes below refer to.
#define ACTION "N5clang15PluginASTActionE"
__asm__(MEMLIFT_REGISTRY_NEEDS(ACTION));
__asm__(".weak _ZTVN5clang11ASTConsumerE\n\t"
        ".weak _ZTVN5clang17ASTFrontendActionE\n\t"
        ".weak _ZTVN5clang15PluginASTActionE\n\t" // without optimisation
        ".weak _ZN5clang11ASTConsumer18HandleTopLevelDeclENS_12DeclGroupRefE\n\t"
        ".weak _ZN5clang11ASTConsumer21HandleInterestingDeclENS_12DeclGroupRefE\n\t"
        ".weak _ZN5clang11ASTConsumer33HandleTopLevelDeclInObjCContainerENS_12DeclGroupRefE\n\t"
        ".weak _ZN5clang11ASTConsumer24HandleImplicitImportDeclEPNS_10ImportDeclE\n\t"
        ".weak _ZN5clang14FrontendAction22shouldEraseOutputFilesEv\n\t"
        ".weak _ZN5clang14FrontendAction13EndSourceFileEv\n\t"
        ".weak _ZN5clang17ASTFrontendAction13ExecuteActionEv\n\t"
        ".weak _ZN5clang15PluginASTAction6anchorEv");
extern "C" __attribute__((weak)) void memliftActions() __asm__(MEMLIFT_REGISTRY_OF(ACTION));
#undef ACTION

#endif
