// The list of records, in the order that the reader chose.

import { byId, counted, element, isAudit, scored, state } from "./common.js";

export async function loadQueue() {
  state.queue = await state.server.get("/api/records", { order: state.order });
  drawQueue();
}

export function drawQueue() {
  const list = byId("queue");
  const hideRead = byId("only-open").checked;
  const shown = state.queue.filter((entry) => !hideRead || !entry.done || entry.id === state.record?.id);
  list.replaceChildren(...shown.map(queueEntry));
  markQueue();
  drawProgress();
}

function queueEntry(entry) {
  const facts = [
    entry.done ? "read" : entry.undecided ? `${entry.undecided} undecided` : "nothing undecided",
    entry.leaks && isAudit() ? element("b", {}, counted(entry.leaks, "leak")) : null,
    typeof entry.lowest === "number" && !entry.done ? `lowest\u00a0${scored(entry.lowest)}` : null,
  ].filter(Boolean);
  return element(
    "li",
    { "data-record": entry.id },
    element(
      "button",
      { type: "button", tabindex: "-1", class: entry.done ? "done" : null },
      element("span", { class: "queue-sign", "aria-hidden": "true" }, entry.done ? "✓" : "○"),
      element("span", { class: "queue-name" }, entry.name),
      element("span", { class: "queue-facts" }, ...facts.flatMap((fact, index) => (index ? [" · ", fact] : [fact]))),
    ),
  );
}

export function markQueue() {
  let first = null;
  let current = null;
  for (const item of byId("queue").children) {
    const button = item.firstElementChild;
    first ??= button;
    const isCurrent = Number(item.dataset.record) === state.record?.id;
    button.tabIndex = -1;
    if (isCurrent) {
      button.setAttribute("aria-current", "true");
      current = button;
    } else button.removeAttribute("aria-current");
  }
  const stop = current ?? first;
  if (stop) stop.tabIndex = 0;
  current?.scrollIntoView({ block: "nearest" });
}

export function updateQueue(answer) {
  const entry = state.queue.find((one) => one.id === answer.id);
  if (!entry) return;
  const live = answer.spans.filter((span) => span.state !== "deleted");
  entry.done = answer.done;
  entry.spans = live.length;
  entry.undecided = live.filter((span) => span.state === "undecided").length;
  entry.leaks = answer.spans.filter((span) => isLeak(span, answer.changes ?? [])).length;
  const item = byId("queue").querySelector(`li[data-record="${answer.id}"]`);
  if (item) {
    const focused = item.contains(document.activeElement);
    const made = queueEntry(entry);
    item.replaceWith(made);
    if (focused) made.firstElementChild.focus();
  }
  markQueue();
  drawProgress();
}

// Original text that the mask left readable: a span that was added, or one that grew.
export function isLeak(span, changes) {
  if (span.state === "added") return true;
  if (span.state !== "changed") return false;
  const change = changes.find(([, , from]) => from === span.masked_start);
  return change !== undefined && (span.start < change[0] || change[1] < span.end);
}

function drawProgress() {
  const read = state.queue.filter((entry) => entry.done).length;
  const all = state.queue.length;
  byId("progress").max = Math.max(all, 1);
  byId("progress").value = read;
  byId("progress-words").textContent = `${read.toLocaleString("en")} of ${counted(all, "record")} read`;
}

export function neighbour(step, test = () => true) {
  const at = state.queue.findIndex((entry) => entry.id === state.record?.id);
  for (let index = at + step; 0 <= index && index < state.queue.length; index += step) {
    if (test(state.queue[index])) return state.queue[index];
  }
  return null;
}
