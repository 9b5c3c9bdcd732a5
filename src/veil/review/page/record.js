// One record on the page: its lines, the marks of its spans, the selection and the caret.
// Text of a record reaches the page as text nodes only.

import { Alignment, Text, alignedRows, firstIndex } from "./text.js";

// How many rows and characters are drawn together when they come into view.
const BLOCK = 40;
const BLOCK_LENGTH = 5000;
const LONGEST_LABEL = 24;

// How much room words leave for a label above them, in its own size: review.css.
function roomAbove(words) {
  let width = 0;
  for (const character of words) width += character.codePointAt(0) < 0x2e80 ? 0.6 : 1;
  return Math.floor((10 * width) / 0.62 - 3) / 10;
}

export const SIGNS = { undecided: "?", accepted: "✓", changed: "✎", added: "+", deleted: "✕" };

export function stateWords(state, mode) {
  const audit = mode === "audit";
  return {
    undecided: "undecided",
    accepted: "accepted",
    changed: "corrected",
    added: audit ? "leak" : "added",
    deleted: audit ? "wrongly masked" : "not identifying",
  }[state];
}

// A record as the page needs it: offsets in UTF-16 units, spans sorted, rows aligned.
export function prepare(record, known = null) {
  const same = known && known.original === record.original && known.masked === record.masked;
  const text = same ? known.text : new Text(record.original);
  text.language = record.language ?? undefined;
  const maskedText = record.masked === null ? null : same ? known.maskedText : new Text(record.masked);
  const spans = record.spans
    .map((span) => ({
      ...span,
      key: span.id,
      id: String(span.id),
      from: text.unit(span.start),
      to: text.unit(span.end),
      maskedFrom: maskedText && span.masked_start !== null ? maskedText.unit(span.masked_start) : null,
      maskedTo: maskedText && span.masked_end !== null ? maskedText.unit(span.masked_end) : null,
    }))
    .sort((one, other) => one.from - other.from || one.to - other.to);
  const changes = (record.masked === null ? [] : (record.changes ?? [])).map(([start, end, from, to]) => ({
    start: text.unit(start),
    end: text.unit(end),
    maskedStart: maskedText.unit(from),
    maskedEnd: maskedText.unit(to),
  }));
  const alignment = same ? known.alignment : new Alignment(changes);
  const rows = same ? known.rows : alignedRows(record.original, record.masked, alignment);
  return { ...record, text, maskedText, spans, alignment, rows };
}

export class RecordView {
  constructor(root, { mode, familyOf, picked, selected }) {
    this.root = root;
    this.mode = mode;
    this.familyOf = familyOf;
    this.picked = picked;
    this.selected = selected;
    this.record = null;
    this.current = null;
    this.caret = null;
    this.cells = { original: [], masked: [] };
    this.drawn = { original: [], masked: [] };
    this.caretMark = document.createElement("div");
    this.caretMark.className = "caret";
    this.caretMark.hidden = true;
    root.addEventListener("click", (event) => {
      const mark = event.target.closest("mark[data-span]");
      if (mark && getSelection().isCollapsed) this.picked(mark.dataset.span);
    });
    // A drag that starts on one side selects on this side only.
    root.addEventListener("pointerdown", (event) => {
      this.leaveCaret();
      const line = event.target.closest(".line");
      if (line) root.dataset.selecting = line.dataset.side;
    });
    document.addEventListener("selectionchange", () => this.selected());
  }

