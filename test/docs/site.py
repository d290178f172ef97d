#!/usr/bin/env python3
# site.py - the site of the documents, made by tools/site, in a real browser.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the site, and opens and searches it in headless Chromium at 1280 and 400 pixels. A copy of
the documents with broken links has to be refused.

Exit status: 0 right, 1 not, 77 a tool is missing (--install installs mkdocs and chromium).
"""
import functools
import http.server
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
for folder in ("report", "realcode"):
    sys.path.insert(1, os.path.join(HERE, "..", folder))
# pylint: disable=wrong-import-position
import browser  # noqa: E402
import packages  # noqa: E402

NEEDS = ["mkdocs", "chromium"]


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves a folder, and says nothing."""

    def log_message(self, *_):
        """No line for each request."""


class Site(unittest.TestCase):
    """The site that is served on a port of this machine."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        subprocess.run([os.path.join(ROOT, "tools", "site"), "--output", cls.folder], check=True)
        cls.server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Quiet, directory=cls.folder))
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.address = f"http://127.0.0.1:{cls.server.server_address[1]}"

    @classmethod
    def tearDownClass(cls):
        cls.server.shutdown()
        shutil.rmtree(cls.folder)

    def open(self, path, width=1280):
        """A page that is loaded."""
        page = browser.Page(width)
        self.addCleanup(page.close)
        page.send("Page.navigate", url=f"{self.address}/{path}")
        while not any(event.get("method") == "Page.loadEventFired" for event in page.events):
            page.events.append(page.message())
        return page

    def wait(self, page, script):
        """The value of a script, once it is one."""
        for _ in range(600):
            try:
                value = page.run(script)
            except RuntimeError:  # the page is being left for another
                value = None
            if value:
                return value
            time.sleep(0.1)
        return self.fail(f"not within a minute: {script}")

    def test_first_page(self):
        page = self.open("index.html")
        self.assertEqual(page.run("document.querySelector('h1').innerText.trim().slice(0, 7)"),
                         "memlift")
        self.assertGreater(page.run("document.querySelectorAll('table tr').length"), 10)
        menus = page.run("[...document.querySelectorAll('.navbar a')].map(a => a.innerText).join()")
        for menu in ("User guide", "Reference", "Design"):
            self.assertIn(menu, menus)

    def test_follows_a_link(self):
        page = self.open("docs/user/getting-started.html")
        page.run("[...document.querySelectorAll('a')].find(a => a.getAttribute('href') == "
                 "'options.html').click()")
        self.assertEqual(self.wait(page, "location.pathname.endsWith('/options.html') && "
                                   "document.querySelector('h1')?.innerText.slice(0, 7)"),
                         "Choosin")

    def test_search(self):
        page = self.open("docs/user/options.html")
        typed = ("(() => {{ const field = document.querySelector('#mkdocs-search-query'); "
                 "field.value = '{}'; field.dispatchEvent(new Event('keyup')); "
                 "const found = document.querySelector('#mkdocs-search-results'); return {}; }})()")
        found = self.wait(page, typed.format("MLF2010", "[...found.querySelectorAll('article a')]"
                                             ".map(a => a.getAttribute('href')).join()"))
        self.assertIn("diagnostics.html", found)
        # Addresses of results start at the page that one searches from.
        self.assertEqual(page.run("fetch(document.querySelector('#mkdocs-search-results article a')"
                                  ".href).then(answer => answer.status)"), 200)
        self.wait(page, typed.format("frobnicate", "/^No/.test(found.innerText.trim())"))

    def test_narrow(self):
        page = self.open("docs/user/options.html", 400)
        self.assertGreater(
            page.run("document.querySelector('h1').getBoundingClientRect().width"), 0)

    def test_code_keeps_its_form(self):
        page = self.open("index.html")
        code = page.run("[...document.querySelectorAll('pre code')].map(c => c.innerText).join('')")
        self.assertIn("to[i] = from[i];", code)
        self.assertNotIn("```", page.run("document.body.innerText"))


class Broken(unittest.TestCase):
    """Documents whose links lead nowhere."""

    def refused(self, name, text):
        """What tools/site says of a copy of the documents where one has these words more."""
        with tempfile.TemporaryDirectory() as folder:
            for part in ("docs", "tools", "README.md", "NEWS.md", "CONTRIBUTING.md", "LICENSE",
                         "bench", "test", "runtime", "examples", "intrinsics", "idioms", "mars",
                         "drivers", "packages", "llvm-passes", "gcc-plugin", "report", "cmake"):
                os.symlink(os.path.join(ROOT, part), os.path.join(folder, part))
            for part in ("docs", "tools"):
                os.remove(os.path.join(folder, part))
                shutil.copytree(os.path.join(ROOT, part), os.path.join(folder, part))
            with open(os.path.join(folder, name), "a", encoding="utf-8") as stream:
                stream.write(text)
            done = subprocess.run([os.path.join(folder, "tools", "site")], capture_output=True,
                                  text=True, check=False)
            return done.returncode, done.stderr

    def test_file(self):
        code, said = self.refused("docs/user/limits.md", "\n[more](no-such-page.md)\n")
        self.assertEqual(code, 1)
        self.assertIn("docs/user/limits.md: no file no-such-page.md", said)

    def test_anchor(self):
        code, said = self.refused("docs/user/limits.md", "\n[more](options.md#no-such-heading)\n")
        self.assertEqual(code, 1)
        self.assertIn("options.html#no-such-heading", said)


if __name__ == "__main__":
    if sys.argv[1:] == ["--install"]:
        sys.exit(packages.get("site", NEEDS))
    if not browser.find() or not shutil.which("mkdocs"):
        print("site: skipped: mkdocs or chromium is missing (--install)")
        sys.exit(77)
    unittest.main()
