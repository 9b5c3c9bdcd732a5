// What all parts of the page share: its state, and helpers.

import { Refused, Server, takeAddress } from "./saving.js";

export const byId = (id) => document.getElementById(id);
export const LOCKED_OUT = [401, 403];

export const address = takeAddress();
export const state = {
  server: new Server(address.token),
  project: null,
  outbox: null,
  view: null, // of the text
  queue: [],
  order: null,
  answer: null, // the record as the server knows it
  record: null, // the record as the page shows it: with the decisions that are on their way
  current: null, // the id of the span that keys refer to
  versions: new Map(),
  label: null, // of the last span that was added or relabelled
  whyOpen: false,
  whyFor: null,
  whyCall: null,
  opening: 0,
  temporary: 0,
  savingTimer: null,
  channel: null,
  page: "records",
  reached: () => {}, // called after each answer
};

export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

export const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)}\u00a0%`;
// A score is not rounded up: 100 % is certain.
export const scored = (score) => percent(Math.floor(100 * score) / 100, 0);
export const counted = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
export const isAudit = () => state.project.mode === "audit";
export const storageKey = (name) => `veil-review:${state.project.id}:${name}`;

export function announce(words) {
  const place = byId("announcer");
  // A repeated announcement differs by a space, so that it is read again.
  place.textContent = place.textContent === words ? `${words}\u00a0` : words;
}

export function tell(words) {
  byId("message").hidden = false;
  byId("message").firstElementChild.textContent = words;
}

export function language(code) {
  try {
    return new Intl.DisplayNames("en", { type: "language" }).of(code);
  } catch {
    return code;
  }
}

// The colours of the other pages: one per family of labels.
const FAMILIES = ["name", "location", "date", "contact", "profession", "age", "id", "other"];

export function familyOf(name) {
  const label = state.project.labels.find((one) => one.name === name);
  if (!label) return "other";
  return label.family ? label.family.toLowerCase() : FAMILIES[label.colour % FAMILIES.length];
}

// Call the server until it answers: a page that was opened stays usable when the server starts again.
export async function untilReached(call, wanted = () => true) {
  for (let wait = 300; ; wait = Math.min(2 * wait, 4000)) {
    try {
      const answer = await call();
      state.reached();
      return answer;
    } catch (error) {
      if (!wanted()) return null;
      if (error instanceof Refused && error.status < 500) {
        tell(
          LOCKED_OUT.includes(error.status)
            ? "This address needs its token. Open the address that `veil review` printed."
            : error.message,
        );
        return null;
      }
      byId("saved").dataset.state = "unreachable";
      byId("saved").textContent = "The server does not answer. Trying again.";
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}
