// The review page: opening a record, deciding by key or button, and saving at once.

import { LOCKED_OUT, address, announce, byId, counted, element, familyOf, isAudit, language, scored, state, storageKey, tell, untilReached } from "./common.js";
import { conflictKey, showConflicts, showOutcome, sign } from "./outcome.js";
import { drawQueue, isLeak, loadQueue, markQueue, neighbour, updateQueue } from "./queue.js";
import { RecordView, SIGNS, prepare, stateWords } from "./record.js";
import { Outbox, Refused } from "./saving.js";

// --- saving ---

const QUICK = 500; // milliseconds: a save that takes no longer is not announced

function showSaved(error) {
  const place = byId("saved");
  const waiting = state.outbox.entries.length;
  const decisions = counted(waiting, "decision");
  const show = (name, words) => {
    clearTimeout(state.savingTimer);
    place.dataset.state = name;
    if (name === "saving") {
      state.savingTimer = setTimeout(() => (place.textContent = words), QUICK);
    } else if (place.textContent !== words) place.textContent = words;
  };
  if (waiting === 0) show("saved", "All decisions saved");
  else if (state.outbox.reachable && !error) show("saving", "Saving");
  else if (error instanceof Refused && LOCKED_OUT.includes(error.status)) {
    show("waiting", `${decisions} not saved yet`);
    tell("The server was started again with another token. Open the address that it printed: this browser then sends the decisions that are not saved yet.");
  } else show("waiting", `${decisions} not saved yet: the server does not answer. Trying again.`);
}

const versionKey = (record, reviewer) => `${record} ${reviewer}`;

async function send(entry, confirmed) {
  const { record, reviewer, tab, number, decision } = entry;
  const { temporary, basis, ...body } = decision;
  if (typeof body.span === "string" && body.span.startsWith("new-")) {
    confirmed(); // the span was refused before
    return;
  }
  const key = versionKey(record, reviewer);
  const path = `/api/records/${record}`;
  if (!state.versions.has(key)) {
    state.versions.set(key, (await state.server.get(path, { reviewer })).version);
  }
  for (;;) {
    try {
      const version = state.versions.get(key);
      const answer = await state.server.post(`${path}/decisions`, { tab, number, version, ...body }, { reviewer });
      confirmed();
      settle(entry, answer);
      return;
    } catch (error) {
      if (!(error instanceof Refused) || error.status >= 500 || LOCKED_OUT.includes(error.status)) throw error;
      if (error.status === 409 && error.body?.version !== undefined) {
        state.versions.set(key, error.body.version);
        if (stillMeant(decision, error.body)) continue;
        confirmed();
        received(error.body, reviewer);
        tell("This record was changed in another window. Its current state is shown; your last decision does not fit any more and was not applied.");
      } else {
        confirmed();
        tell(`Not applied: ${error.message}`);
        if (state.record?.id === record) redraw();
      }
      return;
    }
  }
}

// Whether a decision means the same after a change in another window: its span is as it was.
function stillMeant(decision, record) {
  if (decision.action === "add") {
    return record.spans.every(
      (span) => span.state === "deleted" || span.end <= decision.start || decision.end <= span.start,
    );
  }
  if (!decision.basis) return false;
  const span = record.spans.find((one) => one.id === decision.span);
  return span !== undefined && basisOf(span) === decision.basis;
}

const basisOf = (span) => [span.start, span.end, span.label, span.state].join(" ");

function settle(entry, answer) {
  const { decision } = entry;
  if (decision.temporary) {
    const made = answer.spans.find((span) => span.start === decision.start && span.end === decision.end && span.state !== "deleted");
    if (made) {
      state.outbox.rename(decision.temporary, made.id);
      if (state.current === decision.temporary) state.current = String(made.id);
    }
  }
  const before = state.answer;
  received(answer, entry.reviewer);
  if (decision.action === "undo" || decision.action === "redo") goToChange(before, answer);
  if (decision.all_records) loadQueue();
  state.channel?.postMessage({ record: answer.id, reviewer: entry.reviewer, version: answer.version });
}

// A record came from the server: after a decision, or changed elsewhere.
function received(answer, reviewer = state.server.reviewer) {
  state.versions.set(versionKey(answer.id, reviewer), answer.version);
  if (reviewer !== state.server.reviewer) return;
  updateQueue(answer);
  if (state.answer?.id !== answer.id) return;
  state.answer = answer;
  redraw();
}

function goToChange(before, after) {
  if (before?.id !== after.id || state.answer?.id !== after.id) return;
  const seen = new Map(before.spans.map((span) => [span.id, basisOf(span)]));
  const changed = after.spans.find((span) => seen.get(span.id) !== basisOf(span));
  if (changed) {
    select(String(changed.id));
    announce(`${describe(spanById(String(changed.id)))}`);
  }
}

