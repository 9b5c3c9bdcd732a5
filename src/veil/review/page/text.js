// Offsets, words and lines. The server counts code points, the browser counts UTF-16 units: a `Text`
// translates between both. Everything else on the page counts units.

export class Text {
  constructor(string) {
    this.string = string;
    this.language = undefined;
    if (/[\u{10000}-\u{10ffff}]/u.test(string)) {
      const units = [];
      for (let unit = 0; unit < string.length; unit += string.codePointAt(unit) > 0xffff ? 2 : 1) {
        units.push(unit);
      }
      units.push(string.length);
      this.units = Uint32Array.from(units);
    } else {
      this.units = null; // each code point is one unit
    }
  }

  unit(point) {
    return this.units ? this.units[Math.min(point, this.units.length - 1)] : point;
  }

  point(unit) {
    return this.units ? firstIndex(this.units.length, (index) => this.units[index] >= unit) : unit;
  }

  slice(start, end) {
    return this.string.slice(start, end);
  }

  // The range without white space at its ends, or null if nothing else is in it.
  trim(start, end) {
    const string = this.string;
    while (start < end && /\s/u.test(string[start])) start += 1;
    while (start < end && /\s/u.test(string[end - 1])) end -= 1;
    return start < end ? { start, end } : null;
  }

  // The words of a range, in lower case.
  words(start, end) {
    const found = [];
    for (const { segment, isWordLike } of segmenter("word", this.language).segment(this.slice(start, end))) {
      if (isWordLike) found.push(segment.toLowerCase());
    }
    return found;
  }

  // The places where a mention equal to this one starts.
  equalMentions(start, end) {
    const words = this.slice(start, end);
    const places = [];
    if (!words) return places;
    for (let at = this.string.indexOf(words); at >= 0; at = this.string.indexOf(words, at + words.length)) {
      if (this.isWhole(at, at + words.length)) places.push(at);
    }
    return places;
  }

  // Whether a range does not begin or end inside a word of an alphabet that separates words.
  isWhole(start, end) {
    const glued = (left, right) =>
      left !== undefined && right !== undefined && SPACED.test(left) && SPACED.test(right);
    return !glued(this.string[start - 1], this.string[start]) && !glued(this.string[end - 1], this.string[end]);
  }

  // The next place after `unit` (or before it, if `step` is -1) where a word begins or ends.
  wordBoundary(unit, step, edge) {
    let found = null;
    for (const word of this.#segments("word", unit)) {
      if (!word.isWordLike) continue;
      const place = edge === "start" ? word.start : word.end;
      if (step > 0 && place > unit) return place;
      if (step < 0 && place < unit) found = place;
    }
    return found;
  }

  // The next boundary between characters as a reader sees them: an emoji or a letter with marks is one.
  characterBoundary(unit, step) {
    const string = this.string;
    if (step > 0 && string.startsWith("\r\n", unit)) return unit + 2;
    if (step < 0 && unit >= 2 && string.startsWith("\r\n", unit - 2)) return unit - 2;
    let found = step > 0 ? string.length : 0;
    for (const piece of this.#segments("grapheme", unit)) {
      if (step > 0 && piece.start > unit) return piece.start;
      if (step < 0 && piece.start < unit) found = piece.start;
    }
    return found;
  }

  // A window is enough to find a boundary near a place, also in a line of 200,000 characters.
  *#segments(granularity, unit) {
    const from = this.#wholeCharacter(Math.max(0, unit - WINDOW));
    const to = this.#wholeCharacter(Math.min(this.string.length, unit + WINDOW));
    for (const { segment, index, isWordLike } of segmenter(granularity, this.language).segment(
      this.string.slice(from, to),
    )) {
      yield { start: from + index, end: from + index + segment.length, isWordLike };
    }
  }

  #wholeCharacter(unit) {
    const code = this.string.charCodeAt(unit);
    return code >= 0xdc00 && code <= 0xdfff ? unit - 1 : unit;
  }
}

