import SqliteDatabase from "better-sqlite3";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { OpenStore } from "../../../src/adapters/store/database.ts";
import { migrate } from "../../../src/adapters/store/sqlite/migrate.ts";
import { migrations } from "../../../src/adapters/store/sqlite/migrations/migrations.ts";
import { storeOn } from "../../../src/adapters/store/sqlite/open.ts";
import { firstLines, ledgerSums } from "../../../src/dashboard/api/ledger.ts";
import { ReadTurns } from "../../../src/dashboard/api/read-turns.ts";
import { LEDGER_KEYS, ledger, lineOrder } from "../../../src/domain/reporting/ledger.ts";
import type { LedgerRows } from "../../../src/domain/reporting/postings.ts";
import { agent, repository, task } from "./samples.ts";
import { watchedStore } from "./watched-store.ts";

const DAY = 86_400_000;
const OTHER = { ...repository, id: 8, name: "engine" };
const turns = new ReadTurns();

/** All that the ledger is made of, each table read by one statement from end to end. */
function wholeRead(database: SqliteDatabase.Database, since: number): LedgerRows {
  const all = <Row>(text: string, ...values: number[]): Row[] =>
    database.prepare<number[], Row>(text).all(...values);
  return {
    agents: all<LedgerRows["agents"][number] & { coder: unknown }>(`SELECT id, repository_id AS repositoryId,
      issue, name, role, runtime, coder, created_at AS createdAt,
      CASE WHEN state = 'ACTIVE' THEN active_since END AS activeSince FROM agent ORDER BY id`).map((row) => ({
      ...row,
      coder: Number(row.coder) === 1,
    })),
    usage: all(
      `SELECT agent_id AS agentId, model, at / ${DAY} AS day, sum(input_tokens) AS inputTokens,
        sum(cached_tokens) AS cachedTokens, sum(output_tokens) AS outputTokens,
        sum(cost_micro_usd) AS costMicroUsd
      FROM usage WHERE at >= ? GROUP BY 1, 2, 3 ORDER BY min(id)`,
      since,
    ),
    awake: all<{ agentId: number; at: number; begins: unknown }>(
      `SELECT record_id AS agentId, at, to_state = 'ACTIVE' AS begins FROM transition
      WHERE machine = 'agent' AND (from_state = 'ACTIVE' OR to_state = 'ACTIVE')
        AND from_state != to_state AND at >= ? ORDER BY id`,
      since,
    ).map((move) => ({ ...move, begins: Number(move.begins) === 1 })),
    ended: all<LedgerRows["ended"][number] & { merged: unknown }>(
      `SELECT transition.repository_id AS repositoryId, transition.issue, transition.at,
        transition.to_state = 'MERGED' AS merged, task.assignee_id AS coderId
      FROM transition JOIN task ON task.id = transition.record_id
      WHERE transition.machine = 'task' AND transition.to_state IN ('MERGED', 'ABANDONED')
        AND transition.at >= ? ORDER BY transition.id`,
      since,
    ).map((row) => ({ ...row, merged: Number(row.merged) === 1 })),
    touches: all(
      "SELECT repository_id AS repositoryId, issue, kind, key, at FROM touch WHERE at >= ? ORDER BY id",
      since,
    ),
  };
}

const at = fc.integer({ min: 0, max: 5 * DAY });
const issue = fc.integer({ min: 1, max: 60 });
const where = { repositoryId: fc.constantFrom(repository.id, OTHER.id), issue };
const amount = fc.nat(1_000_000);
const work = fc.record({
  agents: fc.array(
    fc.record({
      ...where,
      role: fc.constantFrom("feat-dev", "reviewer"),
      createdAt: at,
      activeSince: fc.option(at),
      calls: fc.array(
        fc.record({
          at,
          model: fc.constantFrom("small", "large"),
          inputTokens: amount,
          outputTokens: amount,
          cachedTokens: amount,
          costMicroUsd: fc.nat(3),
        }),
        { maxLength: 3 },
      ),
      moves: fc.array(
        fc.tuple(at, fc.constantFrom("ACTIVE", "SLEEPING"), fc.constantFrom("ACTIVE", "SLEEPING")),
        {
          maxLength: 4,
        },
      ),
      ended: fc.option(fc.tuple(at, fc.constantFrom("MERGED", "ABANDONED", "SUPERSEDED"), fc.boolean())),
    }),
    { maxLength: 40 },
  ),
  touches: fc.array(fc.record({ ...where, kind: fc.constantFrom("comment", "revert"), at }), {
    maxLength: 30,
  }),
});

type Work = typeof work extends fc.Arbitrary<infer W> ? W : never;

