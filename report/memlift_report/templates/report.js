/* report.js - what the page shows on demand: proofs, source, assembly; filters and order. */
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const text = (n) => data.strings[n];
  const $ = (id) => document.getElementById(id);
  const rows = [...document.querySelectorAll("tr.loop")];
  const rowOf = new Map(rows.map((r) => [Number(r.dataset.n), r]));

  function make(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {}))
      if (value !== undefined) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }

  /* A fact in full: need, have, evidence. */
  function factOf(fact, number) {
    const [name, verdict, code, need, have, ...evidence] = fact.map(text);
    const list = make("dl");
    for (const [key, value] of [["need", need], ["have", have], ...evidence.map((e) => ["evidence", e])])
      if (value) list.append(make("dt", {}, key), make("dd", {}, value));
    const head = make("p", {style: "margin:0"}, `${number}. `, make("strong", {}, `${verdict}: ${name}`));
    if (code) head.append(" ", codeOf(code));
    return make("div", {class: `fact ${verdict}`}, head, list);
  }

  function codeOf(code) {
    if (!data.codes[code]) return code;
    const shown = make("button", {type: "button", "aria-expanded": "false", title: `what ${code} means`}, code);
    shown.addEventListener("click", (event) => {
      event.stopPropagation();
      const block = shown.closest(".fact, p");
      const old = block.querySelector("pre") || (block.nextElementSibling || {}).matches?.("pre.why") && block.nextElementSibling;
      if (old) old.remove();
      else {
        const why = make("pre", {class: "why"}, data.codes[code]);
        if (block.matches("p")) block.after(why); else block.append(why);
      }
      shown.setAttribute("aria-expanded", String(!old));
    });
    return shown;
  }

  function assemblyOf(row) {
    const loop = data.loops[row.dataset.n];
    const file = data.files[row.dataset.k].name;
    const mangled = loop.i.replace(/#[a-z]*\d+$/, "").slice(loop.i.indexOf(":") + 1);
    const codes = data.assembly[`${file}:${mangled}`];
    if (!codes || !codes.some(Boolean)) return "";
    const names = codes.length > 1 ? ["without memlift", "with memlift"] : ["assembly"];
    return make("details", {}, make("summary", {}, `assembly of ${mangled}`),
      make("div", {class: "asm"}, ...codes.map((code, i) => make("div", {},
        make("strong", {}, names[i] || ""), make("pre", {tabindex: "0", "aria-label": `assembly ${names[i] || ""}`}, code || "(none)")))));
  }

  /* What holds in one line, what failed or is guarded in full; the whole proof on demand. */
  function chainOf(row) {
    const loop = data.loops[row.dataset.n];
    const facts = loop.f.map((n) => data.facts[n]);
    const quiet = (fact) => ["proved", "unchecked"].includes(text(fact[1]));
    const chain = make("div", {class: "chain"}, make("p", {}, text(loop.m)));
    if (loop.c) chain.append(make("p", {}, "also inlined into: ", loop.c.map((c) => data.names[c] || c).join(", ")));
    const holds = facts.filter(quiet);
    const names = [...new Set(holds.map((f) => text(f[0])))];
    if (names.length) chain.append(make("p", {class: "holds"}, `✓ ${holds.length === 1 ? "1 fact holds" : `${holds.length} facts hold`}: ${names.join(", ")}`));
    const told = make("div");
    facts.forEach((fact, i) => quiet(fact) || told.append(factOf(fact, i + 1)));
    chain.append(told);
    if (loop.g !== undefined) chain.append(make("p", {}, make("strong", {}, "gain: "), text(loop.g)));
    for (const n of loop.s || []) chain.append(make("p", {}, make("strong", {}, "suggestion: "), text(n)));
    for (const [code, n] of loop.a || []) chain.append(make("p", {}, make("strong", {}, "advice "), codeOf(code), ": ", text(n)));
    if (holds.length) {
      const whole = make("details", {}, make("summary", {}, "the whole proof"));
      whole.addEventListener("toggle", () => {
        if (whole.open && whole.children.length === 1) facts.forEach((f, i) => whole.append(factOf(f, i + 1)));
      });
      chain.append(whole);
    }
    chain.append(assemblyOf(row));
    if (loop.i) chain.append(make("p", {class: "id"}, loop.i));
    return chain;
  }

  function toggle(row, wanted) {
    const button = row.querySelector("button");
    const open = button.getAttribute("aria-expanded") === "true";
    if (wanted === open) return;
    button.setAttribute("aria-expanded", String(!open));
    row.classList.toggle("open", !open);
    if (open) row.nextElementSibling.remove();
    else {
      const cell = make("td", {colspan: row.cells.length}, chainOf(row));
      if (Number(row.dataset.line)) {
        const go = make("button", {type: "button"}, "show in the source");
        go.addEventListener("click", () => showSource(row));
        cell.append(go);
      }
      row.after(make("tr", {class: "proof"}, cell));
    }
  }

  /* ---- source ---- */
  const WORDS = /("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(\/\/.*|\/\*.*?\*\/)|\b(auto|bool|break|case|char|class|const|const_cast|constexpr|continue|default|delete|do|double|else|enum|extern|float|for|goto|if|inline|int|long|namespace|new|operator|private|public|register|restrict|return|short|signed|sizeof|static|static_cast|struct|switch|template|this|typedef|typename|union|unsigned|using|virtual|void|volatile|while)\b/g;

  function coloured(line) {
    const out = make("span", {class: "t"});
    if (/^\s*(\*|\/\*(?!.*\*\/))/.test(line)) { out.append(make("span", {class: "c"}, line)); return out; }
    let at = 0;
    for (const found of line.matchAll(WORDS)) {
      out.append(line.slice(at, found.index), make("span", {class: found[1] ? "s" : found[2] ? "c" : "w"}, found[0]));
      at = found.index + found[0].length;
    }
    out.append(line.slice(at));
    return out;
  }

  function markOf(row, line) {
    const mark = make("button", {type: "button", class: row.dataset.decision, "aria-expanded": "false"},
      `${row.dataset.idiom} ${row.dataset.decision} ${row.cells[4].textContent}`);
    mark.addEventListener("click", () => {
      const open = mark.getAttribute("aria-expanded") === "true";
      mark.setAttribute("aria-expanded", String(!open));
      const id = `under-${row.dataset.n}`;
      if (open) $(id).remove();
      else line.after(make("div", {class: "under", id}, chainOf(row)));
    });
    return mark;
  }

  function listing(k) {
    const marks = new Map();
    for (const row of rows)
      if (Number(row.dataset.k) === k) marks.set(Number(row.dataset.line), [...(marks.get(Number(row.dataset.line)) || []), row]);
    const box = make("div", {class: "listing", tabindex: "0", role: "region", "aria-label": `source of ${data.files[k].name}`});
    let expected = 1;
    for (const [first, lines] of data.files[k].parts) {
      if (first > expected) box.append(make("div", {class: "gap"}, `⋯ ${first - expected} lines`));
      lines.forEach((line, i) => {
        const number = first + i;
        const here = marks.get(number) || [];
        const element = make("div", {class: here.length ? `row marked ${here[0].dataset.decision}` : "row", id: `L${k}-${number}`},
          make("span", {class: "n"}, String(number)), coloured(line));
        if (here.length) element.append(make("span", {class: "marks"}, ...here.map((row) => markOf(row, element))));
        box.append(element);
      });
      expected = first + lines.length;
    }
    if (!data.files[k].parts.length) box.append(make("p", {class: "gap"}, "no source at hand"));
    return box;
  }

  const files = data.files.map((file, k) => {
    const mine = rows.filter((row) => Number(row.dataset.k) === k);
    const kept = mine.filter((row) => row.dataset.decision === "kept").length;
    const details = make("details", {}, make("summary", {}, `${file.name} `, make("span", {class: "note"}, `${mine.length} loop${mine.length === 1 ? "" : "s"}, ${kept} kept`)));
    details.addEventListener("toggle", () => fill(details, k));
    $("files").append(details);
    return details;
  });
  const fill = (details, k) => {
    if (details.open && details.children.length === 1) details.append(listing(k));
  };
  if (files.length === 1) files[0].open = true;

  function showSource(row) {
    const k = Number(row.dataset.k);
    files[k].open = true;
    fill(files[k], k);
    const line = $(`L${k}-${row.dataset.line}`);
    if (!line) return;
    const mark = [...line.querySelectorAll(".marks button")];
    line.scrollIntoView({block: "center"});
    (mark[0] || line).focus();
  }

  /* ---- filters and order ---- */
  const words = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  function filter() {
    const wanted = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const decisions = new Set([...document.querySelectorAll("[name=decision]:checked")].map((b) => b.value));
    let shown = 0;
    for (const row of rows) {
      const fits = decisions.has(row.dataset.decision) && (!$("idiom").value || row.dataset.idiom === $("idiom").value) &&
        (!$("file").value || row.dataset.k === $("file").value) && wanted.every((word) => words.get(row).includes(word));
      row.hidden = !fits;
      if (!fits) toggle(row, false);
      shown += fits;
    }
    $("count").textContent = `${shown} of ${rows.length} loops`;
  }
  $("filters").addEventListener("input", filter);
  $("filters").addEventListener("submit", (event) => event.preventDefault());
  $("filters").addEventListener("reset", () => setTimeout(filter));

  const heads = [...document.querySelectorAll("th")];
  function sortBy(head) {
    const key = head.querySelector("button").dataset.key;
    const numbers = key === "rank" || key === "gain"; // the largest first
    const down = numbers ? head.getAttribute("aria-sort") !== "descending" : head.getAttribute("aria-sort") === "ascending";
    const column = heads.indexOf(head);
    heads.forEach((other) => other.setAttribute("aria-sort", other !== head ? "none" : down ? "descending" : "ascending"));
    const value = new Map(rows.map((row) => [row, key === "place" ? [Number(row.dataset.k), Number(row.dataset.line)]
      : numbers ? [Number(row.dataset[key] || 0)] : [row.cells[column].textContent.toLowerCase()]]));
    const compare = (a, b) => {
      for (let i = 0; i < value.get(a).length; i++) {
        const x = value.get(a)[i], y = value.get(b)[i];
        if (x !== y) return (x < y ? -1 : 1) * (down ? -1 : 1);
      }
      return Number(a.dataset.n) - Number(b.dataset.n);
    };
    const body = document.querySelector("#table tbody");
    rows.sort(compare);
    const opened = rows.filter((row) => row.classList.contains("open"));
    opened.forEach((row) => toggle(row, false));
    body.append(...rows);
    opened.forEach((row) => toggle(row, true));
  }
  heads.forEach((head) => head.querySelector("button").addEventListener("click", () => sortBy(head)));

  $("table").addEventListener("click", (event) => {
    const row = event.target.closest("tr.loop");
    if (row && !String(getSelection())) toggle(row);
  });

  /* ---- keys and theme ---- */
  function step(by) {
    const visible = rows.filter((row) => !row.hidden);
    const at = visible.findIndex((row) => row.contains(document.activeElement));
    const next = visible[at < 0 ? 0 : Math.min(Math.max(at + by, 0), visible.length - 1)];
    if (next) { next.querySelector("button").focus(); next.scrollIntoView({block: "nearest"}); }
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
    const row = document.activeElement.closest("tr.loop");
    if (event.key === "/") { event.preventDefault(); $("search").focus(); }
    else if (event.key === "j") step(1);
    else if (event.key === "k") step(-1);
    else if (event.key === "s" && row) showSource(row);
  });

  const theme = (name) => {
    document.documentElement.dataset.theme = name;
    $("theme").setAttribute("aria-pressed", String(name === "dark"));
  };
  theme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  $("theme").addEventListener("click", () => theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
  addEventListener("beforeprint", () => theme("light"));

  const named = location.hash.match(/^#loop-(\d+)$/);
  if (named && rowOf.has(Number(named[1]))) toggle(rowOf.get(Number(named[1])), true);
})();
