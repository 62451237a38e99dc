// The page: an editor, what evalang says about its text, and the buttons that act on it.
import { EditorView, basicSetup } from "codemirror";
import { autocompletion } from "@codemirror/autocomplete";
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, WidgetType, hoverTooltip } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { evalang } from "evalang-codemirror";
import colours from "colours.json";
import examples from "examples.json";
import { shown } from "./markdown.js";
import { link, shared } from "./share.js";

const $ = (id) => document.getElementById(id);
const SEVERITY = { error: "error", warning: "warning", note: "info" };
let last = null;

// ------------------------------------------------------------ asking Python

const worker = new Worker("worker.js", { type: "module" });
const waiting = new Map();
let number = 0;

worker.onmessage = ({ data }) => {
  if (data.started) performance.mark("python-started");
  if (data.failed) $("status").textContent = `Python does not start here: ${data.failed}`;
  const done = waiting.get(data.id);
  waiting.delete(data.id);
  if (done) data.error ? done.reject(new Error(data.error)) : done.resolve(data.result);
};

function ask(verb, ...given) {
  return new Promise((resolve, reject) => {
    waiting.set(++number, { resolve, reject });
    worker.postMessage({ id: number, verb, given });
  });
}

// ------------------------------------------------------------ the editor

class Hint extends WidgetType {
  constructor(text, more) { super(); this.text = text; this.more = more; }
  eq(other) { return other.text === this.text; }
  toDOM() {
    const made = document.createElement("span");
    made.className = "hint"; made.textContent = this.text; made.title = this.more;
    return made;
  }
}
const setHints = StateEffect.define();
const hints = StateField.define({
  create: () => Decoration.none,
  update(found, change) {
    for (const effect of change.effects) if (effect.is(setHints)) return effect.value;
    return found.map(change.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

const style = HighlightStyle.define([
  { tag: tags.keyword, class: "k" }, { tag: tags.modifier, class: "m" }, { tag: tags.string, class: "s" },
  { tag: [tags.number, tags.bool, tags.labelName], class: "n" }, { tag: tags.propertyName, class: "p" },
  { tag: tags.comment, class: "c" },
]);

const hover = hoverTooltip(async (view, pos) => {
  const text = await ask("hovered", view.state.doc.toString(), pos);
  return text ? { pos, create: () => ({ dom: shown(text) }) } : null;
}, { hoverTime: 400 });

async function offers(context) {
  const word = context.matchBefore(/[\p{L}\p{N}_.-]*/u);
  if (!context.explicit && (!word || word.from === word.to)) return null;
  return JSON.parse(await ask("completions", context.state.doc.toString(), context.pos));
}

let timer;
const view = new EditorView({
  parent: $("editor"),
  doc: shared(location.hash) ?? sessionStorage.getItem("script") ?? examples[0].text,
  extensions: [
    basicSetup, EditorView.lineWrapping, lintGutter(), hints, hover,
    StreamLanguage.define(evalang(colours)), syntaxHighlighting(style), autocompletion({ override: [offers] }),
    EditorView.contentAttributes.of({ "aria-label": "Script", spellcheck: "false", autocapitalize: "off" }),
    EditorView.updateListener.of((update) => {
      if (!update.docChanged) return;
      clearTimeout(timer);
      timer = setTimeout(judge, 120);
    }),
  ],
});
const text = () => view.state.doc.toString();
const replace = (all) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: all } });
const write = (edits) => { view.dispatch({ changes: edits }); view.focus(); };

// ------------------------------------------------------------ what it says

async function judge() {
  const asked = text();
  sessionStorage.setItem("script", asked);
  let answer;
  try {
    answer = JSON.parse(await ask("judge", asked));
  } catch (error) {
    $("status").textContent = `evalang failed on this text, which is our fault: ${error.message.slice(-300)}`;
    return;
  }
  if (asked !== text()) return; // a newer text is on its way
  last = answer;
  if (!performance.getEntriesByName("first-finding").length) performance.mark("first-finding");
  show(answer);
}

function show({ findings, plan, fits, safe, hints: shownHints }) {
  view.dispatch(setDiagnostics(view.state, findings.map((one) => ({
    from: one.from, to: one.to, severity: SEVERITY[one.level], source: one.code, message: one.message,
    actions: one.fix ? [{ name: one.fix.title, apply: () => write(one.fix.edits) }] : [],
  }))));
  const widgets = shownHints.map((one) => Decoration.widget({ widget: new Hint(one.text, one.more), side: 1 }).range(one.at));
  view.dispatch({ effects: setHints.of(Decoration.set(widgets, true)) });
  const levels = ["error", "warning", "note"].map((level) => [findings.filter((f) => f.level === level).length, level]);
  $("count").textContent = levels.filter(([n]) => n).map(([n, level]) => `${n} ${level}${n === 1 ? "" : "s"}`).join(", ") || "none";
  const order = { error: 0, warning: 1, note: 2 };
  $("findings").replaceChildren(...[...findings].sort((a, b) => order[a.level] - order[b.level]).map(item));
  $("fits").textContent = plan.length ? `${fits.toLocaleString("en")} trainings at most` : "";
  $("plan").replaceChildren(...plan.map(table));
  $("fix-all").disabled = !safe.length;
  $("format").disabled = $("review").disabled = false;
  $("status").textContent = "Nothing has been run. Data is never opened here.";
}

function made(tag, name, content) {
  const found = document.createElement(tag);
  if (name) found.className = name;
  if (content !== undefined) found.textContent = content;
  return found;
}

function item(one) {
  const li = made("li", one.level);
  const head = made("p", "head");
  const code = made("button", "code", `${one.code} ${one.name}`);
  code.onclick = () => explain(one.code);
  const line = made("button", "line", `line ${view.state.doc.lineAt(Math.min(one.from, view.state.doc.length)).number}`);
  line.onclick = () => { view.dispatch({ selection: { anchor: one.from, head: one.to }, scrollIntoView: true }); view.focus(); };
  head.append(made("span", "level", one.level), code, line);
  li.append(head, made("p", "", one.message), made("p", "help", one.help));
  if (one.fix) {
    const tools = made("div", "tools");
    const fix = made("button", "fix", `Repair: ${one.fix.title.replaceAll("`", "")}`);
    fix.onclick = () => write(one.fix.edits);
    tools.append(fix);
    li.append(tools);
  }
  return li;
}

function table(one) {
  const found = made("table");
  found.append(made("caption", "", one.name));
  for (const [head, content] of one.rows) {
    const row = made("tr");
    const th = made("th", "", head);
    th.scope = "row";
    row.append(th, made("td", "", content));
    found.append(row);
  }
  return found;
}

async function explain(code) {
  $("page").querySelector("article").replaceWith(shown(await ask("explained", code)));
  $("page").showModal();
}

// ------------------------------------------------------------ the buttons

async function copied(button, content) {
  const before = button.textContent;
  try { await navigator.clipboard.writeText(content); button.textContent = "Copied"; }
  catch { button.textContent = "Not allowed to copy"; }
  setTimeout(() => { button.textContent = before; }, 1500);
}

$("examples").append(...examples.map((one, index) => new Option(one.title, index)));
$("examples").onchange = ({ target }) => { if (target.value) replace(examples[target.value].text); target.value = ""; };
$("fix-all").onclick = () => last && write(last.safe);
$("format").onclick = async () => { const before = text(); const after = await ask("formatted", before); if (before === text() && after !== before) replace(after); };
$("share").onclick = () => { history.replaceState(null, "", link(location.href, text())); copied($("share"), location.href); };
$("review").onclick = () => last && copied($("review"), last.review);
addEventListener("hashchange", () => { const found = shared(location.hash); if (found !== null && found !== text()) replace(found); });

window.playground = { view, review: () => last && last.review }; // for those who try things out in the console
judge();
if ("serviceWorker" in navigator && location.protocol !== "file:") navigator.serviceWorker.register("offline.js");