// The record with the decisions that the server has not confirmed yet.
function expected(answer) {
  let { spans, done } = answer;
  for (const { decision } of state.outbox.waitingFor(answer.id, state.server.reviewer)) {
    const change = (values) => {
      spans = spans.map((span) => (String(span.id) === String(decision.span) ? { ...span, ...values(span) } : span));
    };
    const corrected = (span) => (span.state === "added" ? "added" : "changed");
    if (decision.action === "accept") change((span) => ({ state: span.state === "undecided" || span.state === "deleted" ? "accepted" : span.state }));
    else if (decision.action === "delete") {
      spans = spans.filter((span) => String(span.id) !== String(decision.span) || span.state !== "added");
      change(() => ({ state: "deleted" }));
    } else if (decision.action === "relabel") change((span) => ({ label: decision.label, state: corrected(span) }));
    else if (decision.action === "resize") change((span) => ({ start: decision.start, end: decision.end, state: corrected(span) }));
    else if (decision.action === "add") {
      const { start, end, label, temporary } = decision;
      spans = [...spans, { id: temporary, start, end, label, score: null, sources: [], disagreement: false, state: "added", masked_start: null, masked_end: null }];
    } else if (decision.action === "done") done = true;
    else if (decision.action === "reopen") done = false;
  }
  return { ...answer, spans, done };
}

function decide(decision, span = null) {
  if (!state.record) return;
  if (span) {
    decision.span = span.key;
    decision.basis = basisOf(span);
  }
  if (decision.action === "add") {
    state.temporary += 1;
    decision.temporary = `new-${state.outbox.tab}-${state.temporary}`;
  }
  state.outbox.push({ record: state.record.id, reviewer: state.server.reviewer, decision });
  redraw();
}

// --- the record ---

async function openRecord(id, { span = null, focus = true } = {}) {
  state.opening += 1;
  const opening = state.opening;
  const answer = await untilReached(() => state.server.get(`/api/records/${id}`), () => opening === state.opening);
  if (opening !== state.opening || answer === null) return;
  state.versions.set(versionKey(id, state.server.reviewer), answer.version);
  state.answer = answer;
  state.record = prepare(expected(answer));
  state.current = null;
  state.whyFor = null;
  getSelection().removeAllRanges();
  byId("queue-body").classList.remove("open");
  byId("queue-toggle").setAttribute("aria-expanded", "false");
  showPage("records");
  state.view.show(state.record);
  markQueue();
  const first = state.record.spans.find((one) => one.state === "undecided") ?? state.record.spans[0];
  const wanted = state.record.spans.find((one) => one.id === span) ?? first;
  select(wanted?.id ?? null, { focus });
  if (span === null) byId("text").scrollTop = 0;
  announce(`${answer.name}, ${recordFacts()}`);
}

function redraw() {
  if (!state.answer) return;
  const before = state.record;
  state.record = prepare(expected(state.answer), before);
  const index = before.spans.findIndex((span) => span.id === state.current);
  state.view.current = state.current;
  state.view.update(state.record);
  if (state.current !== null && !spanById(state.current)) {
    // The span is gone: its neighbour is next.
    const next = state.record.spans[Math.min(Math.max(index, 0), state.record.spans.length - 1)];
    select(next?.id ?? null, { focus: state.view.root.contains(document.activeElement) });
  } else drawInspector();
  drawRecordHead();
}

function recordFacts() {
  const { spans, language: code } = state.record;
  const count = (wanted) => spans.filter((span) => span.state === wanted).length;
  const leaks = isAudit() ? spans.filter((span) => isLeak(span, state.record.changes)).length : 0;
  return [
    code ? language(code) : null,
    counted(spans.length - count("deleted"), "span"),
    `${count("undecided")} undecided`,
    leaks ? counted(leaks, "leak") : null,
    count("added") && !isAudit() ? `${count("added")} added` : null,
    count("deleted") ? `${count("deleted")} ${stateWords("deleted", state.project.mode)}` : null,
  ]
    .filter(Boolean)
    .join(" · ");
}

function drawRecordHead() {
  const { record } = state;
  byId("record-name").textContent = record.name;
  byId("record-facts").textContent = `${record.done ? "✓ Read · " : ""}${recordFacts()}`;
  const done = byId("done");
  done.textContent = record.done ? "Reopen" : "Mark as read";
  done.dataset.action = record.done ? "reopen" : "done";
  done.title = record.done ? "Shift D" : "Ctrl Enter";
  byId("column-heads").hidden = record.masked === null;
  setEnabled("undo", state.answer.can_undo || state.outbox.entries.length > 0);
  setEnabled("redo", state.answer.can_redo);
}

// A disabled button keeps the focus: somebody who presses it again by keyboard is not thrown out.
function setEnabled(action, enabled) {
  for (const button of document.querySelectorAll(`[data-action="${action}"]`)) {
    button.setAttribute("aria-disabled", String(!enabled));
  }
}

const spanById = (id) => state.record?.spans.find((span) => span.id === id);
const currentSpan = () => (state.current === null ? undefined : spanById(state.current));
const words = (span) => state.record.text.slice(span.from, span.to);

function describe(span) {
  const score = typeof span.score === "number" ? `, score ${scored(span.score)}` : "";
  return `${words(span)}: ${span.label}, ${stateWords(span.state, state.project.mode)}${score}`;
}

function select(id, { focus = true } = {}) {
  state.current = id;
  state.view.leaveCaret();
  if (id !== null) getSelection().removeAllRanges();
  state.view.setCurrent(id, { focus });
  byId("caret-button").setAttribute("aria-pressed", "false");
  drawInspector();
  drawRecordHead();
  rememberPlace();
}

