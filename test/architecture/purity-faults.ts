import { codeOnly, type Source } from "./source.ts";

type Rule = readonly [RegExp, string];

const CLOCK: Rule = [
  /\bDate\.now\b|\bnew Date\(\s*\)|\bDate\(\s*\)|\bperformance\./,
  "reads the clock: time is an argument",
];
const CHANCE: Rule = [
  /\bMath\.random\b|\bcrypto\b|\brandom(?:UUID|Bytes|Int)\b/,
  "is not repeatable: chance is an argument",
];

/** The engine waits, but by the clock that it is given, so that one seed decides all that it does. */
const ENGINE: readonly Rule[] = [CLOCK, CHANCE, [/\bset(?:Timeout|Interval)\b/, "sets a timer"]];

const DOMAIN: readonly Rule[] = [
  [/\basync\b|\bawait\b|\bPromise\b|\.then\(/, "waits: the domain has no asynchronous code"],
  CLOCK,
  CHANCE,
  [/\bset(?:Timeout|Interval|Immediate)\b|\bqueueMicrotask\b/, "sets a timer"],
  [/\bprocess\.[a-z]|\bconsole\.|\bfetch\(|\bglobalThis\b/i, "reaches outside"],
];

const RUNS = /^\s*(?:export\s+)?(?:(?:async\s+)?function|const|let|class|enum)\b/m;

/** What makes a file of src/domain impure, or one of src/engine unrepeatable. The ports may name promises, because they only say what others do. */
export function purityFaults({ path, text }: Source): readonly string[] {
  if (!path.endsWith(".ts")) return [];
  if (path.startsWith("src/engine/")) return broken(ENGINE, { path, text });
  if (!path.startsWith("src/domain/")) return [];
  const code = codeOnly(text);
  if (path.startsWith("src/domain/ports/"))
    return RUNS.test(code) ? [`${path}: holds code, but a port is an interface`] : [];
  return broken(DOMAIN, { path, text });
}

function broken(rules: readonly Rule[], { path, text }: Source): readonly string[] {
  const code = codeOnly(text);
  return rules.filter(([pattern]) => pattern.test(code)).map(([, why]) => `${path}: ${why}`);
}
