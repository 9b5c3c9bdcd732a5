// What the reading shows, its signature, and the places where reviewers differ.

import { announce, byId, counted, element, familyOf, isAudit, percent, state, tell, untilReached } from "./common.js";
import { prepare } from "./record.js";
import { Refused } from "./saving.js";

export async function showOutcome() {
  const place = byId("view-outcome");
  const outcome = await untilReached(() => state.server.get("/api/outcome"), () => state.page === "outcome");
  if (!outcome || state.page !== "outcome") return;
  const confidence = percent(outcome.confidence ?? 0.95, 0);
  const audit = isAudit();
  const card = (title, big, small, kind = "", drawing = null) =>
    element("li", { class: `card ${kind}` }, element("h3", {}, title), element("p", { class: "big" }, big), drawing, element("p", {}, small));
  const cards = [
    card("Records read", `${outcome.read.toLocaleString("en")} of ${outcome.of.toLocaleString("en")}`, outcome.sample === "random" ? "of the random sample" : "in this review", "calm"),
  ];
  if (audit) {
    cards.push(
      card("Records with a leak", String(outcome.leaking_records), counted(outcome.leaks, "leak"), outcome.leaking_records ? "bad" : "good"),
      card(
        "Upper bound",
        typeof outcome.bound === "number" ? percent(outcome.bound) : "not yet",
        typeof outcome.bound === "number" ? `of all records leak at most, with ${confidence} confidence` : "read records of the random sample first",
        "calm",
        typeof outcome.bound === "number" ? interval(outcome.leaking_records / Math.max(outcome.read, 1), outcome.bound) : null,
      ),
    );
  }
  cards.push(card(audit ? "Wrongly masked" : "Not identifying", String(outcome.wrongly_masked), counted(outcome.wrongly_masked, "span"), ""));
  if (outcome.agreement) {
    cards.push(card("Agreement of reviewers", `F1 ${outcome.agreement.f1.toFixed(3)}`, `kappa ${outcome.agreement.kappa === null ? "undefined" : outcome.agreement.kappa.toFixed(2)}, ${counted(outcome.agreement.records, "record")} read twice`, "calm"));
  }
  const verdict = !audit
    ? `${counted(outcome.read, "record")} of ${outcome.of} are read.`
    : outcome.read === 0
      ? "No record is read yet."
      : outcome.leaking_records === 0
        ? `No leak was found in ${counted(outcome.read, "record")}.`
        : `${counted(outcome.leaks, "leak")} in ${outcome.leaking_records} of ${counted(outcome.read, "record")} that were read.`;
  const bound = audit && typeof outcome.bound === "number" ? ` With ${confidence} confidence, at most ${percent(outcome.bound)} of all records contain one.` : "";
  const statements = (outcome.statements ?? []).map((statement) =>
    element(
      "li",
      {},
      element("a", { href: state.server.link(`/statement/${statement.number}`), target: "_blank", rel: "noopener" }, `Statement ${statement.number}`),
      ` by ${statement.name}, ${new Date(statement.when).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" })}`,
    ),
  );
  const formats = state.project.formats ?? [];
  const format = element("select", { id: "format" }, ...formats.map((name) => element("option", { value: name }, name)));
  place.replaceChildren(
    element("h2", { tabindex: "-1" }, "Outcome"),
    element("p", { class: "verdict" }, verdict + bound),
    element("ul", { class: "cards four" }, ...cards),
    element(
      "div",
      { class: "sheet-part" },
      element("h3", {}, "Signature"),
      outcome.can_sign
        ? element("p", {}, element("button", { type: "button", class: "strong", id: "open-sign", "aria-haspopup": "dialog", onclick: () => openSign(verdict + bound) }, "Sign"))
        : element("p", { class: "alert" }, outcome.why_not || "This review cannot be signed yet."),
      statements.length ? element("ul", { id: "statements" }, ...statements) : null,
    ),
    formats.length
      ? element(
          "div",
          { class: "sheet-part" },
          element("h3", {}, "Corrected spans"),
          element("p", { class: "note" }, audit ? "To remove the leaks that were found, mask the records again with --apply-review and the store of this review." : "To train a model on them, give the store of this review to veil train --from-review."),
          element("div", { class: "export" }, element("label", { for: "format" }, "Format"), format, element("button", { type: "button", id: "export", onclick: () => download(format.value) }, "Download")),
        )
      : "",
  );
  place.firstElementChild.focus();
  announce(verdict + bound);
  byId("conflict-count").textContent = outcome.conflicts ? String(outcome.conflicts) : "";
}

// A scale up to twice the bound: the share that was found, and up to where it may be.
function interval(share, bound) {
  const draw = (tag, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };
  const scale = 100 / Math.min(1, 2 * bound || 1);
  const drawing = draw("svg", { class: "interval", viewBox: "0 0 100 10", preserveAspectRatio: "none", role: "img" });
  drawing.setAttribute("aria-label", `Found ${percent(share)}, at most ${percent(bound)}`);
  drawing.append(
    draw("rect", { class: "track", width: 100, height: 10 }),
    draw("rect", { class: "calm range", width: scale * bound, height: 10 }),
    draw("rect", { class: "calm", width: Math.max(scale * share, 1), height: 10 }),
  );
  return drawing;
}