function rememberPlace() {
  const place = JSON.stringify({ record: state.record?.id ?? null, span: state.current, order: state.order });
  sessionStorage.setItem(storageKey("place"), place);
  localStorage.setItem(storageKey("place"), place);
}

function step(direction, test = () => true, wrap = false) {
  const { spans } = state.record;
  const selection = state.view.selection();
  let at = spans.findIndex((span) => span.id === state.current);
  if (selection && at < 0) at = spans.findIndex((span) => span.from >= selection.start) - (direction > 0 ? 1 : 0);
  for (let moved = 1; moved <= spans.length; moved += 1) {
    let index = at < 0 && direction < 0 ? spans.length - moved : at + direction * moved;
    if (index < 0 || spans.length <= index) {
      if (!wrap) break;
      index = (index + spans.length) % spans.length;
    }
    if (test(spans[index])) {
      select(spans[index].id);
      announce(describe(spans[index]));
      return true;
    }
  }
  return false;
}

const isUndecided = (span) => span.state === "undecided";

function advance(message) {
  if (currentSpan() && !isUndecided(currentSpan()) && !step(1, isUndecided, true)) {
    message += ". No undecided span is left; Ctrl Enter marks the record as read";
  }
  announce(currentSpan() && isUndecided(currentSpan()) ? `${message}. Next: ${describe(currentSpan())}` : message);
}

// --- the panel beside the text ---

function drawInspector() {
  const selection = state.view.selection();
  const span = currentSpan();
  const place = byId("what");
  const target = selection ?? (span ? { start: span.from, end: span.to } : null);
  byId("inspector-title").textContent = selection ? "Selected text" : "Span";
  if (!target) {
    place.replaceChildren(element("p", { class: "note" }, "No span. Select text to mark it."));
  } else {
    const { record } = state;
    const quoted = element("p", { class: "quote", lang: record.language }, shortened(record.text.slice(target.start, target.end)));
    const parts = [quoted];
    if (!selection) {
      parts.push(
        element(
          "p",
          { class: "chips" },
          element("span", { class: `chip ${familyOf(span.label)}` }, span.label),
          element("span", { class: `chip state-${span.state}` }, `${SIGNS[span.state]} ${stateWords(span.state, state.project.mode)}`),
        ),
      );
      if (span.maskedFrom !== null) {
        const masked = record.maskedText.slice(span.maskedFrom, span.maskedTo);
        parts.push(element("p", { class: "replaced" }, "Masked as ", element("b", { lang: record.language }, shortened(masked) || "nothing")));
      }
      const facts = [
        typeof span.score === "number" ? `Score ${scored(span.score)}` : null,
        span.sources?.length ? `found by ${span.sources.join(", ")}` : null,
      ].filter(Boolean);
      if (facts.length) parts.push(element("p", { class: "note" }, facts.join(", ")));
      if (span.disagreement) parts.push(element("p", { class: "disagree" }, "≠ The detectors disagree"));
    } else {
      parts.push(element("p", { class: "note" }, isAudit() ? "Press Space, or the key of a label, to mark it as a leak." : "Press Space, or the key of a label, to add it."));
    }
    place.replaceChildren(...parts);
  }
  const equal = target ? state.record.text.equalMentions(target.start, target.end).length : 0;
  byId("equal-count").textContent = equal > 1 ? ` (${equal})` : "";
  const label = selection ? null : span?.label;
  drawLabels();
  for (const button of document.querySelectorAll("[data-label]")) {
    button.setAttribute("aria-pressed", String(button.dataset.label === label));
  }
  for (const action of ["accept", "everywhere", "all-records"]) setEnabled(action, Boolean(span) || Boolean(selection));
  setEnabled("delete", Boolean(span) || Boolean(selection));
  setEnabled("leak", Boolean(selection));
  setEnabled("why", Boolean(target));
  for (const action of ["start-left", "start-right", "end-left", "end-right"]) setEnabled(action, Boolean(span) && !selection);
  drawFloating(selection);
  if (state.whyOpen) explain(target);
}

const shortened = (text) => (text.length > 160 ? `${text.slice(0, 120)} … ${text.slice(-30)}` : text);

// The labels of the record first; the others are one button away, and their keys always work.
function drawLabels() {
  const used = new Set(state.record.spans.map((span) => span.label)).add(state.label);
  const all = state.project.labels;
  const few = all.length <= FEW_LABELS;
  const first = few ? all : all.filter((label) => used.has(label.name));
  const rest = few ? [] : all.filter((label) => !used.has(label.name));
  const drawn = [first, rest].map((labels) => labels.map((label) => label.name).join(" ")).join("|");
  if (byId("labels").dataset.drawn !== drawn) {
    byId("labels").dataset.drawn = drawn;
    byId("labels").replaceChildren(...first.map(labelButton));
    byId("more-labels").hidden = rest.length === 0;
    byId("other-labels").replaceChildren(...rest.map(labelButton));
  }
}

const FEW_LABELS = 14;

function labelButton(label) {
  return element(
    "button",
    { type: "button", class: `chip ${familyOf(label.name)}`, "data-label": label.name, "aria-pressed": "false", title: label.title, onclick: (event) => byMouse(event, () => applyLabel(label.name)) },
    label.name,
    label.key ? element("kbd", {}, label.key) : null,
  );
}

