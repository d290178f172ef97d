# __init__.py - renderers: each turns a model.Report into text for one kind of reader.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
