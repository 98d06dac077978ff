import { readFileSync } from "node:fs";
import { z } from "zod";
import { afterTurn, noProgressYet, type Stuck } from "../../../src/domain/breakers/progress.ts";

const CALL = z.strictObject({
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
  output: z.string(),
  ok: z.boolean().default(true),
  ms: z.number().default(200),
});

/** The turns of one conversation, as they went. */
const TRACE = z.strictObject({
  name: z.string(),
  turns: z.array(z.strictObject({ calls: z.array(CALL), tree: z.string().nullable() })),
  /** A role that changes no files. */
  reader: z.boolean().default(false),
  /** What it is stuck by, and the turn from which on nothing comes of it any more. */
  kind: z.enum(["same_call", "alternating", "same_failure", "no_change"]).optional(),
  since: z.number().default(0),
});
export type WorkTrace = z.infer<typeof TRACE>;

export function workTraces(label: "looping" | "honest"): readonly WorkTrace[] {
  const file = new URL(`../../fixtures/traces/progress/${label}.json`, import.meta.url);
  return z.array(TRACE).parse(JSON.parse(readFileSync(file, "utf8")));
}

/** The detector over a trace: after how many turns it says stuck, and by what. */
export function replayWork(
  trace: Pick<WorkTrace, "turns" | "reader">,
  turnsWithoutChange = 5,
): { turn: number; stuck: Stuck } | null {
  let progress = noProgressYet({ changes: !trace.reader, tree: trace.turns[0]?.tree ?? null });
  for (const [index, turn] of trace.turns.entries()) {
    const next = afterTurn(progress, turn, turnsWithoutChange);
    if (next.stuck !== null) return { turn: index + 1, stuck: next.stuck };
    progress = next.progress;
  }
  return null;
}
