# test_suggest.py - suggestions: how C's text is read, what is proposed, and that none is unchecked.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import subprocess
import unittest

from support import KEPT, Case, package

SOURCE = """\
/* for (;;) in a comment */
#define EACH(i) for (i = 0; \\
                     i < 3; i++)
static const char *text = "for (;;) {";
void spare(int *p), other(int);

__attribute__((noinline)) void put(unsigned *to, const unsigned *from, long n) {
  if (n)
    for (long i = n; i > 0; i--) to[i] = from[i];
  do {
    n--;
    while (n > 3) n -= 2;
  } while (n);
}
struct s { int a[3]; };
int sum(const int *restrict p, int (*call)(int), int n)
{
  int s = 0;
  while (n--)
    s += p[n];
  return s;
}
"""
# Decides by the words that it finds in the source, and refuses a source that says `refuse`.
COMPILER = """\
#!/bin/sh
for word do
  case $word in
    --memlift-remarks=*) out=${word#*=};;
    -*) ;;
    *.c) file=$word;;
  esac
done
echo run >>"$COUNT"
if grep -q 'refuse' "$file" && grep -q restrict "$file"; then
  echo "$file:1: error: no" >&2
  exit 1
fi
grep -n 'for (' "$file" | while IFS=: read -r line text; do
  function=$(head -n "$line" "$file" | sed -n 's/^void \\([a-z]*\\).*/\\1/p' | tail -1)
  kind=Missed decision=kept code=MLF2031
  if head -n "$line" "$file" | grep "^void $function" | grep -q 'restrict to'; then
    kind=Passed decision=lowered code=MLF1001
  fi
  if grep -q 'fragile' "$file" && grep -q restrict "$file" && [ "$function" != put ]; then
    kind=Missed decision=kept code=MLF2031
  elif [ "$function" = fine ]; then
    kind=Passed decision=lowered code=MLF1001
  fi
  cat >>"$out" <<END
--- !$kind
Pass:            memlift
Name:            X
DebugLoc:        { File: '$file', Line: $line, Column: 3 }
Function:        '$function'
Args:
  - String:          'text'
  - Idiom:           'copy'
  - Decision:        '$decision'
  - Code:            '$code'
  - LoopId:          'x.c:$function#0'
...
END
done
: >>"$out"
"""
PUT = """\
void put(unsigned *to, const unsigned *from, long n) {
  for (long i = n - 1; i >= 0; i--)
    to[i] = from[i];
}
"""


class Words(unittest.TestCase):
    def setUp(self):
        self.text = package("suggest.ctext").Text(SOURCE)

    def loop_text(self, line, column=1):
        loop = self.text.loop_at(line, column)
        return loop and self.text.between(loop.first, loop.end)

    def test_loops_of_the_text_and_of_nothing_else(self):
        self.assertEqual([loop.keyword for loop in self.text.loops()],
                         ["for", "do", "while", "while"])
        self.assertEqual(self.loop_text(9, 5), "for (long i = n; i > 0; i--) to[i] = from[i];")
        self.assertEqual(self.loop_text(12), "while (n > 3) n -= 2;")
        self.assertTrue(self.loop_text(10).endswith("while (n);"))
        self.assertEqual(self.loop_text(20), "while (n--)\n    s += p[n];")
        self.assertIsNone(self.loop_text(4))

    def test_functions_and_their_parameters(self):
        put = self.text.function_at(self.text.loops()[0].first)
        self.assertEqual((put.name, [(p.name, p.is_pointer) for p in put.parameters]),
                         ("put", [("to", True), ("from", True), ("n", False)]))
        add = self.text.function_at(self.text.loops()[3].first)
        self.assertEqual((add.name, [p.name for p in add.parameters]), ("sum", ["p", "n"]))

    def test_any_text_is_read_to_its_end(self):
        for text in ("", "}", "for", "for (", "for (;;", "do", "do {} while", "while (x", "a ? b :",
                     "void f() { for (;;) ", '"open', "'", "/* open", "#if", "R\"(x", "void f({)}"):
            words = package("suggest.ctext").Text(text)
            self.assertTrue(all(loop.end <= len(words.words) for loop in words.loops()))
            words.loop_at(1, 1)
            words.function_at(len(words.words))