  show(record) {
    this.record = record;
    this.leaveCaret();
    this.cells = { original: [], masked: [] };
    this.drawn = { original: [], masked: [] };
    const blocks = [];
    for (let start = 0; start < record.rows.length; ) {
      let end = start + 1;
      while (end < record.rows.length && end - start < BLOCK && record.rows[end].end - record.rows[start].start < BLOCK_LENGTH) end += 1;
      blocks.push(this.#block(start, end, blocks.length + 1));
      start = end;
    }
    this.root.replaceChildren(...blocks, this.caretMark);
    this.root.classList.toggle("two", record.masked !== null);
    this.root.scrollTop = 0;
    this.#draw();
  }

  // The same record after a decision: only rows whose marks changed are drawn again.
  update(record) {
    const focused = this.root.contains(document.activeElement) && document.activeElement !== this.root;
    this.record = record;
    this.#draw();
    if (focused && !this.root.contains(document.activeElement)) this.focusCurrent();
  }

  get sides() {
    return this.record.masked === null ? ["original"] : ["original", "masked"];
  }

  // Rows that are drawn together when they come into view. Each side is one stretch of the document, so
  // that a selection over several lines stays on its side.
  #block(start, end, part) {
    const block = document.createElement("div");
    block.className = "block";
    let lines = 0;
    for (const row of this.record.rows.slice(start, end)) lines += 1 + Math.floor((row.end - row.start) / 60);
    block.style.containIntrinsicBlockSize = `auto ${Math.round(33 * lines)}px`;
    for (const side of this.sides) {
      const column = document.createElement("div");
      column.className = `column ${side}`;
      column.setAttribute("role", "group");
      column.setAttribute("aria-label", `${side === "original" ? "Original" : "Masked"}, part ${part}`);
      if (this.record.language) column.lang = this.record.language;
      for (let index = start; index < end; index += 1) {
        const cell = document.createElement("div");
        cell.className = `line ${side}`;
        cell.dataset.row = index;
        cell.dataset.side = side;
        cell.style.gridRow = index - start + 1;
        if (side === "original") cell.dataset.number = this.record.rows[index].number ?? "⋯";
        column.append(cell);
        this.cells[side].push(cell);
      }
      block.append(column);
    }
    return block;
  }