// The buttons beside selected text: for a mouse and for a touch screen.
function drawFloating(selection) {
  const bar = byId("floating");
  const place = selection && !state.view.caret && state.page === "records" ? state.view.selectionPlace() : null;
  if (!place) {
    bar.hidden = true;
    return;
  }
  if (bar.hidden) {
    const label = defaultLabel();
    const menu = element("select", { "aria-label": "Label", onchange: (event) => (state.label = event.target.value) });
    for (const { name } of state.project.labels) menu.append(element("option", { value: name, selected: name === label }, name));
    bar.replaceChildren(
      element("button", { type: "button", class: "danger", onclick: () => markSelection(menu.value) }, isAudit() ? "Mark as leak" : "Mark"),
      menu,
      element("button", { type: "button", onclick: () => run("everywhere") }, "All equal"),
      element("button", { type: "button", onclick: () => (state.whyOpen ? explain(selection) : run("why")) }, "Why not marked?"),
    );
    bar.hidden = false;
  }
  const width = bar.offsetWidth;
  bar.style.left = `${Math.max(8, Math.min(place.right - width / 2, innerWidth - width - 8))}px`;
  const below = place.bottom + 10;
  bar.style.top = `${below + bar.offsetHeight < innerHeight ? below : Math.max(8, place.top - bar.offsetHeight - 10)}px`;
}

async function explain(target) {
  const place = byId("why");
  if (!target) {
    place.replaceChildren();
    state.whyFor = null;
    return;
  }
  const { record } = state;
  const start = record.text.point(target.start);
  const end = record.text.point(target.end);
  const wanted = `${record.id} ${start} ${end}`;
  if (state.whyFor === wanted) return;
  state.whyFor = wanted;
  state.whyCall?.abort();
  state.whyCall = new AbortController();
  try {
    const why = await state.server.get(`/api/records/${record.id}/why`, { start, end }, { signal: state.whyCall.signal });
    if (state.whyFor !== wanted) return;
    const largest = Math.max(...why.features.map((feature) => Math.abs(feature.weight)), 0.001);
    place.replaceChildren(
      ...why.sentences.map((sentence) => element("p", {}, sentence)),
      why.features.length
        ? element(
            "ul",
            { class: "features" },
            ...why.features.map((feature) => {
              const bar = element("meter", { min: "0", max: "1", value: String(Math.abs(feature.weight) / largest), "aria-hidden": "true" });
              const sign = feature.weight < 0 ? "against" : "for";
              return element("li", { class: sign }, element("span", {}, feature.text), element("b", {}, `${feature.weight < 0 ? "−" : "+"}${Math.abs(feature.weight).toFixed(2)}`), bar);
            }),
          )
        : "",
    );
    announce(why.sentences.join(" "));
  } catch (error) {
    if (error.name === "AbortError") return;
    state.whyFor = null;
    place.replaceChildren(element("p", { class: "note" }, error instanceof Refused ? error.message : "The server does not answer."));
  }
}

// --- decisions ---

// The label that selected text most probably has: that of a span which shares a word with it, or else the
// label that was used last, or else the most frequent one.
function defaultLabel() {
  const known = state.project.labels.map((label) => label.name);
  const spans = state.record.spans.filter((span) => span.state !== "deleted" && known.includes(span.label));
  const selection = state.view.selection();
  if (selection) {
    const { text } = state.record;
    const selected = text.words(selection.start, selection.end);
    const alike = spans.find((span) => text.words(span.from, span.to).some((word) => selected.includes(word)));
    if (alike) return alike.label;
  }
  if (state.label) return state.label;
  const counts = new Map();
  for (const span of spans) counts.set(span.label, (counts.get(span.label) ?? 0) + 1);
  return [...counts].sort((one, other) => other[1] - one[1]).map(([name]) => name)[0] ?? known[0];
}

function markSelection(label = defaultLabel(), options = {}) {
  const selection = state.view.selection();
  if (!selection) {
    announce("Select text first");
    return;
  }
  const { text } = state.record;
  const touched = state.record.spans.filter((span) => span.state !== "deleted" && span.from < selection.end && selection.start < span.to);
  const start = text.point(selection.start);
  const end = text.point(selection.end);
  const quoted = text.slice(selection.start, selection.end);
  state.label = label;
  if (touched.length > 1) {
    tell("The selection covers several spans. Mark them as not identifying first, or select less.");
    return;
  }
  state.view.leaveCaret();
  getSelection().removeAllRanges();
  if (touched.length === 1) {
    const [span] = touched;
    state.current = span.id;
    if (span.start !== start || span.end !== end) decide({ action: "resize", start, end }, span);
    if (span.label !== label) decide({ action: "relabel", label }, spanById(span.id));
    if (isUndecided(spanById(span.id))) decide({ action: "accept" }, span);
    announce(`${quoted}: corrected to ${label}`);
  } else {
    decide({ action: "add", start, end, label, ...options });
    const added = state.outbox.entries.at(-1).decision.temporary;
    if (spanById(added)) state.current = added;
    announce(isAudit() ? `${quoted}: marked as a leak, ${label}` : `${quoted}: added as ${label}`);
  }
  select(state.current);
}

