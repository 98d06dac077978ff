import * as fc from "fast-check";
import type { EndedTask, LedgerAgent, LedgerRows, UsageSum } from "../../../src/domain/reporting/postings.ts";
import { TOUCH_KINDS } from "../../../src/domain/reporting/touch.ts";

const DAY = 86_400_000;
const AGENTS = 6;
const SPAN_DAYS = 5;

const id = fc.integer({ min: 1, max: AGENTS });
const at = fc.integer({ min: 0, max: SPAN_DAYS * DAY });
const count = fc.integer({ min: 0, max: 1_000_000 });
const where = { repositoryId: fc.constantFrom(7, 8), issue: fc.integer({ min: 1, max: 3 }) };

const usage: fc.Arbitrary<UsageSum> = fc.record({
  agentId: id,
  model: fc.constantFrom("small", "large"),
  day: fc.integer({ min: 0, max: SPAN_DAYS }),
  inputTokens: count,
  cachedTokens: count,
  outputTokens: count,
  costMicroUsd: count,
});
const ended: fc.Arbitrary<EndedTask> = fc.record({
  ...where,
  coderId: fc.option(id),
  merged: fc.boolean(),
  at,
});

/** Any day's work of six agents on issues of two repositories, within the first five days of the epoch. */
export const someRows: fc.Arbitrary<LedgerRows> = fc.record({
  agents: fc.tuple(...Array.from({ length: AGENTS }, (_, index) => anyAgent(index + 1))),
  usage: fc.array(usage, { maxLength: 20 }),
  awake: fc
    .array(fc.record({ agentId: id, at, begins: fc.boolean() }), { maxLength: 20 })
    .map((moves) => moves.toSorted((one, other) => one.at - other.at)),
  ended: fc.array(ended, { maxLength: 5 }),
  touches: fc.array(fc.record({ ...where, kind: fc.constantFrom(...TOUCH_KINDS), key: fc.string(), at }), {
    maxLength: 8,
  }),
});

function anyAgent(agentId: number): fc.Arbitrary<LedgerAgent> {
  return fc.record({
    id: fc.constant(agentId),
    ...where,
    name: fc.constant(`agent-${agentId}`),
    role: fc.constantFrom("feat-dev", "reviewer"),
    runtime: fc.constantFrom("copilot", "claude"),
    coder: fc.boolean(),
    createdAt: at,
    activeSince: fc.option(at),
  });
}