class Proposals(unittest.TestCase):
    def proposals(self, source, line, *codes, c=True):
        edits, ctext = package("suggest.edits"), package("suggest.ctext")
        text = ctext.Text(source)
        loop = text.loop_at(line, 99)
        place = edits.Place(text, text.function_at(loop.first), loop, loop.first, c,
                            "restrict" if c else "__restrict")
        return [(edit.kind, edits.apply(source, edit.changes).split("\n"))
                for edit in edits.proposals(place, list(codes))]

    def test_restrict_only_where_it_is_missing(self):
        (kind, text), = self.proposals(PUT, 2, "MLF3006")
        self.assertEqual((kind, text[0]), (
            "restrict", "void put(unsigned *restrict to, const unsigned *restrict from, long n) {"))
        self.assertEqual(self.proposals("\n".join(text), 2, "MLF3006"), [])

    def test_what_changes_in_the_loop_is_not_read_before_it(self):
        source = ("void f(struct b *b, volatile int *p) {\n  for (int i = 0; i < b->n; i++) {\n"
                  "    b->next[i] = *p;\n    b->k = b->k + i;\n    q++;\n    r[i] = q;\n  }\n}\n")
        (_, text), = [p for p in self.proposals(source, 2, "MLF2062") if p[0] == "hoist"]
        for line in ("  __auto_type n = b->n;", "  for (int i = 0; i < n; i++) {",
                     "    next[i] = p_value;", "    b->k = b->k + i;", "    r_value[i] = q;"):
            self.assertIn(line, text)

    def test_no_statement_before_a_loop_that_is_one_of_an_if(self):
        source = ("void f(struct b *b) {\n  if (b)\n"
                  "    for (int i = 0; i < b->n; i++) b->p[i] = 0;\n}")
        self.assertEqual([p[0] for p in self.proposals(source, 3, "MLF2062")], ["restrict"])

    def test_a_loop_with_a_way_out_is_not_split(self):
        body = "void f(void) {{\n  for (int i = 0; i < 9; i++) {{\n    a(i);\n    {}\n  }}\n}}\n"
        self.assertEqual(len(self.proposals(body.format("b(i);"), 2, "MLF2012")), 1)
        self.assertEqual(self.proposals(body.format("if (b(i)) break;"), 2, "MLF2012"), [])
        self.assertEqual(self.proposals(body.format(""), 2, "MLF2012"), [])

    def test_cplusplus_has_its_own_words(self):
        found = self.proposals(PUT.replace("from[i]", "from->x"), 2, "MLF2025", c=False)
        text = "\n".join(line for _, lines in found for line in lines)
        self.assertIn("  auto x = from->x;", text)
        self.assertIn("__restrict to", text)


class Commands(Case):
    def command(self, words, path="/b/x.c"):
        return package("suggest.recompile").command_of(words.split(), "/b", path)

    def test_what_a_build_writes_is_not_written(self):
        command = self.command("ccache memlift-gcc -O2 -Wall -MD -MF x.d -MT x.o -flto -o x.o -c "
                               "x.c -DX=1 --memlift-remarks=r.yaml -Iinc")
        self.assertEqual(command.words, ["memlift-gcc", "-O2", "-Wall", "-DX=1", "-Iinc"])
        self.assertEqual((command.is_c, command.restrict), (True, "restrict"))
        self.assertEqual(self.command("cc -std=gnu89 x.c").restrict, "__restrict")
        self.assertEqual(self.command("c++ x.cc", "/b/x.cc").restrict, "__restrict")
        self.assertFalse(self.command("cc -x c++ x.c").is_c)

    def test_plugins_without_a_wrapper(self):
        options = package("suggest.recompile").remark_options
        self.assertEqual(options(self.command("gcc -fplugin=/l/memlift_gcc12.so"), "r"),
                         ["-fplugin-arg-memlift_gcc12-remarks=r"])
        self.assertIn("-memlift-remarks=r",
                      options(self.command("clang -fpass-plugin=/l/memlift-llvm22.so"), "r"))
        self.assertFalse(package("suggest.recompile").has_plugin(self.command("gcc -O2")))


