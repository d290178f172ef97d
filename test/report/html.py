#!/usr/bin/env python3
# html.py - the HTML report in a real browser, and SARIF against the published schema.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Opens a report of many loops in headless Chromium at 1280 and 400 pixels and works with it: by
mouse, by keyboard, narrow, dark and printed. Nothing may be asked of a network, and no script may
fail. With --sarif it fetches SARIF's published schema (in the npm package @microsoft/jest-sarif)
and sarif-tools, and has both look at our file.

tools/test report runs neither: chromium is a large package. Exit status: 0 right, 1 not,
77 a tool is missing (--install installs chromium).
"""
import argparse
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest

import browser
from support import GUARDED, KEPT, LOWERED, Case

MANY = 1000
LOOP = "document.querySelectorAll('tr.loop:not([hidden])')"


class Browser(Case):
    width, dark = 1280, False

    def setUp(self):
        super().setUp()
        text = []
        for n in range(MANY):
            form = (KEPT, LOWERED, GUARDED)[n % 3]
            line = 1 + n // 50 * 3
            if form is GUARDED:
                form = form.replace("  - Suggestion", f"  - GainCycles: '{n}'\n  - Suggestion")
            text.append(form.replace("buf.c", f"file{n % 50}.c").replace("net.c", f"file{n % 50}.c")
                        .replace("Line: 12", f"Line: {line}").replace("Line: 4,", f"Line: {line},")
                        .replace("Line: 40", f"Line: {line}").replace(":0:", f":{n}:"))
        self.write("a.yaml", "".join(text))
        code = "/* <b>bold</b> </script> */\nfor (int i = 0; i < n; i++)\n  to[i] = 'x';\n"
        for n in range(50):
            self.write(f"src/file{n}.c", code * 40)
        start = time.monotonic()
        self.fine("--format", "html", "-o", "r.html", "a.yaml")
        self.assertLess(time.monotonic() - start, 10)
        self.page = browser.Page(self.width, dark=self.dark)
        self.addCleanup(self.page.close)
        self.seconds = self.page.open(os.path.join(self.folder, "r.html"))

    def run_js(self, script):
        return self.page.run(script)

    def no_complaint(self):
        self.assertEqual(self.page.complaints(), [])
        self.assertLessEqual(self.run_js("document.documentElement.scrollWidth"), self.width)


class Wide(Browser):
    def test_size_and_time(self):
        self.assertLess(os.path.getsize(os.path.join(self.folder, "r.html")), 1_000_000)
        self.assertLess(self.seconds, 5)
        self.assertEqual(self.run_js(LOOP + ".length"), MANY)
        self.no_complaint()

    def test_filter_by_word_decision_and_file(self):
        for script, count in (("b.checked = b.value === 'kept'", 334), ("b.checked = true", MANY)):
            self.run_js("document.querySelectorAll('[name=decision]').forEach(b => {" + script +
                        "; b.dispatchEvent(new Event('input', {bubbles: true}))})")
            self.assertEqual(self.run_js(LOOP + ".length"), count)
            self.assertIn(f"{count} of {MANY}", self.run_js(
                "document.getElementById('count').textContent"))
        start = time.monotonic()
        self.run_js("(s => {s.value = 'file7.c clear'; s.dispatchEvent(new Event('input', "
                    "{bubbles: true}))})(document.getElementById('search'))")
        self.assertLess(time.monotonic() - start, 1)
        self.assertEqual(self.run_js(f"[...{LOOP}].every(r => r.textContent.includes('file7.c') "
                                     "&& r.textContent.includes('clear'))"), True)
        self.assertGreater(self.run_js(LOOP + ".length"), 0)
        self.run_js("document.querySelector('[type=reset]').click()")
        time.sleep(0.2)
        self.assertEqual(self.run_js(LOOP + ".length"), MANY)

    def test_sort(self):
        order = f"[...{LOOP}].map(r => r.cells[3].textContent)"
        start = time.monotonic()
        self.run_js("document.querySelector('[data-key=decision]').click()")
        self.assertLess(time.monotonic() - start, 2)
        found = self.run_js(order)
        self.assertEqual(found, sorted(found))
        self.run_js("document.querySelector('[data-key=decision]').click()")
        self.assertEqual(self.run_js(order), sorted(found, reverse=True))
        self.assertEqual(self.run_js(
            "document.querySelector('[data-key=decision]').closest('th').ariaSort"), "descending")

    def test_gain_sorts_by_number_the_largest_first(self):
        self.run_js("document.querySelector('[data-key=gain]').click()")
        found = self.run_js(f"[...{LOOP}].map(r => Number(r.dataset.gain || 0))")
        self.assertEqual(found, sorted(found, reverse=True))
        self.assertEqual(found[0], 998)
        self.assertIn("copy", self.run_js("document.querySelector('.bars.long').textContent"))

    def test_proof_on_click_and_in_the_source(self):
        self.run_js("document.querySelector('tr.loop[data-decision=kept] button').click()")
        proof = self.run_js("document.querySelector('tr.proof').textContent")
        for part in ("a count that is fixed before the loop", "b->p[i] may be b->n",
                     "1 fact holds: destination contiguous", "advice MLF2014"):
            self.assertIn(part, proof)
        self.run_js("document.querySelector('tr.proof td > button').click()")
        self.assertIn("kept MLF2010", self.run_js("document.activeElement.textContent"))
        self.run_js("document.activeElement.click()")
        self.assertIn("a count that is fixed",
                      self.run_js("document.querySelector('.under').textContent"))
        self.assertIn("<b>bold</b> </script>",
                      self.run_js("document.querySelector('.listing').textContent"))
        self.assertEqual(self.run_js("document.querySelectorAll('.listing b').length"), 0)
        self.run_js("document.querySelector('tr.loop[data-decision=kept] button').click()")
        self.assertIsNone(self.run_js("document.querySelector('tr.proof')"))
        self.no_complaint()

    def test_keyboard_alone(self):
        for _ in range(2):
            self.page.key("j", 74, "j")
        self.assertEqual(self.run_js(f"{LOOP}[1].contains(document.activeElement)"), True)
        self.page.key("Enter", 13, "\r")
        self.assertEqual(self.run_js("document.querySelectorAll('tr.proof').length"), 1)
        self.assertEqual(self.run_js("document.activeElement.ariaExpanded"), "true")
        self.page.key("s", 83, "s")
        self.assertTrue(self.run_js("!!document.activeElement.closest('.listing')"))
        self.page.key("/", 191, "/")
        self.assertEqual(self.run_js("document.activeElement.id"), "search")

    def test_labels(self):
        """Everything that can be worked with has a name for a screen reader."""
        nameless = self.run_js("""[...document.querySelectorAll(
            'button, input, select, svg[role=img], [role=region]')].filter(
            e => !(e.textContent.trim() || e.ariaLabel || (e.labels && e.labels.length))).length""")
        self.assertEqual(nameless, 0)
        self.assertEqual(self.run_js("document.documentElement.lang"), "en")
        self.assertEqual(self.run_js("document.querySelectorAll('h1').length"), 1)

    def test_prints(self):
        pdf = self.page.pdf()
        self.assertTrue(pdf.startswith(b"%PDF"))
        self.assertGreater(len(pdf), 20_000)


class Narrow(Browser):
    width = 400

    def test_nothing_is_wider_than_the_page(self):
        self.no_complaint()
        self.run_js("document.querySelector('tr.loop[data-decision=kept] button').click()")
        self.run_js("document.querySelector('tr.proof td > button').click()")
        self.run_js("document.activeElement.click()")
        self.no_complaint()


CONTRAST = """(() => {
  const bright = (c) => {
    const [r, g, b] = c.match(/[\\d.]+/g).slice(0, 3).map(v => v / 255).map(v =>
      v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const behind = (e) => {
    for (; e; e = e.parentElement) {
      const c = getComputedStyle(e).backgroundColor;
      if (!/, 0\\)$|transparent/.test(c)) return c;
    }
    return 'rgb(255, 255, 255)';
  };
  return Math.min(...[...document.querySelectorAll('.tag, td, th button, figcaption, .total, ' +
    '.listing span, .chain p, dt, dd')].slice(0, 5000).map(e => {
      const [a, b] = [bright(getComputedStyle(e).color), bright(behind(e))].sort((x, y) => y - x);
      return (a + .05) / (b + .05);
    }));
})()"""


class Contrast(Browser):
    """4.5 : 1 is WCAG's bar (AA) for text."""

    def test_light(self):
        self.run_js("document.querySelector('tr.loop[data-decision=kept] button').click()")
        self.assertGreaterEqual(self.run_js(CONTRAST), 4.5)


class Dark(Browser):
    dark = True

    def test_contrast(self):
        self.assertEqual(self.run_js("document.documentElement.dataset.theme"), "dark")
        self.run_js("document.querySelector('tr.loop[data-decision=kept] button').click()")
        self.run_js("document.querySelector('tr.proof td > button').click()")
        self.assertGreaterEqual(self.run_js(CONTRAST), 4.5)
        self.run_js("document.getElementById('theme').click()")
        self.assertEqual(self.run_js("document.documentElement.dataset.theme"), "light")


class Sarif(Case):
    def test_published_schema_and_sarif_tools(self):
        import jsonschema
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["npm", "pack", "-s", "@microsoft/jest-sarif@1.0.0-beta.0"], cwd=folder,
                           check=True, stdout=subprocess.DEVNULL)
            name = next(n for n in os.listdir(folder) if n.endswith(".tgz"))
            with tarfile.open(os.path.join(folder, name)) as archive:
                schema = json.load(archive.extractfile(
                    "package/lib/schemas/sarif-2.1.0-rtm.5.json"))
            self.write("a.yaml", KEPT + LOWERED + GUARDED)
            self.fine("--format", "sarif", "-o", "a.sarif", "a.yaml")
            jsonschema.validate(json.loads(self.read("a.sarif")), schema)
            subprocess.run([sys.executable, "-m", "venv", os.path.join(folder, "v")], check=True)
            tool = os.path.join(folder, "v", "bin", "pip")
            subprocess.run([tool, "install", "-q", "sarif-tools==3.0.5"], check=True)
            out = subprocess.run([os.path.join(folder, "v", "bin", "sarif"), "summary", "a.sarif"],
                                 cwd=self.folder, check=True, capture_output=True, text=True).stdout
            self.assertIn("MLF2010", out)
            self.assertRegex(out, r"note: 1\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sarif", action="store_true", help="the test of SARIF alone")
    parser.add_argument("--install", action="store_true", help="install chromium and stop")
    parser.add_argument("names", nargs="*", help="tests, as unittest names them")
    args = parser.parse_args()
    if args.install:
        return subprocess.run(["apt-get", "install", "-q", "-y", "--no-install-recommends",
                               "chromium"], check=False).returncode
    names = args.names or (["Sarif"] if args.sarif else ["Wide", "Narrow", "Contrast", "Dark"])
    if not args.sarif and not args.names and not browser.find():
        print("html: skipped: no chromium here; --install installs it")
        return 77
    suite = unittest.defaultTestLoader.loadTestsFromNames(names, sys.modules[__name__])
    return int(not unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful())


if __name__ == "__main__":
    sys.exit(main())
