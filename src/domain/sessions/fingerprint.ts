import { DEEPEST } from "./nesting.ts";

/** A tool call with its arguments and its result. */
export interface ToolCall {
  readonly tool: string;
  readonly args: unknown;
  readonly ok: boolean;
  readonly output: string;
  /** Duration in milliseconds. */
  readonly ms: number;
}

/**
 * Characters kept of the beginning and of the end of an output; failures are at its end, and the middle rarely matters.
 */
const HALF = 8000;

/** Escape sequences that colour text in a terminal. */
// oxlint-disable-next-line no-control-regex -- colours of a terminal begin with a control character
export const COLOUR = /\u001b\[[0-9;?]*[A-Za-z]/g;

/** Parts that differ between runs with the same result, and their replacements. In this order. */
const VOLATILE: readonly (readonly [RegExp, string])[] = [
  [COLOUR, ""],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<uuid>"],
  [/\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?/g, "<date>"],
  [/\b\d{1,2}:\d{2}:\d{2}(?:\.\d+)?\b/g, "<time>"],
  [
    /\b(?:\d+(?:\.\d+)?\s?(?:ms|milliseconds?|s|secs?|seconds?|m|min|minutes?|h|hours?)){1,8}\b/gi,
    "<duration>",
  ],
  [/\b0x[0-9a-f]+\b/gi, "<address>"],
  [/\b(?=[0-9a-f]*\d)[0-9a-f]{7,64}\b/gi, "<hex>"],
  [/\bpid[ :=]*\d+/gi, "<pid>"],
  // The runtime numbers the shells of one conversation.
  [/\bshellId: ?\d+/g, "<shell>"],
  [/\/tmp\/\S+/g, "<temporary>"],
  [/\b\d+:\d+\b/g, "<line>"],
  [/:\d+\b/g, ":<line>"],
  [/\s+/g, " "],
];

/** Returns the text without times, addresses, line numbers and the like, so that equal runs give equal texts. */
export function normalised(text: string): string {
  const cut = text.length > 2 * HALF ? `${text.slice(0, HALF)} … ${text.slice(-HALF)}` : text;
  return VOLATILE.reduce((rest, [pattern, word]) => rest.replace(pattern, word), cut).trim();
}

/** Returns arguments as one text that does not depend on the order of keys; of those that are nested too deeply, the top. */
export function canonical(value: unknown): string {
  return written(value, 0);
}

function written(value: unknown, depth: number): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (depth > DEEPEST) return '"…"';
  if (Array.isArray(value)) return `[${value.map((one) => written(one, depth + 1)).join(",")}]`;
  const fields = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${written(field, depth + 1)}`).join(",")}}`;
}

/**
 * Returns the same hash for two calls of one tool with the same arguments and the same result. Not safe against
 * forgery.
 */
export function callFingerprint(call: ToolCall): string {
  return hash(`${call.tool}\n${canonical(call.args)}\n${call.ok}\n${normalised(call.output)}`);
}

/** Returns a hash of 53 bits in hexadecimal (cyrb53): enough to distinguish some thousand texts. */
export function hash(text: string): string {
  let [one, other] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    one = Math.imul(one ^ code, 2654435761);
    other = Math.imul(other ^ code, 1597334677);
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909);
  other = Math.imul(other ^ (other >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909);
  return (4294967296 * (2097151 & other) + (one >>> 0)).toString(16);
}