class Search(Case):
    """With a compiler that decides by words of the source: what is printed, and what is not."""

    def setUp(self):
        super().setUp()
        self.write("memlift-cc", COMPILER)
        os.chmod(os.path.join(self.folder, "memlift-cc"), 0o755)
        os.environ["COUNT"] = os.path.join(self.folder, "count")
        self.addCleanup(os.environ.pop, "COUNT")

    def remarks(self, *functions):
        text = KEPT.replace("src/buf.c", "x.c").replace("MLF2010", "MLF2031")
        self.write("r.yaml", "".join(
            text.replace("clear", name).replace(":0:9f3a", "#0") for name in functions))

    def database(self, command="./memlift-cc -O2 -c x.c -o x.o"):
        self.write("compile_commands.json", json.dumps(
            [{"directory": self.folder, "file": "x.c", "command": command}]))

    def suggest(self, *options):
        return self.fine("suggest", *options, "r.yaml")

    def test_fewest_parts_and_a_patch_that_applies(self):
        self.write("x.c", PUT.rstrip("\n"))  # no end of line at its end
        self.remarks("put")
        self.database()
        out = self.suggest("--patch", "p.patch")
        self.assertIn("suggestion: declare to restrict\n", out)
        self.assertIn("compiled: copy lowered [MLF1001]\n", out)
        self.assertNotIn("restrict from", out)
        before = self.read("x.c")
        subprocess.run(["git", "apply", "p.patch"], cwd=self.folder, check=True)
        after = self.read("x.c")
        self.assertEqual(after, before.replace("*to", "*restrict to"))
        self.assertTrue(self.suggest().startswith("0 suggestions"))
        self.write("x.c", before)
        self.suggest("--apply")
        self.assertEqual(self.read("x.c"), after)

    def test_a_change_that_the_compiler_refuses_is_not_told(self):
        self.write("x.c", PUT + "int refuse;\n")
        self.remarks("put")
        self.database()
        out = self.suggest("-v")
        self.assertIn("no suggestion: nothing that was tried changes the decision", out)
        self.assertTrue(out.endswith("0 suggestions, each compiled, and the decision changed; "
                                     "1 loop without one\n"), out)

    def test_nor_one_that_makes_another_loop_worse(self):
        other = PUT.replace("put", "fine")
        self.write("x.c", PUT + other)
        self.remarks("put")
        self.database()
        self.assertIn("1 suggestion,", self.suggest())
        self.write("x.c", PUT + other + "int fragile;\n")
        self.assertIn("0 suggestions,", self.suggest())

    def test_several_loops_and_json(self):
        self.write("x.c", PUT + PUT.replace("put", "more"))
        self.remarks("put", "more")
        self.database()
        data = json.loads(self.suggest("--format", "json"))
        self.assertEqual([(s["function"], s["was"][0], s["now"], s["kinds"])
                          for s in data["suggestions"]],
                         [("put", "kept", ["lowered", "MLF1001"], ["restrict"]),
                          ("more", "kept", ["lowered", "MLF1001"], ["restrict"])])
        schema = json.loads(self.schema())
        try:
            import jsonschema
            jsonschema.validate(data, schema)
        except ImportError:
            self.assertEqual(set(data), set(schema["required"]))
        self.assertEqual(self.suggest("--function", "more").count("suggestion:"), 1)

    def schema(self):
        path = os.path.join(os.path.dirname(package().__file__), "schema", "suggest.schema.json")
        with open(path, encoding="utf-8") as stream:
            return stream.read()

    def test_a_command_behind_two_dashes(self):
        self.write("x.c", PUT)
        self.remarks("put")
        out = self.fine("suggest", "r.yaml", "--", "./memlift-cc", "-O2", "-c", "x.c")
        self.assertIn("1 suggestion,", out)

    def test_what_cannot_be_tried_is_said(self):
        self.write("x.c", PUT)
        self.write("other.c", PUT)
        self.remarks("put")
        self.assertIn("compile_commands.json' cannot be read", self.refused("suggest", "r.yaml"))
        self.database("gcc -c x.c")
        self.assertIn("without memlift", self.refused("suggest", "r.yaml"))
        self.database("./memlift-absent -c x.c")
        self.assertIn("cannot be run", self.refused("suggest", "r.yaml"))
        self.write("compile_commands.json", "{")
        self.assertIn("no compilation database", self.refused("suggest", "r.yaml"))
        self.assertIn("names no source file", self.refused("suggest", "r.yaml", "--", "cc", "-c"))
        self.write("compile_commands.json", "[]")
        self.assertIn("not tried: 1 file that no command compiles, nor a file that includes it, "
                      "such as x.c", self.suggest())


if __name__ == "__main__":
    unittest.main()