function applyLabel(label) {
  if (state.view.selection()) {
    markSelection(label);
    return;
  }
  const span = currentSpan();
  if (!span) return;
  state.label = label;
  if (span.label === label && span.state !== "deleted") {
    if (span.state === "undecided") run("accept");
    return;
  }
  decide({ action: "relabel", label }, span);
  announce(`${words(span)}: ${label}`);
}

function deleteSpan() {
  const selection = state.view.selection();
  const targets = selection
    ? state.record.spans.filter((span) => span.state !== "deleted" && span.from < selection.end && selection.start < span.to)
    : [currentSpan()].filter((span) => span && span.state !== "deleted");
  if (!targets.length) {
    announce(selection ? "No span is in the selection" : "No span to remove");
    return;
  }
  for (const span of targets) decide({ action: "delete" }, span);
  const done = `${words(targets[0])}: ${stateWords("deleted", state.project.mode)}`;
  if (selection) {
    select(targets[0].id);
    announce(done);
  } else advance(done);
}

function everywhere(allRecords) {
  const scope = allRecords ? { all_records: true } : { everywhere: true };
  if (state.view.selection()) {
    markSelection(defaultLabel(), scope);
    return;
  }
  const span = currentSpan();
  if (!span) return;
  const { text, spans } = state.record;
  // A span that was added: the next mention that no span covers, and with it all others.
  const length = span.to - span.from;
  const free = text
    .equalMentions(span.from, span.to)
    .find((at) => spans.every((one) => one.state === "deleted" || one.to <= at || at + length <= one.from));
  const from = free ?? span.from;
  if (span.state === "added" && free === undefined && !allRecords) {
    announce("No other equal mention is in this record");
    return;
  }
  const decisions = {
    undecided: { action: "accept" },
    accepted: { action: "accept" },
    deleted: { action: "delete" },
    changed: { action: "relabel", label: span.label },
    added: { action: "add", start: text.point(from), end: text.point(from + length), label: span.label },
  };
  decide({ ...decisions[span.state], ...scope }, span.state === "added" ? null : span);
  announce(`Applied to all equal mentions ${allRecords ? "in all records" : "in this record"}`);
}

function resize(edge, direction, byCharacter = false) {
  const span = currentSpan();
  if (!span || state.view.selection()) return;
  const { text } = state.record;
  const from = edge === "start" ? span.from : span.to;
  const target = byCharacter ? text.characterBoundary(from, direction) : text.wordBoundary(from, direction, edge);
  const [start, end] = edge === "start" ? [target, span.to] : [span.from, target];
  if (target === null || target === from) {
    announce("The text ends here");
    return;
  }
  if (end <= start) {
    announce("One word is left. Delete removes the span");
    return;
  }
  const hit = state.record.spans.some((one) => one.id !== span.id && one.state !== "deleted" && one.from < end && start < one.to);
  if (hit) {
    announce("Another span is there");
    return;
  }
  decide({ action: "resize", start: text.point(start), end: text.point(end) }, span);
  announce(text.slice(start, end));
}

async function finishRecord() {
  const done = state.record.done;
  if (!done) decide({ action: "done" });
  const next = neighbour(1, (entry) => !entry.done) ?? state.queue.find((entry) => !entry.done && entry.id !== state.record.id);
  if (next) await openRecord(next.id);
  else announce("All records are read. Shift O shows the outcome");
}

// --- actions and their keys ---

