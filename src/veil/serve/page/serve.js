"use strict";
(() => {
  const text = document.getElementById("text");
  const found = document.getElementById("found");
  const state = document.getElementById("state");
  const tokenForm = document.getElementById("token-form");
  const token = document.getElementById("token");
  const outputs = [...document.querySelectorAll("[data-policy]")];
  const families = JSON.parse(document.getElementById("families").content.textContent);
  const PAUSE = 250; // milliseconds without a key before the text is sent
  let timer = 0;
  let running = null;

  async function post(path, body, signal) {
    const headers = { "content-type": "application/json" };
    if (token.value) headers.authorization = `Bearer ${token.value}`;
    const response = await fetch(path, {
      method: "POST", headers, body: JSON.stringify(body), signal, credentials: "omit",
    });
    const answer = await response.json();
    if (response.ok) return answer;
    if (response.status === 401) tokenForm.hidden = false;
    throw new Error(answer.detail || `Error ${response.status}`);
  }

  // Offsets of the service are code points, those of JavaScript are UTF-16.
  function draw(target, written, spans, start, end, shown) {
    const characters = Array.from(written);
    const pieces = [];
    let position = 0;
    for (const span of spans) {
      pieces.push(document.createTextNode(characters.slice(position, span[start]).join("")));
      const mark = document.createElement("mark");
      mark.className = families[span.label] || "other";
      mark.textContent = characters.slice(span[start], span[end]).join("");
      if (shown) {
        const label = document.createElement("small");
        label.textContent = span.label;
        mark.append(label);
        mark.title = `${span.label}, ${Math.round(100 * span.score)} %`;
      }
      pieces.push(mark);
      position = span[end];
    }
    pieces.push(document.createTextNode(characters.slice(position).join("")));
    target.replaceChildren(...pieces);
  }

  function clear() {
    for (const each of [found, ...outputs]) each.replaceChildren();
  }

  function say(message, isBad) {
    state.textContent = message;
    state.classList.toggle("state-bad", Boolean(isBad));
  }

  async function update() {
    if (running) running.abort();
    const own = running = new AbortController();
    const written = text.value;
    if (!written.trim()) {
      clear();
      say("Nothing to mask yet.");
      return;
    }
    try {
      const answer = await post("detect", { text: written }, own.signal);
      draw(found, written, answer.spans, "start", "end", true);
      say(`${answer.spans.length} span(s) found, language ${answer.language}.`);
      for (const output of outputs) {
        const body = { text: written, policy: output.dataset.policy, language: answer.language };
        const masked = await post("mask", body, own.signal);
        const changed = masked.spans.filter((span) => span.replacement !== null);
        draw(output, masked.text, changed, "new_start", "new_end", false);
      }
    } catch (error) {
      if (error.name === "AbortError") return;
      clear(); // nothing that may be half masked stays on the page
      say(error.message, true);
    }
  }

  function later() {
    clearTimeout(timer);
    timer = setTimeout(update, PAUSE);
  }

  text.addEventListener("input", later);
  tokenForm.addEventListener("submit", (event) => {
    event.preventDefault();
    update();
  });
  document.getElementById("clear").addEventListener("click", () => {
    text.value = "";
    update();
    text.focus();
  });
  for (const button of document.querySelectorAll("[data-example]")) {
    button.addEventListener("click", () => {
      const note = document.querySelector(`template[data-note="${button.dataset.example}"]`);
      text.value = note.content.textContent.trim();
      update();
    });
  }
})();
