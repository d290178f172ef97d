# test_formats.py - JSON, SARIF, CSV and Markdown: valid, complete, and with names that stay.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import csv
import io
import json
import os
import unittest

import jsonschema

from support import GUARDED, HERE, KEPT, LOWERED, Case, package

explain = package("explain")
SCHEMAS = os.path.join(os.path.dirname(package().__file__), "schema")


def schema(name):
    with open(name, encoding="utf-8") as stream:
        return json.load(stream)


class Json(Case):
    def test_valid_and_complete(self):
        self.write("a.yaml", KEPT + LOWERED + GUARDED + GUARDED)
        data = json.loads(self.fine("--format", "json", "a.yaml"))
        jsonschema.validate(data, schema(os.path.join(SCHEMAS, "report.schema.json")))
        self.assertEqual(data["summary"]["decisions"]["kept"], 1)
        self.assertEqual(data["summary"]["repeats"], 1)
        kept = data["loops"][1]
        self.assertEqual((kept["line"], kept["code"], kept["facts"][1]["evidence"]),
                         (12, "MLF2010", ["b->n is read in line 12", "b->p[i] may be b->n"]))
        self.assertEqual(data["loops"][2]["times"], 2)
        self.assertIsNone(kept["gain_cycles"])

    def test_gain(self):
        keys = ("  - GainCycles:  '5840'\n  - Iterations:  '1000'\n"
                "  - GainModel:   '1000 iterations of 7 cycles, less 1160 for the call'\n")
        self.write("a.yaml", KEPT + GUARDED.replace("  - Suggestion", keys + "  - Suggestion"))
        data = json.loads(self.fine("--format", "json", "a.yaml"))
        jsonschema.validate(data, schema(os.path.join(SCHEMAS, "report.schema.json")))
        self.assertEqual([(loop["gain_cycles"], loop["gain_model"]) for loop in data["loops"]],
                         [(None, None),
                          (5840, "1000 iterations of 7 cycles, less 1160 for the call")])
        row = list(csv.DictReader(io.StringIO(self.fine("--format", "csv", "a.yaml"))))[1]
        self.assertEqual(row["gain_cycles"], "5840")
        self.assertIn("| 5,840 |\n", self.fine("--format", "md", "a.yaml"))
        result = json.loads(self.fine("--format", "sarif", "a.yaml"))["runs"][0]["results"][1]
        self.assertIn("gain: 5,840 cycles each time (1000", result["message"]["text"])
        self.assertEqual(result["properties"]["gainCycles"], 5840)

    def test_schema_refuses_what_it_should(self):
        self.write("a.yaml", KEPT)
        data = json.loads(self.fine("--format", "json", "a.yaml"))
        data["loops"][0]["decision"] = "perhaps"
        with self.assertRaises(jsonschema.ValidationError):
            jsonschema.validate(data, schema(os.path.join(SCHEMAS, "report.schema.json")))

    def test_stats(self):
        self.write("a.yaml", KEPT + LOWERED)
        data = json.loads(self.fine("stats", "--format", "json", "a.yaml"))
        self.assertEqual(data["by_file"], {"src/buf.c": {"kept": 1, "lowered": 1}})
        out = self.fine("stats", "a.yaml")
        self.assertRegex(out, r"\n +1 +\. +1 +\. +\. +\. +fill\n")
        self.assertIn("1  MLF2010  how often the loop runs", out)


