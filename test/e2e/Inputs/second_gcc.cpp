// second_gcc.cpp - somebody else's plugin: tells which functions it has seen.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gcc-plugin.h>
#include <plugin-version.h>
#include <tree.h>

int plugin_is_GPL_compatible;

static void tell(void *function, void *) {
  fprintf(stderr, "second plugin: %s\n", IDENTIFIER_POINTER(DECL_NAME((tree)function)));
}

int plugin_init(plugin_name_args *info, plugin_gcc_version *) {
  register_callback(info->base_name, PLUGIN_FINISH_PARSE_FUNCTION, tell, nullptr);
  return 0;
}
