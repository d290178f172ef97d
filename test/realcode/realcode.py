#!/usr/bin/env python3
# realcode.py - other people's projects, built through memlift, pass the tests that they pass
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds projects of Debian with clang-22, gcc-12 and memlift's wrappers of the two, runs the
projects' own tests, and compares what came out: a test that fails under memlift alone is a
defect of memlift. Then prints what memlift said of the loops, for each project.

Sources are fetched by package name from this Debian release's main section and kept, like the
results, below BUILD/realcode. A finished result is not done again while nothing changed that it
depends on. Exit status: 0 no difference, 1 a difference, or a build that failed; 2 bad usage;
77 nothing could be compared.
"""

import argparse
import os
import subprocess
import sys

try:
    import yaml  # noqa: F401 - loops needs it; say so at the beginning
except ImportError:
    print("realcode: skipped: this Python has no yaml module (python3-yaml)")
    sys.exit(77)

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from packages import get, missing
from projects import PROJECTS
from sources import Archive, Unavailable
from stages import Run, compilers
from table import differences, markdown


def say(text):
    """A line of progress."""
    print(f"realcode: {text}", flush=True)


def bad_usage(text):
    """Ends with the message."""
    print(f"realcode: error: {text}", file=sys.stderr)
    sys.exit(2)


def wanted(args):
    """The projects to do, in the order of the records."""
    names = [project.name for project in PROJECTS]
    for name in args.project or ():
        if name not in names:
            bad_usage(f"no project '{name}'; there are: {', '.join(names)}")
    return [project for project in PROJECTS if not args.project or project.name in args.project]


def ready(tools, args):
    """The compilers to do: those asked for, with the stock ones they are compared with."""
    names = args.compiler or list(tools)
    for name in names:
        if name not in tools:
            bad_usage(f"no compiler '{name}'; there are: {', '.join(tools)}")
    found = []
    for name, tool in tools.items():
        asked = name in names or any(tools[other].stock == name for other in names)
        if not asked:
            continue
        probe = subprocess.run([tool.cc, "--version"], capture_output=True, check=False) \
            if tool.ours == () or os.access(tool.cc, os.X_OK) else None
        if probe is None or probe.returncode or not all(map(os.path.exists, tool.ours)):
            say(f"left out: {name}: it does not run here")
        else:
            found.append(tool)
    return found


def one(project, tool, archive, args):
    """Result of a project under a compiler, from before or done now."""
    run = Run(project, tool, args.root, args.jobs)
    result = run.done()
    if result is None:
        say(f"{run.name}: begins")
        pristine = os.path.join(args.root, "src", project.name)
        if not os.path.isdir(pristine):
            os.makedirs(os.path.dirname(pristine), exist_ok=True)
            archive.unpack(project.package, pristine)
        result = run.run(pristine)
        say(f"{run.name}: " + ", ".join(
            f"{stage} {result[stage]} ({result.get(stage + '_seconds')} s)"
            for stage in ("configure", "build", "test") if stage in result)
            + f", {len(result['verdicts'])} verdicts; logs in {run.logs}")
    return result


def again(project, tool, args, stock, result):
    """Runs the tests once more where they differ: a test that depends on chance is not ours."""
    if "test" not in result or result.get("repeated") or not differences(stock, result):
        return result
    run = Run(project, tool, args.root, args.jobs)
    if os.path.isdir(run.tree):
        say(f"{run.name}: differs from {tool.stock}; its tests once more")
        first = differences(stock, result)
        run.test(result)
        result["repeated"] = first
        run.save(result)
    return result


def everything(projects, tools, archive, args):
    """{(project, compiler): result}; None where the source cannot be had."""
    results = {}
    for project in projects:
        absent = missing(project.needs)
        if absent:
            say(f"left out: {project.name}: it needs {' '.join(absent)} (--install)")
            continue
        try:
            for tool in tools:
                result = one(project, tool, archive, args)
                if tool.ours:
                    result = again(project, tool, args, results[project.name, tool.stock], result)
                results[project.name, tool.name] = result
        except Unavailable as error:
            say(f"left out: {project.name}: {error}")
    return results


def install(projects):
    """Installs what the projects need beside memlift's own packages."""
    return get("realcode", sorted({need for project in projects for need in project.needs}))


def arguments():
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, help="build folder with bin/memlift-*")
    parser.add_argument("--project", action="append", metavar="NAME", help="this one; repeatable")
    parser.add_argument("--compiler", action="append", metavar="NAME",
                        help="this one and the stock one it is compared with; repeatable")
    parser.add_argument("--jobs", type=int, default=2, help="of make (default 2)")
    parser.add_argument("--nice", type=int, default=5, help="added to the niceness (default 5)")
    parser.add_argument("--table", metavar="FILE", help="also write the table there, as Markdown")
    parser.add_argument("--list", action="store_true", help="name projects and compilers, and stop")
    parser.add_argument("--install", action="store_true",
                        help="install the Debian packages that the projects need, and stop")
    return parser.parse_args()


def main():
    """Does what is asked for; prints the differences and the table."""
    args = arguments()
    args.root = os.path.join(os.path.abspath(args.build), "realcode")
    tools, projects = compilers(os.path.abspath(args.build)), wanted(args)
    if args.list:
        print("projects:", *(project.name for project in PROJECTS))
        print("compilers:", *tools)
        return 0
    if args.install:
        return install(projects)
    os.nice(args.nice)
    results = everything(projects, ready(tools, args),
                         Archive(os.path.join(args.root, "sources")), args)
    text, bad, compared = markdown(projects, tools, results, args.root)
    print(text)
    if args.table:
        with open(args.table, "w", encoding="utf-8") as stream:
            stream.write(text)
    say(f"{compared} compared with the stock build, {bad} different")
    return 77 if compared == 0 else int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
