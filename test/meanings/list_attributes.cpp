// list_attributes.cpp - a plugin for GCC that prints the name of every attribute that it knows
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gcc -fplugin=list-attributes.so -fsyntax-only x.c: a line for each attribute of the language, of
// all languages, of formats and of the target.
#include "gcc-plugin.h"

#include "plugin-version.h"
#include "tree.h"
#include "stringpool.h"

#include "attribs.h"
#include "langhooks.h"
#include "target.h"

#include <cstdio>

int plugin_is_GPL_compatible;

static void print(const attribute_spec *table) {
  for (; table && table->name; ++table)
    printf("%s\n", table->name);
}

static void onStart(void *, void *) {
  print(lang_hooks.common_attribute_table);
  print(lang_hooks.attribute_table);
  print(lang_hooks.format_attribute_table);
  print(targetm.attribute_table);
}

int plugin_init(plugin_name_args *info, plugin_gcc_version *version) {
  if (!plugin_default_version_check(version, &gcc_version))
    return 1;
  register_callback(info->base_name, PLUGIN_START_UNIT, onStart, nullptr);
  return 0;
}
