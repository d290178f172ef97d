# explain.py - the long text of a code, from the records of Diagnostics.td.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import difflib
import json
import os

from . import ReportError

HERE = os.path.dirname(os.path.abspath(__file__))
# Beside the package when built or installed; in the source tree where it is generated.
PLACES = (os.path.join(HERE, "diagnostics.json"),
          os.path.join(HERE, "..", "..", "intrinsics", "generated", "diagnostics.json"))
MISSED = "Missed"

_codes = {}


def codes():
    """Code -> record, in ascending order; empty if the installation lacks the file."""
    if not _codes:
        for place in PLACES:
            if os.path.exists(place):
                with open(place, encoding="utf-8") as stream:
                    for item in json.load(stream)["diagnostics"]:
                        _codes[item["code"]] = item
                break
    return _codes


def text_of(code):
    return codes().get(code, {}).get("text", "")


def advice_of(code):
    """General advice; empty where there is nothing to be done."""
    advice = codes().get(code, {}).get("advice", "")
    return "" if advice.startswith("nothing") else advice


def find(asked):
    """MLF2010, mlf2010, 2010 and TripCountUnknown all name one record."""
    known = codes()
    if not known:
        raise ReportError(f"'{PLACES[0]}' is missing: install memlift-report again [MLF0007]")
    word = asked.upper()
    if word.isdigit():
        word = f"MLF{int(word):04d}"
    if word in known:
        return known[word]
    names = {item["name"].lower(): item for item in known.values()}
    if asked.lower() in names:
        return names[asked.lower()]
    near = difflib.get_close_matches(asked.lower(), names, 1)
    near += difflib.get_close_matches(word, known, 1)
    hint = names[near[0]]["name"] if near and near[0] in names else "".join(near[:1])
    raise ReportError(f"no such code: '{asked}'" + (f"; did you mean {hint}?" if hint else "") +
                      "\nmemlift-report explain lists all codes")


def page(item):
    return (f"{item['code']} {item['name']}\n\n{item['text']}\n\n{item['long']}\n\n"
            f"what to do: {item['advice']}\n")


def listing():
    width = max(len(item["name"]) for item in codes().values())
    return "".join(f"{code}  {item['name']:{width}}  {item['text']}\n"
                   for code, item in codes().items())


def explain(asked):
    """The text for the codes asked for, or the list of all."""
    if asked:
        return "\n".join(page(find(word)) for word in asked)
    find("MLF0001")
    return listing()