class Sarif(Case):
    def log(self, *options):
        log = json.loads(self.fine("--format", "sarif", *options, "a.yaml"))
        # Inputs/sarif.schema.json is of the part that is written here; formats.py has the whole.
        jsonschema.validate(log, schema(os.path.join(HERE, "Inputs", "sarif.schema.json")))
        return log["runs"][0]

    def test_results_and_rules(self):
        self.write("a.yaml", KEPT + LOWERED + GUARDED)
        run = self.log()
        rules = run["tool"]["driver"]["rules"]
        self.assertEqual([rule["id"] for rule in rules], ["MLF1001", "MLF1003", "MLF2010"])
        for result in run["results"]:
            self.assertEqual(rules[result["ruleIndex"]]["id"], result["ruleId"])
        kept = run["results"][1]
        self.assertEqual((kept["level"], kept["kind"]), ("note", "fail"))
        self.assertEqual(kept["locations"][0]["physicalLocation"]["region"],
                         {"startLine": 12, "startColumn": 3})
        self.assertIn("need a count that is fixed before the loop", kept["message"]["text"])
        self.assertEqual(run["results"][0]["kind"], "informational")

    def test_fingerprint_is_the_identity(self):
        self.write("a.yaml", KEPT)
        before = self.log()["results"][0]["partialFingerprints"]
        self.write("a.yaml", KEPT.replace("Line: 12", "Line: 99"))
        self.assertEqual(self.log()["results"][0]["partialFingerprints"], before)
        self.assertEqual(list(before.values()), ["src/buf.c:clear:0:9f3a"])

    def test_limit(self):
        self.write("a.yaml", "".join(KEPT.replace("9f3a", str(i)).replace("12", str(12 + i))
                                     for i in range(7)))
        self.assertEqual(len(self.log("--max-results", "3")["results"]), 3)
        self.assertEqual(self.log("--max-results", "3")["properties"], {"loops": 7, "shown": 3})
        self.assertEqual(len(self.log("--max-results", "0")["results"]), 7)

    def test_help_of_every_rule(self):
        self.write("a.yaml", "".join(KEPT.replace("MLF2010", code).replace("9f3a", code)
                                     for code in explain.codes()))
        for rule in self.log("--help-uri", "https://example.org/ref/")["tool"]["driver"]["rules"]:
            name = rule["name"].lower()
            self.assertEqual(rule["helpUri"], "https://example.org/ref/diagnostics.md#"
                                              f"{rule['id'].lower()}-{name}")
            self.assertIn("What to do: ", rule["help"]["markdown"])

    def test_place_that_is_unknown_or_odd(self):
        self.write("a.yaml", "".join(l + "\n" for l in KEPT.split("\n")[:-1]
                                     if not l.startswith("DebugLoc")) +
                   LOWERED.replace("src/buf.c, Line", "'/tmp/a b#.c', Line"))
        run = self.log()
        places = [r["locations"][0]["physicalLocation"] for r in run["results"]]
        self.assertEqual(places[0], {"artifactLocation": {"uri": "unknown",
                                                          "uriBaseId": "SRCROOT"}})
        self.assertEqual(places[1]["artifactLocation"], {"uri": "file:///tmp/a%20b%23.c"})