const ACTIONS = {
  "next-span": { group: "Move", title: "Next span", keys: ["ArrowRight"], run: () => step(1) || announce("Last span") },
  "previous-span": { group: "Move", title: "Previous span", keys: ["ArrowLeft"], run: () => step(-1) || announce("First span") },
  "next-undecided": { group: "Move", title: "Next undecided span", keys: ["."], run: () => step(1, isUndecided, true) || announce("No undecided span is left") },
  "previous-undecided": { group: "Move", title: "Previous undecided span", keys: [","], run: () => step(-1, isUndecided, true) || announce("No undecided span is left") },
  "next-record": { group: "Move", title: "Next record", keys: ["Shift+N"], run: () => move(1) },
  "previous-record": { group: "Move", title: "Previous record", keys: ["Shift+P"], run: () => move(-1) },
  queue: { group: "Move", title: "Go to the list of records", keys: ["Shift+Q"], run: () => byId("queue").querySelector('button[tabindex="0"]')?.focus() },
  text: { group: "Move", title: "Back to the text", keys: ["Escape"], run: leave },
  accept: {
    group: "Decide",
    title: "Accept the span",
    keys: ["Enter"],
    run() {
      if (state.view.selection()) return markSelection();
      const span = currentSpan();
      if (!span) return;
      if (span.state === "undecided" || span.state === "deleted") decide({ action: "accept" }, span);
      advance(`${words(span)}: accepted`);
    },
  },
  delete: { group: "Decide", title: "The span identifies nobody", audit: "The span is wrongly masked", keys: ["Delete", "Backspace"], run: deleteSpan },
  leak: { group: "Decide", title: "Mark the selected text", audit: "Mark the selected text as a leak", keys: ["Space"], run: () => markSelection() },
  everywhere: { group: "Decide", title: "The same for all equal mentions in the record", keys: ["Shift+A"], run: () => everywhere(false) },
  "all-records": {
    group: "Decide",
    title: "The same for all equal mentions in all records",
    keys: ["Shift+G"],
    async run() {
      const selection = state.view.selection();
      const span = currentSpan();
      if (!selection && !span) return;
      if (await confirmed("Apply to all records?", "The decision is applied to all equal mentions in all records of this review.")) everywhere(true);
    },
  },
  undo: { group: "Decide", title: "Undo", keys: ["Ctrl+Z"], run: () => (state.answer.can_undo || state.outbox.entries.length ? decide({ action: "undo" }) : announce("Nothing to undo")) },
  redo: { group: "Decide", title: "Redo", keys: ["Ctrl+Y", "Ctrl+Shift+Z"], run: () => (state.answer.can_redo || state.outbox.entries.length ? decide({ action: "redo" }) : announce("Nothing to redo")) },
  done: { group: "Decide", title: "Mark the record as read, go to the next unread one", keys: ["Ctrl+Enter"], run: finishRecord },
  reopen: { group: "Decide", title: "Open the record again", keys: ["Shift+D"], run: () => state.record.done && (decide({ action: "reopen" }), announce("The record is open again")) },
  "end-right": { group: "Extent", title: "End one word later", keys: ["Shift+ArrowRight"], run: () => resize("end", 1) },
  "end-left": { group: "Extent", title: "End one word earlier", keys: ["Shift+ArrowLeft"], run: () => resize("end", -1) },
  "start-left": { group: "Extent", title: "Start one word earlier", keys: ["Ctrl+Shift+ArrowLeft"], run: () => resize("start", -1) },
  "start-right": { group: "Extent", title: "Start one word later", keys: ["Ctrl+Shift+ArrowRight"], run: () => resize("start", 1) },
  "end-right-character": { group: "Extent", title: "End one character later", keys: ["Alt+Shift+ArrowRight"], run: () => resize("end", 1, true) },
  "end-left-character": { group: "Extent", title: "End one character earlier", keys: ["Alt+Shift+ArrowLeft"], run: () => resize("end", -1, true) },
  "start-left-character": { group: "Extent", title: "Start one character earlier", keys: ["Ctrl+Alt+Shift+ArrowLeft"], run: () => resize("start", -1, true) },
  "start-right-character": { group: "Extent", title: "Start one character later", keys: ["Ctrl+Alt+Shift+ArrowRight"], run: () => resize("start", 1, true) },
  caret: {
    group: "Select",
    title: "Select by keyboard: arrows move, Shift selects, Ctrl moves by word",
    keys: ["Shift+C"],
    run() {
      const on = state.view.toggleCaret();
      byId("caret-button").setAttribute("aria-pressed", String(on));
      announce(on ? "Caret on. Arrows move, Shift selects, Ctrl moves by word, Escape leaves" : "Caret off");
    },
  },
  why: {
    group: "Select",
    title: "Why was it marked, why was the selected text not marked?",
    keys: ["Shift+W"],
    run() {
      state.whyOpen = !state.whyOpen;
      state.whyFor = null;
      byId("why").hidden = !state.whyOpen;
      byId("why-button").setAttribute("aria-expanded", String(state.whyOpen));
      drawInspector();
    },
  },
  outcome: { group: "Views", title: "Outcome and signature", keys: ["Shift+O"], run: () => showPage(state.page === "outcome" ? "records" : "outcome") },
  conflicts: { group: "Views", title: "Differences between reviewers", keys: ["Shift+X"], run: () => state.project.double_review && showPage(state.page === "conflicts" ? "records" : "conflicts") },
  help: { group: "Views", title: "These keys", keys: ["?"], run: () => byId("help").showModal() },
  "close-dialog": { run: () => document.querySelector("dialog[open]")?.close() },
  dismiss: { run: () => (byId("message").hidden = true) },
};

const BY_KEY = new Map(Object.entries(ACTIONS).flatMap(([name, action]) => (action.keys ?? []).map((key) => [key, name])));

function run(name) {
  return ACTIONS[name].run();
}

// After a click the keys belong to the text again; somebody who uses the keyboard stays on the button.
function byMouse(event, action) {
  action();
  if (event.detail > 0 && !document.querySelector("dialog[open]") && state.page === "records") {
    state.view.focusCurrent();
  }
}

async function move(direction) {
  const next = neighbour(direction);
  if (next) await openRecord(next.id);
  else announce(direction > 0 ? "Last record" : "First record");
}

function leave() {
  if (state.page !== "records") showPage("records");
  else if (state.view.caret) {
    run("caret");
    getSelection().removeAllRanges();
  } else if (!getSelection().isCollapsed) getSelection().removeAllRanges();
  byId("message").hidden = true;
  state.view.focusCurrent();
}

function keyName(event) {
  const letter = /^\p{L}$/u.test(event.key);
  const named = event.key.length > 1 || event.key === " ";
  const key = event.key === " " ? "Space" : letter ? event.key.toUpperCase() : event.key;
  return [
    event.ctrlKey || event.metaKey ? "Ctrl+" : "",
    event.altKey ? "Alt+" : "",
    event.shiftKey && (letter || named) ? "Shift+" : "",
    key,
  ].join("");
}