function download(format) {
  const link = element("a", { href: state.server.link("/api/export", { to: format }), download: "" });
  document.body.append(link);
  link.click();
  link.remove();
}

function openSign(summary) {
  byId("sign-summary").textContent = summary;
  byId("sign-name").value ||= state.server.reviewer;
  byId("sign-error").textContent = "";
  byId("sign").showModal();
}

export async function sign(event) {
  event.preventDefault();
  try {
    const { statement } = await state.server.post("/api/sign", {
      name: byId("sign-name").value.trim(),
      role: byId("sign-role").value.trim(),
      remark: byId("sign-remark").value.trim(),
    });
    byId("sign").close();
    await showOutcome();
    announce("Signed");
    byId("view-outcome").querySelector(`a[href^="${CSS.escape(statement)}"]`)?.focus();
  } catch (error) {
    byId("sign-error").textContent = error instanceof Refused ? error.message : "The server does not answer. Nothing was signed; try again.";
  }
}

// --- differences between reviewers ---

export async function showConflicts() {
  const place = byId("view-conflicts");
  const conflicts = await untilReached(() => state.server.get("/api/conflicts"), () => state.page === "conflicts");
  if (!conflicts || state.page !== "conflicts") return;
  const texts = new Map();
  for (const { record } of conflicts) {
    if (!texts.has(record)) texts.set(record, prepare(await state.server.get(`/api/records/${record}`)));
  }
  const open = conflicts.filter((conflict) => !conflict.choice).length;
  byId("conflict-count").textContent = open ? String(open) : "";
  place.replaceChildren(
    element("h2", { tabindex: "-1" }, "Differences between reviewers"),
    element("p", { class: "verdict" }, conflicts.length ? `${counted(open, "difference")} of ${conflicts.length} not decided.` : "The reviewers agree on all records that more than one of them has read."),
    element("p", { class: "note" }, "Choose the version that is right: press its number, or its button."),
    element("ol", { class: "conflicts" }, ...conflicts.map((conflict) => conflictEntry(conflict, texts.get(conflict.record)))),
  );
  (place.querySelector(".conflicts > li:not(.decided)") ?? place.firstElementChild).focus();
}

function conflictEntry(conflict, record) {
  const entry = element("li", { tabindex: "-1", class: conflict.choice ? "decided" : null });
  const versions = Object.entries(conflict.versions);
  entry.append(
    element("p", { class: "record-title" }, conflict.name),
    ...versions.map(([reviewer, spans], index) =>
      element(
        "div",
        { class: "version" },
        element(
          "button",
          { type: "button", "data-choice": reviewer, "aria-pressed": String(conflict.choice === reviewer), onclick: () => adjudicate(entry, conflict, reviewer) },
          element("kbd", {}, String(index + 1)),
          reviewer,
        ),
        excerpt(record, conflict, spans),
      ),
    ),
  );
  return entry;
}

const oneLine = (text) => text.replace(/(\r\n|[\n\r])+/g, " ↵ ");

function excerpt(record, conflict, spans) {
  const { text } = record;
  const from = Math.max(0, text.unit(conflict.start) - 70);
  const to = Math.min(record.original.length, text.unit(conflict.end) + 70);
  const start = text.wordBoundary(from, 1, "start") ?? from;
  const place = element("p", { class: "excerpt", lang: record.language }, from > 0 ? "… " : "");
  let position = from > 0 ? Math.min(start, text.unit(conflict.start)) : 0;
  for (const span of [...spans].sort((one, other) => one.start - other.start)) {
    const [begin, end] = [text.unit(span.start), text.unit(span.end)];
    place.append(oneLine(text.slice(position, begin)));
    place.append(element("mark", { class: `span ${familyOf(span.label)} is-accepted`, "data-tag": span.label }, oneLine(text.slice(begin, end))));
    position = end;
  }
  place.append(oneLine(text.slice(position, to)), to < record.original.length ? " …" : "");
  if (!spans.length) place.append(element("span", { class: "note" }, " (nothing marked)"));
  return place;
}

async function adjudicate(entry, conflict, choice) {
  try {
    await state.server.post(`/api/records/${conflict.record}/adjudicate`, { start: conflict.start, end: conflict.end, choice });
  } catch (error) {
    tell(error instanceof Refused ? `Not applied: ${error.message}` : "The server does not answer. The choice was not saved; try again.");
    return;
  }
  conflict.choice = choice;
  entry.classList.add("decided");
  for (const button of entry.querySelectorAll("[data-choice]")) button.setAttribute("aria-pressed", String(button.dataset.choice === choice));
  const open = byId("view-conflicts").querySelectorAll(".conflicts > li:not(.decided)");
  byId("conflict-count").textContent = open.length ? String(open.length) : "";
  announce(`${choice} chosen. ${counted(open.length, "difference")} left`);
  open[0]?.focus();
}

export function conflictKey(event) {
  const entries = [...byId("view-conflicts").querySelectorAll(".conflicts > li")];
  const at = entries.findIndex((entry) => entry.contains(document.activeElement));
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    entries[Math.min(Math.max(at + (event.key === "ArrowDown" ? 1 : -1), 0), entries.length - 1)]?.focus();
  } else if (/^[1-9]$/.test(event.key) && at >= 0) {
    event.preventDefault();
    entries[at].querySelectorAll("[data-choice]")[Number(event.key) - 1]?.click();
  }
}
