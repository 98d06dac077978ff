import type { Database, Statement } from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../../src/adapters/store/sqlite/database.ts";
import { migrate } from "../../../src/adapters/store/sqlite/migrate.ts";
import { migrations } from "../../../src/adapters/store/sqlite/migrations/migrations.ts";
import { storeOn } from "../../../src/adapters/store/sqlite/open.ts";
import { decide } from "../../../src/domain/decide.ts";
import type { Store } from "../../../src/domain/ports/store.ts";
import { advance } from "../../../src/engine/kernel/advance.ts";
import { delivery, repository } from "../../adapters/store/samples.ts";
import { aView } from "../../factories/a-view.ts";
import { aDomainEvent, anIssue } from "../../factories/an-occurrence.ts";
import { CLAIM } from "../../factories/leases.ts";
import { byHand } from "../../reach/record.ts";
import { createRig } from "../rig.ts";

// On a server, each statement is a round trip. The begin and the end of the transaction count too.

test("a label whose issue's blockers are unread takes at most 17 statements", async () => {
  expect(await statementsOf("feature", async () => {})).toHaveLength(17);
});

test("a label that starts the first agent of a process takes at most 31 statements, later ones three less", async () => {
  expect(await statementsOf("feature", unblocked)).toHaveLength(31);
});

test("a label that changes nothing takes at most 6 statements", async () => {
  expect(await statementsOf("colour", async () => {})).toHaveLength(6);
});

const unblocked = (store: Store) =>
  store.blockers.put({ repositoryId: repository.id, issue: 42, readAt: 1, blockers: [], linked: true });

/** Returns the statements of the transaction that decides about the label of an issue. */
async function statementsOf(
  label: string,
  prepare: (store: Store) => Promise<void>,
): Promise<readonly string[]> {
  const database = openDatabase(":memory:");
  migrate(database, migrations);
  const statements: string[] = [];
  const store = storeOn(watched(database, statements));
  onTestFinished(() => store.close());
  const rig = await createRig({ watched: false });
  onTestFinished(() => rig.close());
  const event = aDomainEvent("issue_labeled", {
    delivery: "one",
    label,
    repository,
    issue: anIssue({ number: 42, labels: [label] }),
  });
  await store.repositories.put(repository);
  await store.deliveries.insert([delivery({ guid: "one" })]);
  await store.deliveries.claim({ ...CLAIM, now: event.at, limit: 1 });
  await prepare(store);
  statements.length = 0;
  await byHand(() =>
    advance(
      { ...rig.context, store },
      {
        at: event.at,
        repositoryId: repository.id,
        issue: 42,
        delivery: "one",
        claim: CLAIM.token,
        name: "one",
        changes: decide(event, aView({ issue: 42 })),
      },
    ),
  );
  return [...statements];
}

function watched(database: Database, statements: string[]): Database {
  return new Proxy(database, {
    get(target, key) {
      if (key === "prepare") return (sql: string) => counted(target.prepare(sql), () => statements.push(sql));
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function counted(statement: Statement, count: () => void): Statement {
  return new Proxy(statement, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function") return value;
      return (...given: readonly unknown[]) => {
        if (key === "run" || key === "all") count();
        const answer: unknown = Reflect.apply(value, target, given);
        return answer === target ? counted(statement, count) : answer;
      };
    },
  });
}