function onKey(event) {
  if (event.isComposing || event.defaultPrevented || !state.record) return;
  if (document.querySelector("dialog[open]")) return;
  const target = event.target;
  const name = keyName(event);
  if (target.matches?.("input, textarea, select") && name !== "Escape") return;
  const isButton = target.matches?.("button, a, summary") && (name === "Enter" || name === "Space");
  if (isButton) return;
  const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (plain && name !== "Escape" && !byId("single-keys").checked && event.key.length === 1) return;
  if (state.page !== "records") {
    if (["outcome", "conflicts", "help", "text"].includes(BY_KEY.get(name))) {
      event.preventDefault();
      run(BY_KEY.get(name));
    } else if (state.page === "conflicts") conflictKey(event);
    return;
  }
  if (state.view.caret && !event.altKey) {
    const said = state.view.caretKey(event.key, { extend: event.shiftKey, byWord: event.ctrlKey || event.metaKey });
    if (said !== null) {
      event.preventDefault();
      announce(said);
      return;
    }
  }
  const action = BY_KEY.get(name);
  if (action) {
    // Without a selection, Space scrolls as in any page.
    if (action === "leak" && !state.view.selection()) return;
    // With a selection, Shift and an arrow extend it as in any page.
    if (ACTIONS[action].group === "Extent" && state.view.selection()) return;
    event.preventDefault();
    run(action);
    return;
  }
  if (plain && !event.shiftKey) {
    const label = state.project.labels.find((one) => one.key === event.key.toLowerCase());
    if (label) {
      event.preventDefault();
      applyLabel(label.name);
    }
  }
}

function drawHelp() {
  const groups = new Map();
  for (const action of Object.values(ACTIONS)) {
    if (!action.group) continue;
    if (!groups.has(action.group)) groups.set(action.group, []);
    groups.get(action.group).push([action.keys, (isAudit() && action.audit) || action.title]);
  }
  const labels = state.project.labels.filter((label) => label.key).map((label) => [[label.key], label.title || label.name]);
  if (labels.length) groups.set("Label of the span or of the selected text", labels);
  byId("help-keys").replaceChildren(
    ...[...groups].map(([title, rows]) =>
      element("div", { class: "help-group" }, element("h3", {}, title), element("dl", {}, ...rows.map(([keys, words]) => helpRow(keys, words)))),
    ),
  );
  byId("help-signs").replaceChildren(
    ...Object.keys(SIGNS).map((name) =>
      element("li", {}, element("mark", { class: `span name is-${name}`, "data-tag": `${SIGNS[name]} NAME` }, "words"), ` ${stateWords(name, state.project.mode)}`),
    ),
    element("li", {}, element("b", {}, "≠"), " the detectors disagree"),
  );
}

const SHOWN = { ArrowRight: "→", ArrowLeft: "←", Escape: "Esc" };

function helpRow(keys, words) {
  const shown = keys.map((key) => element("kbd", {}, key.split("+").map((part) => SHOWN[part] ?? part).join(" ")));
  return element("div", {}, element("dt", {}, ...shown), element("dd", {}, words));
}

function confirmed(title, text) {
  const dialog = byId("confirm");
  byId("confirm-title").textContent = title;
  byId("confirm-words").textContent = text;
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }));
}

// --- views ---

function showPage(page) {
  state.page = page;
  byId("floating").hidden = true;
  for (const name of ["records", "outcome", "conflicts"]) byId(`view-${name}`).hidden = name !== page;
  for (const button of document.querySelectorAll("[data-view]")) button.setAttribute("aria-pressed", String(button.dataset.view === page));
  if (page === "outcome") return showOutcome();
  if (page === "conflicts") return showConflicts();
  return undefined;
}

// --- start ---

async function chooseReviewer() {
  const dialog = byId("who");
  byId("who-known").replaceChildren(...state.project.reviewers.map((name) => element("option", { value: name })));
  byId("who-name").value = state.server.reviewer ?? "";
  byId("who-error").textContent = "";
  dialog.showModal();
}

async function beReviewer(name) {
  state.server.reviewer = null;
  await state.server.post("/api/reviewers", { name });
  state.server.reviewer = name;
  localStorage.setItem(storageKey("reviewer"), name);
  byId("reviewer").textContent = name;
  byId("reviewer").setAttribute("aria-label", `Reviewer ${name}. Change the reviewer`);
  await untilReached(loadQueue);
  const place = JSON.parse(sessionStorage.getItem(storageKey("place")) ?? localStorage.getItem(storageKey("place")) ?? "{}");
  const named = new URLSearchParams(location.hash.slice(1)).get("record");
  const linked = named === null ? undefined : state.queue.find((entry) => entry.name === named);
  // A link leads to its record once; a reload stays where the reader is.
  if (named !== null) history.replaceState(null, "", location.pathname);
  const wanted = linked ?? state.queue.find((entry) => entry.id === place.record) ?? state.queue.find((entry) => !entry.done) ?? state.queue[0];
  if (wanted) await openRecord(wanted.id, { span: wanted.id === place.record ? place.span : null });
  else tell("There are no records to review.");
}

