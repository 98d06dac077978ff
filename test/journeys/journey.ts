import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import type { Scenario } from "../../src/demo/scenario.ts";
import { type Stage, setStage } from "../../src/demo/stage.ts";
import type { Violation } from "../../src/domain/ports/settings-tables.ts";
import { BUBBLEWRAP_IS_HERE } from "../adapters/sandbox/bubblewrap-here.ts";
import { COMPILE_CACHE } from "../compile-cache.ts";
import { type Row, readRows } from "./rows.ts";
import { until } from "./until.ts";
import { watchInvariants } from "./watch-invariants.ts";

/** A stage in its own directory, which is deleted with it. */
export interface Journey extends Stage {
  /** Returns rows of the database, read beside the process. Empty while there is no database. */
  readonly rows: (sql: string, ...values: readonly (string | number)[]) => readonly Row[];
  /** Repeats `look` until it finds something, at most for the journey's patience. */
  until<T>(what: string, look: () => T | undefined | false | Promise<T | undefined | false>): Promise<T>;
  /**
   * Resolves when the newest agent of the issue (and role) is in the state. Reads the database, so it works across
   * restarts.
   */
  reached(issue: number, state: string, role?: string): Promise<void>;
  /** Resolves when no webhook is on its way and no delivery or effect is open. */
  quiet(): Promise<void>;
  /**
   * Stops the Flotilla process. Returns the lifecycle invariants that its database violated at any step, or violates
   * now.
   */
  violationsAfterStop(): Promise<readonly Violation[]>;
}

/** The local GitHub's lists do not lag, so there is no need to wait half a minute after each kill. */
const SECOND_LOOK = { FLOTILLA_SECOND_LOOK_MS: "300" };

/** Sets the stage and starts a real Flotilla process on it. */
export async function startJourney(options: {
  readonly scenario: Scenario;
  readonly observe?: NonNullable<Parameters<typeof setStage>[0]["observe"]>;
  readonly env?: Readonly<Record<string, string>>;
  readonly beside?: NonNullable<Parameters<typeof setStage>[0]["beside"]>;
  readonly configure?: NonNullable<Parameters<typeof setStage>[0]["configure"]>;
  /** The clock of the local GitHub and of the checks, where the process has another than the machine's. */
  readonly now?: () => number;
  /** Whether agents run in the sandbox. Default: yes if it is available. */
  readonly confined?: boolean;
  /** How long it waits for anything, in seconds. Default: 120. */
  readonly patience?: number;
}): Promise<Journey> {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-journey-"));
  const stage = await setStage({
    confined: BUBBLEWRAP_IS_HERE,
    ...options,
    directory,
    env: { ...COMPILE_CACHE, ...SECOND_LOOK, ...options.env },
  });
  const database = join(stage.dataDir, "flotilla.db");
  const now = options.now ?? Date.now;
  const watched = watchInvariants(database, now);
  const rows: Journey["rows"] = (sql, ...values) => readRows(database, sql, values);
  const agents = () =>
    JSON.stringify(rows("SELECT issue, role, state, sleep_reason, reason FROM agent ORDER BY id"));
  const patient: Journey["until"] = (what, look) =>
    until(what, look, options.patience).catch((error: unknown) => {
      throw new Error(`${String(error)}, but ${agents()}`, { cause: error });
    });
  return {
    ...stage,
    rows,
    until: patient,
    async reached(issue, state, role) {
      const last = () =>
        rows("SELECT role, state FROM agent WHERE issue = ? ORDER BY id", issue)
          .filter((row) => role === undefined || row["role"] === role)
          .at(-1);
      await patient(`#${issue} is ${state}`, () => last()?.["state"] === state).catch((error: unknown) => {
        throw new Error(`${String(error)}\n${stage.served().log()}`, { cause: error });
      });
    },
    async quiet() {
      await patient("everything is settled", async () => {
        await stage.github.webhooks.idle();
        // A display that is put off waits for what comes next, up to ten minutes.
        const open =
          rows(`SELECT 1 FROM effect WHERE state IN ('pending', 'leased') AND json_extract(payload, '$.notBefore') IS NULL
          UNION ALL SELECT 1 FROM delivery WHERE state IN ('pending', 'claimed')`);
        // A delivery that has just been accepted is in the inbox file before it is in the database.
        return open.length === 0 && statSync(`${database}-inbox`).size === 0;
      });
    },
    async violationsAfterStop() {
      await stage.served().stop();
      const store = await openStore({ path: database });
      try {
        return [...(await watched.stop()), ...(await store.checkInvariants(now()))];
      } finally {
        await store.close();
      }
    },
    async close() {
      await watched.stop();
      await stage.close();
      rmSync(directory, { recursive: true, force: true });
      // In every journey, a call that GitHub's limits forbid is a bug of ours.
      const forbidden = stage.github.violations();
      if (forbidden.length > 0)
        throw new Error(`GitHub forbade ${forbidden.length} calls: ${JSON.stringify(forbidden.slice(0, 5))}`);
    },
  };
}
