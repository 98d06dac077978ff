import { Transform } from "node:stream";

/** Returns a stream that replaces texts of ASCII characters in what passes, also where one is split between chunks. */
export function rewrittenText(pairs: readonly (readonly [from: string, to: string])[]): Transform {
  const replacements = new Map(pairs);
  const longest = Math.max(...pairs.map(([from]) => from.length));
  const wanted = new RegExp(pairs.map(([from]) => from.replaceAll(/[^\w\s]/g, "\\$&")).join("|"), "g");
  let kept = "";
  /** Returns what may be passed on of a text; keeps an end in which a wanted text may begin. */
  const settled = (text: string, isLast: boolean): string => {
    let passed = 0;
    let out = "";
    for (const { 0: from, index } of text.matchAll(wanted)) {
      out += text.slice(passed, index) + replacements.get(from);
      passed = index + from.length;
    }
    const end = isLast ? text.length : Math.max(passed, text.length - longest + 1);
    kept = text.slice(end);
    return out + text.slice(passed, end);
  };
  // Each byte is one character here, so that any other text stays as it is.
  return new Transform({
    transform: (chunk: Buffer, _, done) =>
      done(null, Buffer.from(settled(kept + chunk.toString("latin1"), false), "latin1")),
    flush: (done) => done(null, Buffer.from(settled(kept, true), "latin1")),
  });
}
