import { codeOnly, type Source } from "./source.ts";

const IMPURE: readonly (readonly [RegExp, string])[] = [
  [/\basync\b|\bawait\b|\bPromise\b|\.then\(/, "waits: the core has no asynchronous code"],
  [/\bDate\.now\b|\bnew Date\(\s*\)|\bDate\(\s*\)|\bperformance\./, "reads the clock: time is an argument"],
  [/\bMath\.random\b|\bcrypto\b/, "is not repeatable: chance is an argument"],
  [/\bset(?:Timeout|Interval|Immediate)\b|\bqueueMicrotask\b/, "sets a timer"],
  [/\bprocess\.[a-z]|\bconsole\.|\bfetch\(|\bglobalThis\b/i, "reaches outside"],
];

const RUNS = /^\s*(?:export\s+)?(?:(?:async\s+)?function|const|let|class|enum)\b/m;

/** What makes a file of src/core impure. The ports may name promises, because they only say what others do. */
export function purityFaults({ path, text }: Source): readonly string[] {
  if (!path.startsWith("src/core/") || !path.endsWith(".ts")) return [];
  const code = codeOnly(text);
  if (path.startsWith("src/core/ports/"))
    return RUNS.test(code) ? [`${path}: holds code, but a port is an interface`] : [];
  return IMPURE.filter(([pattern]) => pattern.test(code)).map(([, why]) => `${path}: ${why}`);
}
