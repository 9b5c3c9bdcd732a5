// Calls to the server, and the decisions that it has not confirmed yet.

const TOKEN = "veil-review-token";

// The address that the command prints contains the token, and an order if the user chose one. They do not
// stay in the address bar.
export function takeAddress() {
  const query = new URLSearchParams(location.search);
  if (query.has("token")) sessionStorage.setItem(TOKEN, query.get("token"));
  if (query.size) history.replaceState(null, "", location.pathname + location.hash);
  return { token: sessionStorage.getItem(TOKEN), order: query.get("order") };
}

export class Refused extends Error {
  constructor(status, body) {
    super(typeof body?.detail === "string" ? body.detail : `The server answered with status ${status}.`);
    this.status = status;
    this.body = body;
  }
}

export class Server {
  constructor(token) {
    this.token = token;
    this.reviewer = null;
  }

  get(path, query = {}, options = {}) {
    return this.#call("GET", path, query, undefined, options);
  }

  post(path, body, query = {}) {
    return this.#call("POST", path, query, body, {});
  }

  // An address that the browser opens by itself: it cannot send the token in a header.
  link(path, query = {}) {
    return this.#address(path, { ...query, token: this.token });
  }

  #address(path, query) {
    const all = new URLSearchParams({ ...(this.reviewer === null ? {} : { reviewer: this.reviewer }), ...query });
    const text = all.toString();
    return text ? `${path}?${text}` : path;
  }

  async #call(method, path, query, body, options) {
    const headers = { Authorization: `Bearer ${this.token}` };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    // A server that hangs is like one that is gone: the request is repeated.
    const limits = [AbortSignal.timeout(method === "POST" ? 20_000 : 90_000)];
    if (options.signal) limits.push(options.signal);
    const answer = await fetch(this.#address(path, query), {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: "no-store",
      signal: AbortSignal.any(limits),
    });
    let content = null;
    try {
      content = await answer.json();
    } catch (error) {
      // A server that is stopped in the middle of an answer was not reached.
      if (answer.ok) throw error;
    }
    if (!answer.ok) throw new Refused(answer.status, content);
    return content;
  }
}

const FIRST_WAIT = 300;
const LONGEST_WAIT = 4000;

// Decisions on their way to the server, sent one by one. They are kept in the browser until the server
// has confirmed them: offsets and labels, no text. The pair of tab and number makes a repeated one harmless.
export class Outbox {
  constructor(project, { send, changed }) {
    this.prefix = `veil-review:${project}:unsent:`;
    this.tab = crypto.randomUUID();
    this.number = 0;
    this.entries = [];
    this.send = send;
    this.changed = changed;
    this.reachable = true;
    this.running = false;
    this.wake = null;
    // Another tab takes over what this one could not send only after this one was closed.
    navigator.locks?.request(this.prefix + this.tab, () => new Promise(() => {}));
    for (const event of ["online", "focus"]) addEventListener(event, () => this.wake?.());
  }

  // Take over what closed tabs and earlier loads of this page could not send.
  async adopt() {
    const keys = Object.keys(localStorage).filter(
      (key) => key.startsWith(this.prefix) && key !== this.prefix + this.tab,
    );
    for (const key of keys) {
      const take = () => {
        const entries = JSON.parse(localStorage.getItem(key) ?? "[]");
        this.entries.push(...entries);
        this.#keep();
        localStorage.removeItem(key);
        return entries.length;
      };
      if (navigator.locks) await navigator.locks.request(key, { ifAvailable: true }, (lock) => lock && take());
      else take();
    }
    this.#run();
  }

  push(entry) {
    this.number += 1;
    this.entries.push({ ...entry, tab: this.tab, number: this.number });
    this.#keep();
    this.#run();
  }

  waitingFor(record, reviewer) {
    return this.entries.filter((entry) => entry.record === record && entry.reviewer === reviewer);
  }

  // A span that was added before the server gave it an id has one now.
  rename(temporary, id) {
    for (const entry of this.entries) if (entry.decision.span === temporary) entry.decision.span = id;
    this.#keep();
  }

  #keep() {
    const key = this.prefix + this.tab;
    if (this.entries.length) localStorage.setItem(key, JSON.stringify(this.entries));
    else localStorage.removeItem(key);
  }

  async #run() {
    if (this.running) return;
    this.running = true;
    let wait = FIRST_WAIT;
    this.changed();
    while (this.entries.length) {
      const entry = this.entries[0];
      try {
        await this.send(entry, () => {
          // Before the page shows the answer: the decision is part of it.
          this.entries.shift();
          this.#keep();
        });
        this.reachable = true;
        wait = FIRST_WAIT;
      } catch (error) {
        this.reachable = false;
        this.changed(error);
        await new Promise((resolve) => {
          const timer = setTimeout(resolve, wait);
          this.wake = () => (clearTimeout(timer), resolve());
        });
        this.wake = null;
        wait = Math.min(2 * wait, LONGEST_WAIT);
      }
      this.changed();
    }
    this.running = false;
    this.changed();
  }
}
