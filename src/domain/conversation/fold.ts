/** An encoded letter or digit: a numeric HTML entity, a string escape, or percent encoding. */
const ESCAPE =
  /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?|\\u\{?([0-9a-f]{1,6})\}?|\\x([0-9a-f]{2})|%([0-9a-f]{2})/iy;

/** Characters that look like ASCII: full width, mathematical, circled, raised. */
const WIDE = /[\u00B2\u00B3\u00B9\u2070-\u209C\u2460-\u24FF\uFF01-\uFF5E\u{1D400}-\u{1D7FF}]/u;

/** A text reduced to letters and digits. */
export interface Folded {
  readonly text: string;
  /** Returns the range of the original text, end excluded, for a range of `text`. */
  readonly unfold: (from: number, to: number) => readonly [number, number];
}

/**
 * Returns the ASCII letters and digits of a text, decoded where they are escaped or wide, without the separators
 * between them (spaces, dashes, line ends, invisible characters). Linear in the text.
 */
export function foldText(text: string): Folded {
  let kept = "";
  const starts = new Int32Array(text.length);
  const ends = new Int32Array(text.length);
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    const end = at + lengthAt(text, at, code);
    const sign = end === at + 1 && code < 0x80 ? text.charAt(at) : plain(text.slice(at, end));
    if (isAlphanumeric(sign.charCodeAt(0))) {
      starts[kept.length] = at;
      ends[kept.length] = end;
      kept += sign.charAt(0);
    }
    at = end;
  }
  return { text: kept, unfold: (from, to) => [Number(starts[from]), Number(ends[to - 1])] };
}

/** Returns the length of the character at this index; an escape has several units. */
function lengthAt(text: string, at: number, code: number): number {
  if (code === 0x26 || code === 0x5c || code === 0x25) {
    ESCAPE.lastIndex = at;
    const end = ESCAPE.test(text) ? ESCAPE.lastIndex : at + 1;
    return end - at;
  }
  return code >= 0xd800 && code <= 0xdbff && at + 1 < text.length ? 2 : 1;
}

/** Returns the ASCII equivalent of a character. */
function plain(sign: string): string {
  ESCAPE.lastIndex = 0;
  const escape = sign.length > 2 ? ESCAPE.exec(sign) : null;
  if (escape !== null) {
    const [, hex, decimal, ...others] = escape;
    const code = decimal === undefined ? Number.parseInt(hex ?? others.join(""), 16) : Number(decimal);
    return code < 0x80 ? String.fromCharCode(code) : "";
  }
  return WIDE.test(sign) ? sign.normalize("NFKC") : "";
}

function isAlphanumeric(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}
