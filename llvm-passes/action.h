// action.h - lets a file define an action of clang's and still be loaded by other hosts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// opt and lld hold no clang. Symbols that the loader binds at once are therefore weak, and an
// action is registered only where clang's registry exists.
#ifndef MEMLIFT_LLVM_ACTION_H
#define MEMLIFT_LLVM_ACTION_H

// Data and function of llvm::Registry<clang::PluginASTAction>, and those of the base classes that
// the vtables of the classes below refer to.
#define REGISTRY "_ZN4llvm8RegistryIN5clang15PluginASTActionEE"
__asm__(".weak " REGISTRY "4HeadE\n\t.weak " REGISTRY "4TailE\n\t"
        ".weak _ZTVN5clang11ASTConsumerE\n\t"
        ".weak _ZTVN5clang17ASTFrontendActionE\n\t"
        ".weak _ZN5clang11ASTConsumer18HandleTopLevelDeclENS_12DeclGroupRefE\n\t"
        ".weak _ZN5clang11ASTConsumer21HandleInterestingDeclENS_12DeclGroupRefE\n\t"
        ".weak _ZN5clang11ASTConsumer33HandleTopLevelDeclInObjCContainerENS_12DeclGroupRefE\n\t"
        ".weak _ZN5clang11ASTConsumer24HandleImplicitImportDeclEPNS_10ImportDeclE\n\t"
        ".weak _ZN5clang14FrontendAction22shouldEraseOutputFilesEv\n\t"
        ".weak _ZN5clang14FrontendAction13EndSourceFileEv\n\t"
        ".weak _ZN5clang17ASTFrontendAction13ExecuteActionEv\n\t"
        ".weak _ZN5clang15PluginASTAction6anchorEv");
extern "C" __attribute__((weak)) void memliftAddAction(void *) __asm__(REGISTRY
                                                                       "8add_nodeEPNS3_4nodeE");
#undef REGISTRY

#endif