async function write(store: OpenStore, { agents, touches }: Work): Promise<void> {
  await store.repositories.put(repository);
  await store.repositories.put(OTHER);
  for (const [index, { calls, moves, ended, activeSince, ...fields }] of agents.entries()) {
    const { id } = await store.records.insert(
      "agent",
      agent({
        ...fields,
        name: `agent-${index}`,
        role: `${fields.role}-${index}`,
        state: activeSince === null ? "COMPLETED" : "ACTIVE",
        activeSince,
      }),
    );
    for (const call of calls) await store.usage.add({ ...call, agentId: id });
    const base = {
      repositoryId: fields.repositoryId,
      issue: fields.issue,
      actor: "flotilla",
      event: "ANY",
      reason: null,
      evidence: null,
      delivery: null,
    };
    for (const [when, from, to] of moves)
      await store.transitions.add({
        ...base,
        machine: "agent",
        recordId: id,
        agentId: id,
        from,
        to,
        at: when,
      });
    if (ended === null) continue;
    const [when, to, held] = ended;
    const { repositoryId } = fields;
    const done = await store.records.insert(
      "task",
      task({ repositoryId, issue: fields.issue, state: "SUPERSEDED", assigneeId: held ? id : null }),
    );
    const move = {
      machine: "task",
      recordId: done.id,
      agentId: null,
      from: "APPROVED",
      to,
      at: when,
    } as const;
    await store.transitions.add({ ...base, ...move });
  }
  for (const [index, touch] of touches.entries())
    await store.ledger.touch({ ...touch, key: `touch:${index}` });
}

test("slices come to the same as one read of everything, to the millionth, whatever it is summed by", async () => {
  await fc.assert(
    fc.asyncProperty(work, fc.integer({ min: 0, max: 4 * DAY }), async (done, from) => {
      const database = new SqliteDatabase(":memory:");
      migrate(database, migrations);
      const store = storeOn(database);
      try {
        await write(store, done);
        const names = new Map([repository, OTHER].map((one) => [one.id, `${one.owner}/${one.name}`]));
        const span = { from, to: 5 * DAY };
        const whole = wholeRead(database, from);
        const isPart = (row: { readonly repositoryId: number }) => row.repositoryId === OTHER.id;
        const part = {
          ...whole,
          agents: whole.agents.filter(isPart),
          ended: whole.ended.filter(isPart),
          touches: whole.touches.filter(isPart),
        };
        const parts = [
          [null, whole],
          [{ repositoryId: OTHER.id, issues: null }, part],
          [{ repositoryId: OTHER.id, issues: Array.from({ length: 60 }, (_, index) => index + 1) }, part],
        ] as const;
        for (const [of, rows] of parts) {
          const sums = await ledgerSums({ store, turns }, LEDGER_KEYS, { ...span, part: of });
          for (const [index, by] of LEDGER_KEYS.entries()) {
            const expected = ledger(rows, by, { ...span, names });
            const lines = sums[index] ?? new Map();
            expect([...lines.values()].toSorted(lineOrder(by))).toEqual(expected);
            const after = expected[2] ?? null;
            const page = await firstLines(turns, by, lines, { after, limit: 4 });
            expect(page).toEqual(expected.slice(after === null ? 0 : 3).slice(0, 4));
          }
        }
      } finally {
        await store.close();
      }
    }),
    { numRuns: 60 },
  );
});

test("each slice reads a few hundred rows by an index, however many there are", async () => {
  const { store, statements, growing } = watchedStore();
  await store.repositories.put(repository);
  const made = await store.records.insert("agent", agent({ issue: 1, name: "first" }));
  await store.transaction(async (tables) => {
    for (let index = 0; index < 1300; index += 1)
      await tables.usage.add({
        agentId: made.id,
        model: "m",
        inputTokens: 1,
        outputTokens: 1,
        cachedTokens: 0,
        costMicroUsd: 1,
        // Many at the same moment.
        at: Math.floor(index / 400),
      });
  });
  statements();
  const slices = await Array.fromAsync(store.ledger.slices(0, null));
  const asked = statements();
  expect(asked.flatMap(growing).filter((detail) => detail.startsWith("SCAN"))).toEqual([]);
  const walked = asked.filter((text) => text.includes("usage_in_time"));
  expect(walked.every((text) => /LIMIT \+?500/.test(text))).toBe(true);
  expect(walked).toHaveLength(3);
  expect(asked.filter((text) => text.includes("LIMIT")).flatMap(growing)).toEqual([]);
  expect(slices.flatMap(({ usage }) => usage)).toMatchObject([{ inputTokens: 1300 }]);
});
