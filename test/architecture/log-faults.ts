import type { Source } from "./source.ts";

const CALL = /\blog\.(?:debug|info|warn|error)\(/g;

/** Log calls whose message is not a constant text: one that varies cannot be counted, and may quote anything. */
export function logFaults({ path, text }: Pick<Source, "path" | "text">): readonly string[] {
  return [...text.matchAll(CALL)].flatMap(({ index, 0: call }) => {
    const message = lastArgument(text, index + call.length);
    if (/^"[^"\\]*"$/.test(message)) return [];
    return [`${path}: the message of a log call is ${message}, not a constant text`];
  });
}

/** Of the call whose parenthesis opens before `from`. */
function lastArgument(text: string, from: number): string {
  const parts = [""];
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const quoted = /^(?:"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)/.exec(text.slice(at))?.[0];
    const piece = quoted ?? text.charAt(at);
    at += piece.length - 1;
    if (quoted === undefined && piece === ")" && depth === 0) break;
    if (quoted === undefined) depth += { "(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1 }[piece] ?? 0;
    if (quoted === undefined && piece === "," && depth === 0) parts.push("");
    else parts.push((parts.pop() ?? "") + piece);
  }
  return (parts.map((part) => part.trim()).findLast((part) => part !== "") ?? "").trim();
}