  #draw() {
    for (const side of this.sides) {
      const items = this.#items(side);
      const perRow = this.#perRow(side, items);
      this.record.rows.forEach((row, index) => {
        const own = perRow.get(index) ?? [];
        const drawn = own.map((item) => item.signature).join("|");
        if (this.drawn[side][index] === drawn) return;
        this.drawn[side][index] = drawn;
        this.#drawRow(side, index, own);
      });
    }
    this.#markCurrent();
  }

  // What is marked on a side, sorted.
  #items(side) {
    const items = [];
    const add = (from, to, span, state = span.state) => {
      if (from < to) {
        const signature = [from, to, span.id, span.label, state, span.disagreement ? "!" : ""].join(" ");
        items.push({ from, to, span, state, signature });
      }
    };
    if (side === "original") {
      for (const span of this.record.spans) add(span.from, span.to, span);
    } else {
      const { alignment } = this.record;
      for (const span of this.record.spans) {
        if (span.maskedFrom === null) {
          add(alignment.toMasked(span.from), alignment.toMasked(span.to), span);
          continue;
        }
        add(span.maskedFrom, span.maskedTo, span);
        // What a corrected span covers and the mask did not: it is still readable here.
        if (span.state === "changed") {
          const { maskedText } = this.record;
          for (const [from, to] of [
            [alignment.toMasked(span.from), span.maskedFrom],
            [span.maskedTo, alignment.toMasked(span.to)],
          ]) {
            const readable = maskedText.trim(from, to);
            if (readable) add(readable.start, readable.end, span, "added");
          }
        }
      }
      items.sort((one, other) => one.from - other.from || one.to - other.to);
    }
    return disjoint(items);
  }

  #bounds(side, row) {
    return side === "original" ? [row.start, row.end] : [row.maskedStart, row.maskedEnd];
  }

  #perRow(side, items) {
    const { rows } = this.record;
    const perRow = new Map();
    for (const item of items) {
      let index = Math.max(0, firstIndex(rows.length, (at) => this.#bounds(side, rows[at])[0] > item.from) - 1);
      for (; index < rows.length && this.#bounds(side, rows[index])[0] < item.to; index += 1) {
        if (!perRow.has(index)) perRow.set(index, []);
        perRow.get(index).push(item);
      }
    }
    return perRow;
  }

  #drawRow(side, index, items) {
    const string = side === "original" ? this.record.original : this.record.masked;
    const [start, end] = this.#bounds(side, this.record.rows[index]);
    const pieces = [];
    let position = start;
    for (const [at, item] of items.entries()) {
      const from = Math.max(item.from, start);
      const to = Math.min(item.to, end);
      if (to <= from) continue;
      if (position < from) pieces.push(document.createTextNode(string.slice(position, from)));
      const mark = this.#mark(side, item, string.slice(from, to), start <= item.from);
      // The label above a short span does not reach into the label of the next one.
      if (items[at + 1]?.from - from < LONGEST_LABEL) {
        mark.style.setProperty("--room", `${roomAbove(string.slice(from, items[at + 1].from))}em`);
      }
      pieces.push(mark);
      position = to;
    }
    if (position < end) pieces.push(document.createTextNode(string.slice(position, end)));
    this.cells[side][index].replaceChildren(...pieces);
  }

  #mark(side, { span, state }, words, first) {
    const mark = document.createElement("mark");
    mark.className = `span ${this.familyOf(span.label)} is-${state}`;
    mark.dataset.span = span.id;
    if (first) {
      const calm = side === "masked" && state !== "added" && state !== "deleted";
      mark.dataset.tag = calm ? span.label : `${SIGNS[state]}${span.disagreement ? "≠" : ""} ${span.label}`;
    }
    mark.tabIndex = -1;
    mark.setAttribute("role", "button");
    const role = side === "original" ? span.label : state === "added" ? `readable ${span.label}` : `replaces ${span.label}`;
    const score = span.score === null || span.score === undefined ? "" : `, score ${Math.floor(100 * span.score)} %`;
    mark.setAttribute("aria-label", `${words}, ${role}, ${stateWords(state, this.mode)}${score}`);
    mark.append(words);
    return mark;
  }

  setCurrent(id, { focus = true } = {}) {
    this.current = id;
    this.#markCurrent();
    if (id !== null) this.#scrollTo(this.root.querySelector(`mark[data-span="${CSS.escape(id)}"]`));
    if (focus) this.focusCurrent();
  }

  focusCurrent() {
    const mark = this.current === null ? null : this.root.querySelector(`mark[data-span="${CSS.escape(this.current)}"]`);
    (mark ?? this.root).focus({ preventScroll: true });
  }

  #markCurrent() {
    for (const mark of this.root.querySelectorAll("mark[aria-current]")) mark.removeAttribute("aria-current");
    if (this.current === null) return;
    for (const mark of this.root.querySelectorAll(`mark[data-span="${CSS.escape(this.current)}"]`)) {
      mark.setAttribute("aria-current", "true");
    }
  }

  #scrollTo(element) {
    if (!element) return;
    const place = element.getClientRects()[0] ?? element.getBoundingClientRect();
    const frame = this.root.getBoundingClientRect();
    const top = Math.max(frame.top, 0);
    const bottom = Math.min(frame.bottom, innerHeight);
    if (place.top < top + 40 || place.bottom > bottom - 40) element.scrollIntoView({ block: "center" });
  }

  // --- selection ---

  // The place in the text of a position in the document, or null outside the text.
  #position(node, offset) {
    let cell = (node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement)?.closest(".line");
    if (!cell) {
      const child = node.childNodes?.[offset];
      cell = child?.matches?.(".line") ? child : child?.querySelector?.(".line");
      [node, offset] = [cell, 0];
      if (!cell) return null;
    }
    if (!this.root.contains(cell)) return null;
    const side = cell.dataset.side;
    const before = document.createRange();
    before.setStart(cell, 0);
    before.setEnd(node, offset);
    const row = Number(cell.dataset.row);
    return { side, row, unit: this.#bounds(side, this.record.rows[row])[0] + before.toString().length };
  }

  // The selected part of the original, without white space at its ends; null if nothing is selected.
  selection() {
    const selection = getSelection();
    if (!this.record || selection.rangeCount === 0 || selection.isCollapsed) return null;
    const range = selection.getRangeAt(0);
    const from = this.#position(range.startContainer, range.startOffset);
    let to = this.#position(range.endContainer, range.endOffset);
    if (!from || !to) return null;
    if (from.side !== to.side) {
      // A selection of whole lines ends at the beginning of what follows: the other side.
      const { rows } = this.record;
      if (to.unit !== this.#bounds(to.side, rows[to.row])[0]) return null;
      const block = this.cells.original[from.row].closest(".block");
      const last = from.side === "masked" ? to.row - 1 : Number(block.querySelector(".original > :last-child").dataset.row);
      to = { side: from.side, unit: this.#bounds(from.side, rows[last])[1] };
    }
    const { text, maskedText, alignment } = this.record;
    const trimmed = (from.side === "original" ? text : maskedText).trim(from.unit, to.unit);
    if (!trimmed) return null;
    const place = from.side === "original" ? trimmed : alignment.toOriginal(trimmed.start, trimmed.end);
    return place.start < place.end ? { ...place, side: from.side } : null;
  }

  clearSelection() {
    getSelection().removeAllRanges();
    if (this.caret) this.#moveCaret(this.caret.unit, false);
  }

  #domPosition(side, unit) {
    const { rows } = this.record;
    const index = Math.max(0, firstIndex(rows.length, (at) => this.#bounds(side, rows[at])[0] > unit) - 1);
    const cell = this.cells[side][index];
    let rest = unit - this.#bounds(side, rows[index])[0];
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    let node = null;
    while (walker.nextNode()) {
      node = walker.currentNode;
      if (rest <= node.length) return { node, offset: rest, cell };
      rest -= node.length;
    }
    return node ? { node, offset: node.length, cell } : { node: cell, offset: 0, cell };
  }

  // --- caret: select without a mouse ---

  toggleCaret() {
    if (this.caret) {
      this.leaveCaret();
      return false;
    }
    const selection = getSelection();
    const place = selection.rangeCount ? this.#position(selection.focusNode, selection.focusOffset) : null;
    const span = this.record.spans.find((one) => one.id === this.current);
    const unit = span ? span.from : this.#firstVisible();
    this.caret = place ?? { side: "original", unit };
    this.caret.anchor = this.caret.unit;
    this.root.dataset.selecting = this.caret.side;
    this.root.focus({ preventScroll: true });
    this.#moveCaret(this.caret.unit, false);
    return true;
  }

  leaveCaret() {
    this.caret = null;
    this.caretMark.hidden = true;
  }

  #firstVisible() {
    const top = Math.max(0, this.root.getBoundingClientRect().top);
    const cells = this.cells.original;
    const index = firstIndex(cells.length, (at) => cells[at].getBoundingClientRect().bottom > top + 8);
    return this.record.rows[Math.min(index, cells.length - 1)].start;
  }

  // Move the caret for a key; returns what a screen reader announces, or null for another key.
  caretKey(key, { extend, byWord }) {
    const { side, unit } = this.caret;
    const text = side === "original" ? this.record.text : this.record.maskedText;
    const row = this.record.rows[this.#rowOf(side, unit)];
    const [start, end] = this.#bounds(side, row);
    let target;
    if (key === "ArrowRight") {
      target = byWord ? (text.wordBoundary(unit, 1, "end") ?? text.string.length) : text.characterBoundary(unit, 1);
    } else if (key === "ArrowLeft") {
      target = byWord ? (text.wordBoundary(unit, -1, "start") ?? 0) : text.characterBoundary(unit, -1);
    } else if (key === "Home") target = byWord ? 0 : start;
    else if (key === "End") target = byWord ? text.string.length : end;
    else if (key === "ArrowDown" || key === "ArrowUp") target = this.#verticalTarget(key === "ArrowDown" ? 1 : -1);
    else return null;
    this.#moveCaret(target, extend);
    if (extend) {
      const range = [this.caret.anchor, target].sort((one, other) => one - other);
      return `${text.slice(...range)} selected`;
    }
    if (key === "ArrowDown" || key === "ArrowUp") {
      const [from, to] = this.#bounds(side, this.record.rows[this.#rowOf(side, target)]);
      return text.slice(from, to) || "empty line";
    }
    return byWord ? text.slice(...[unit, target].sort((one, other) => one - other)) : text.slice(target, text.characterBoundary(target, 1));
  }

  #rowOf(side, unit) {
    const { rows } = this.record;
    return Math.max(0, firstIndex(rows.length, (at) => this.#bounds(side, rows[at])[0] > unit) - 1);
  }

  #verticalTarget(step) {
    const { side, unit } = this.caret;
    const place = this.#caretRect();
    const height = parseFloat(getComputedStyle(this.root).lineHeight) || 24;
    const y = (place.top + place.bottom) / 2 + step * height;
    const found = document.caretPositionFromPoint?.(place.left + 0.5, y);
    const position = found ? this.#position(found.offsetNode, found.offset) : null;
    if (position && position.side === side && Math.sign(position.unit - unit) === step) return position.unit;
    const index = this.#rowOf(side, unit) + step;
    if (index < 0 || this.record.rows.length <= index) return unit;
    return this.#bounds(side, this.record.rows[index])[0];
  }

  #moveCaret(unit, extend) {
    this.caret.unit = unit;
    if (!extend) this.caret.anchor = unit;
    const anchor = this.#domPosition(this.caret.side, this.caret.anchor);
    const focus = this.#domPosition(this.caret.side, unit);
    getSelection().setBaseAndExtent(anchor.node, anchor.offset, focus.node, focus.offset);
    this.#scrollTo(focus.cell.getClientRects().length && focus.cell.offsetHeight < 200 ? focus.cell : focus.node.parentElement);
    this.placeCaret();
  }

  #caretRect() {
    const { node, offset, cell } = this.#domPosition(this.caret.side, this.caret.unit);
    const range = document.createRange();
    range.setStart(node, offset);
    const place = range.getClientRects()[0];
    if (place?.height) return place;
    const box = cell.getBoundingClientRect();
    const left = box.left + parseFloat(getComputedStyle(cell).paddingLeft);
    return new DOMRect(left, box.top, 0, Math.min(box.height, 24));
  }

  placeCaret() {
    if (!this.caret) return;
    const place = this.#caretRect();
    const frame = this.root.getBoundingClientRect();
    this.caretMark.hidden = false;
    this.caretMark.style.left = `${place.left - frame.left + this.root.scrollLeft}px`;
    this.caretMark.style.top = `${place.top - frame.top + this.root.scrollTop}px`;
    this.caretMark.style.height = `${place.height}px`;
  }

  // Where the selection ends on the screen, for the buttons beside it.
  selectionPlace() {
    const rects = getSelection().getRangeAt(0).getClientRects();
    return rects.length ? rects[rects.length - 1] : null;
  }
}

// Overlapping items, cut so that each place has one: a span in force hides a deleted one.
function disjoint(items) {
  if (items.every((item, index) => index === 0 || items[index - 1].to <= item.from)) return items;
  const bounds = [...new Set(items.flatMap((item) => [item.from, item.to]))].sort((one, other) => one - other);
  const result = [];
  for (let index = 0; index + 1 < bounds.length; index += 1) {
    const [from, to] = [bounds[index], bounds[index + 1]];
    const covering = items.filter((item) => item.from <= from && to <= item.to);
    const top = covering.find((item) => item.state !== "deleted") ?? covering[0];
    if (!top) continue;
    const previous = result.at(-1);
    if (previous && previous.signature === top.signature && previous.to === from) previous.to = to;
    else result.push({ ...top, from, to });
  }
  return result;
}