const WINDOW = 400;
const SPACED = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Nd}]/u;
const segmenters = new Map();

function segmenter(granularity, language) {
  const key = `${granularity} ${language}`;
  if (!segmenters.has(key)) segmenters.set(key, new Intl.Segmenter(language, { granularity }));
  return segmenters.get(key);
}

// The smallest index below `length` for which `test` holds, or `length`; `test` never turns false again.
export function firstIndex(length, test) {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

// What corresponds to what in the original and the masked text. `changes` are replaced pieces, in units.
export class Alignment {
  constructor(changes) {
    this.changes = changes;
  }

  toMasked(unit) {
    return this.#translate(unit, "start", "end", "maskedStart", "maskedEnd", false);
  }

  // A range of the masked text in the original. A replaced piece corresponds as a whole.
  toOriginal(start, end) {
    const names = ["maskedStart", "maskedEnd", "start", "end"];
    return { start: this.#translate(start, ...names, false), end: this.#translate(end, ...names, true) };
  }

  #translate(unit, start, end, toStart, toEnd, upwards) {
    const { changes } = this;
    const next = firstIndex(changes.length, (index) => changes[index][end] > unit);
    if (next < changes.length && changes[next][start] < unit) {
      return upwards ? changes[next][toEnd] : changes[next][toStart];
    }
    if (next === 0) return unit;
    return changes[next - 1][toEnd] + unit - changes[next - 1][end];
  }
}

// The rows of the page: the lines of the original with the lines of the masked text beside them. A line
// break inside a replaced piece starts no row: the other side may have no break there. A very long line is
// cut into several rows, so that both sides stay aligned and a decision draws little.
export function alignedRows(original, masked, alignment) {
  const rows = [];
  let start = 0;
  let number = 1; // of the line; a row that continues a line has none
  const isReplaced = (unit) => {
    const next = firstIndex(alignment.changes.length, (at) => alignment.changes[at].end > unit);
    return next < alignment.changes.length && alignment.changes[next].start < unit;
  };
  const add = (end, next, shown) => {
    const row = { start, end, number: shown, maskedStart: 0, maskedEnd: 0 };
    if (masked !== null) {
      row.maskedStart = rows.length ? alignment.toMasked(start) : 0;
      row.maskedEnd = next <= original.length && start < next ? alignment.toMasked(next) : masked.length;
      if (end < next) row.maskedEnd -= /(\r\n|[\n\r])?$/u.exec(masked.slice(row.maskedStart, row.maskedEnd))[0].length;
    }
    rows.push(row);
    start = next;
  };
  const addLine = (end, next) => {
    let shown = number;
    while (end - start > LONGEST) {
      const cut = cutPlace(original, start, end, isReplaced);
      if (cut === null) break;
      add(cut, cut, shown);
      shown = null;
    }
    add(end, next, shown);
  };
  let lines = 1;
  for (const { 0: found, index } of original.matchAll(/\r\n|[\n\r]/gu)) {
    lines += 1;
    const next = index + found.length;
    if (isReplaced(next)) continue;
    addLine(index, next);
    number = lines;
  }
  // A line break at the end of the text begins no line.
  const rest = masked === null ? 0 : masked.length - alignment.toMasked(start);
  if (start < original.length || rest > 0 || rows.length === 0) addLine(original.length, original.length + 1);
  return rows;
}

const LONGEST = 1500;

// A place to cut a long line: behind a space, or between two characters if there is none.
function cutPlace(original, start, end, isReplaced) {
  const latest = Math.min(start + LONGEST, end);
  for (let unit = latest; unit > start + LONGEST / 2; unit -= 1) {
    if (/\s/u.test(original[unit - 1]) && !isReplaced(unit)) return unit;
  }
  const text = new Text(original.slice(start, end));
  for (let unit = text.characterBoundary(latest - start - 1, 1); unit < end - start; unit = text.characterBoundary(unit, 1)) {
    if (!isReplaced(start + unit)) return start + unit;
  }
  return null;
}