async function start() {
  if (!state.server.token) {
    tell("This address needs its token. Open the address that `veil review` printed.");
    byId("saved").textContent = "Not connected";
    return;
  }
  const project = await untilReached(() => state.server.get("/api/project"));
  if (!project) {
    byId("saved").textContent = "Not connected";
    return;
  }
  state.project = project;
  document.title = `${project.title} – Veil review`;
  byId("title").textContent = project.title;
  document.querySelector('[data-view="conflicts"]').hidden = !project.double_review;
  for (const place of document.querySelectorAll(".delete-words")) place.textContent = isAudit() ? "Wrongly masked" : "Not identifying";
  for (const place of document.querySelectorAll(".leak-words")) place.textContent = isAudit() ? "Mark as leak" : "Mark selection";
  state.outbox = new Outbox(project.id, { send, changed: showSaved });
  state.reached = showSaved;
  state.view = new RecordView(byId("text"), {
    mode: project.mode,
    familyOf,
    picked: (id) => select(id),
    selected: () => requestAnimationFrame(() => state.record && state.page === "records" && drawInspector()),
  });
  const place = JSON.parse(sessionStorage.getItem(storageKey("place")) ?? "{}");
  const orders = project.orders;
  const wanted = [address.order, place.order].find((name) => orders.some((order) => order.name === name));
  state.order = wanted ?? orders[0].name;
  byId("order").replaceChildren(...orders.map((order) => element("option", { value: order.name, selected: order.name === state.order }, order.title)));
  drawHelp();
  listen();
  showSaved();
  const known = localStorage.getItem(storageKey("reviewer"));
  if (known) await untilReached(() => beReviewer(known));
  else chooseReviewer();
  await state.outbox.adopt();
}

function listen() {
  document.addEventListener("keydown", onKey);
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-action]");
    if (!button) return;
    if (button.getAttribute("aria-disabled") === "true") return;
    byMouse(event, () => run(button.dataset.action));
  });
  // A press on a button keeps the selection of the text.
  for (const place of [byId("floating"), ...document.querySelectorAll(".inspector, .dock")]) {
    place.addEventListener("mousedown", (event) => !event.target.closest("select") && event.preventDefault());
  }
  for (const button of document.querySelectorAll("[data-view]")) button.addEventListener("click", () => showPage(button.dataset.view));
  byId("order").addEventListener("change", async (event) => {
    state.order = event.target.value;
    await untilReached(loadQueue);
    rememberPlace();
    announce(`Order: ${event.target.selectedOptions[0].textContent}`);
  });
  byId("only-open").addEventListener("change", drawQueue);
  byId("queue-toggle").addEventListener("click", () => {
    const open = byId("queue-body").classList.toggle("open");
    byId("queue-toggle").setAttribute("aria-expanded", String(open));
    byId("queue-toggle").textContent = open ? "Hide list" : "Show list";
  });
  byId("queue").addEventListener("click", (event) => {
    const item = event.target.closest("li");
    if (item) openRecord(Number(item.dataset.record));
  });
  byId("queue").addEventListener("keydown", (event) => {
    const stepBy = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
    if (stepBy === undefined) return;
    event.preventDefault();
    const buttons = [...byId("queue").querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement);
    buttons[Math.min(Math.max(at + stepBy, 0), buttons.length - 1)]?.focus();
  });
  byId("reviewer").addEventListener("click", chooseReviewer);
  byId("who").addEventListener("cancel", (event) => state.server.reviewer === null && event.preventDefault());
  byId("who").addEventListener("submit", async (event) => {
    event.preventDefault();
    const before = state.server.reviewer;
    const name = byId("who-name").value.trim();
    if (!name) return;
    try {
      await beReviewer(name);
      byId("who").close();
      state.view.focusCurrent();
    } catch (error) {
      state.server.reviewer = before;
      byId("who-error").textContent = error instanceof Refused ? error.message : "The server does not answer. Try again.";
    }
  });
  byId("sign").addEventListener("submit", sign);
  const singleKeys = byId("single-keys");
  singleKeys.checked = localStorage.getItem("veil-review:single-keys") !== "off";
  singleKeys.addEventListener("change", () => localStorage.setItem("veil-review:single-keys", singleKeys.checked ? "on" : "off"));
  addEventListener("resize", () => (state.view.placeCaret(), state.record && drawFloating(state.view.selection())));
  byId("text").addEventListener("scroll", () => state.record && drawFloating(state.view.selection()), { passive: true });
  addEventListener("beforeunload", (event) => state.outbox.entries.length && !state.outbox.reachable && event.preventDefault());
  // Another window of this browser changed a record, or this window was away for a while.
  state.channel = new BroadcastChannel(storageKey("changes"));
  state.channel.addEventListener("message", ({ data }) => {
    if (data.reviewer === state.server.reviewer) refresh(data.record, data.version);
  });
  document.addEventListener("visibilitychange", () => !document.hidden && state.record && refresh(state.record.id, Infinity));
}

async function refresh(id, version) {
  const known = state.versions.get(versionKey(id, state.server.reviewer)) ?? -1;
  if (version <= known || state.outbox.waitingFor(id, state.server.reviewer).length) return;
  try {
    const answer = await state.server.get(`/api/records/${id}`);
    if (state.outbox.waitingFor(id, state.server.reviewer).length === 0 && answer.version > (state.versions.get(versionKey(id, state.server.reviewer)) ?? -1)) {
      received(answer);
      announce("Changed in another window");
    }
  } catch {
    // The next decision finds out.
  }
}

start();