class Html(Case):
    """What needs no browser; html.py works with the page in one."""

    def setUp(self):
        super().setUp()
        self.write("src/buf.c", "int a; /* </script><b> */\n" * 20)
        self.write("src/net.c", "int b;\n" * 50)
        self.write("a.yaml", KEPT + LOWERED + GUARDED)

    def page(self, *options):
        return self.fine("--format", "html", *options, "a.yaml")

    def data(self, *options):
        text = self.page(*options).split('id="data">')[1].split("</script>")[0]
        return json.loads(text.replace("<\\/", "</"))

    def test_one_file_that_asks_for_nothing(self):
        page = self.page("--title", "a <b> & c")
        self.assertIn("<h1>a &lt;b&gt; &amp; c</h1>", page)
        for word in ("http:", "https:", "src=", "@import", "url("):
            self.assertNotIn(word, page)
        self.assertEqual(page.count("</script>"), 2)
        self.assertEqual(page.count('<tr class="loop"'), 3)

    def test_gain_is_a_column_and_a_chart(self):
        self.assertNotIn("Expected gain", self.page())
        keys = "  - GainCycles:  '5840'\n  - GainModel:   'of 7 cycles'\n  - Suggestion"
        self.write("a.yaml", KEPT + GUARDED.replace("  - Suggestion", keys))
        page = self.page()
        self.assertIn('aria-label="copy: 5,840 saved, 0 by suggestions"', page)
        self.assertIn('data-gain="5840.0"', page)
        self.assertIn('<td class="number" data-label="gain">5,840</td>', page)
        self.assertIn("5,840 cycles each time (of 7 cycles)", self.data()["strings"])

    def test_source_is_needed_unless_it_is_not_wanted(self):
        os.remove(os.path.join(self.folder, "src", "net.c"))
        error = self.refused("--format", "html", "a.yaml")
        self.assertIn("'src/net.c' cannot be read", error)
        self.assertIn("--no-source", error)
        self.assertEqual(self.data("--no-source")["files"][0]["parts"], [])

    def test_large_sources_are_cut_to_what_is_about_the_loops(self):
        whole = self.data()["files"][0]["parts"]
        self.assertEqual([first for first, _ in whole], [1])
        self.write("src/buf.c", "int a;\n" * 60000)
        parts = self.data()["files"][0]["parts"]
        self.assertEqual([(first, len(lines)) for first, lines in parts], [(1, 25)])

    def test_assembly_of_both_builds(self):
        code = ("\t.text\nclear:\n.LFB0:\n\t.loc 1 2\n.L3:\n\tmov\t$1, %eax # x\n\tret\n"
                "\t.size clear\n")
        self.write("before/buf.s", code)
        self.write("after/buf.s", code.replace("mov", "jmp"))
        found = self.data("--assembly", "before", "--assembly", "after")["assembly"]
        self.assertEqual(found["src/buf.c:clear"][0], ".L3:\n        mov     $1, %eax\n        ret")
        self.assertIn("jmp", found["src/buf.c:clear"][1])
        self.assertIn("no .s file", self.refused("--format", "html", "--assembly", "src", "a.yaml"))

    def test_changes_from_a_build_before(self):
        self.write("before.yaml", KEPT.replace("kept", "lowered").replace(
            "clear:0:9f3a", "clear#0") + LOWERED + GUARDED)
        self.write("a.yaml", KEPT.replace("clear:0:9f3a", "clear#0") + LOWERED + GUARDED)
        self.assertIn('<span class="tag lost">lost 1</span>', self.page("--before", "before.yaml"))


class Tables(Case):
    def test_csv(self):
        self.write("a.yaml", KEPT + GUARDED.replace("declare d restrict", "'a, \"b\"'"))
        rows = list(csv.DictReader(io.StringIO(self.fine("--format", "csv", "a.yaml"))))
        self.assertEqual([row["line"] for row in rows], ["12", "40"])
        self.assertEqual(rows[0]["codes"], "MLF2010;MLF2014")
        self.assertEqual(rows[1]["suggestions"], 'a, "b"')

    def test_markdown_is_no_markup_of_the_source(self):
        self.write("a.yaml", LOWERED.replace("_Z5paintPhm", "operator|_x_`y").replace(
            "memlift_fill8", "'a|b <i> *c*'"))
        out = self.fine("--format", "md", "a.yaml")
        self.assertIn("| `` operator\\|_x_`y `` |", out)
        self.assertIn(r"a\|b \<i> \*c\*", out)
        for line in out.split("\n"):
            if line.startswith("| 4:5"):
                self.assertEqual(line.replace("\\|", "").count("|"), 8)

    def test_output_file(self):
        self.write("a.yaml", KEPT)
        self.assertEqual(self.fine("--format", "json", "-o", "r.json", "a.yaml"), "")
        json.loads(self.read("r.json"))
        self.assertIn("cannot be written", self.refused("-o", "no/r.json", "a.yaml"))

    def test_unknown_code(self):
        self.write("a.yaml", KEPT.replace("MLF2010", "MLF2999"))
        error = self.refused("a.yaml")
        self.assertIn("unknown code 'MLF2999'", error)
        self.assertIn("another version", error)


if __name__ == "__main__":
    unittest.main()
