import { expect, it } from "vitest";
import { z } from "zod";
import type { RepositoryFileRow } from "../../src/domain/ports/settings-tables.ts";
import { seedDay } from "../browser/seed.ts";
import { aRepositoryFile, NO_OVERRIDE } from "../factories/a-repository-file.ts";
import { LIMITS } from "../factories/some-settings.ts";
import { asOperator, serve } from "./served.ts";

const BLOB = `1a2b3c4${"d".repeat(33)}`;

/** What the API says of the own file of acme/shop. */
async function told(row: RepositoryFileRow | null): Promise<unknown> {
  const served = await serve();
  await seedDay(served.store, served.clock.now());
  await served.store.repositoryFiles.put(aRepositoryFile({ repositoryId: 8, faults: ["not this one"] }));
  if (row !== null) await served.store.repositoryFiles.put(row);
  const { body } = await served.get("/api/repositories/acme%2Fshop", asOperator);
  return JSON.parse(JSON.stringify(body)).own_file;
}

it("tells which content of the repository's own file is in force, and when it was read", async () => {
  expect(await told(aRepositoryFile({ readAt: 60_000 }))).toEqual({
    state: "in_force",
    what: ".github/flotilla.yml applies, blob 1a2b3c4",
    next: null,
    faults: [],
    blob: BLOB,
    in_force: BLOB,
    read_at: "1970-01-01T00:01:00.000Z",
    url: expect.stringMatching(/^https?:.*\/acme\/shop\/blob\/HEAD\/\.github\/flotilla\.yml$/),
    changes: [],
  });
});

it("tells what it changes beside what the operator has, and what the operator does not allow", async () => {
  const limits = { defaults: { maxTurns: 10_000, maxToolCalls: 7 }, roles: {} };
  const setup = { commands: ["npm login --token hunter2hunter2"] };
  const override = { ...NO_OVERRIDE, limits, setup };
  const { changes } = z
    .object({ changes: z.array(z.looseObject({ key: z.string() })) })
    .parse(await told(aRepositoryFile({ override })));
  expect(changes).toContainEqual({
    key: "circuit_breakers.defaults.max_tool_calls",
    value: "7",
    operator: String(LIMITS.maxToolCalls),
    refused: null,
  });
  expect(changes).toContainEqual(
    expect.objectContaining({ key: "circuit_breakers.defaults.max_turns", refused: "10000" }),
  );
  expect(changes.map(({ key }) => key)).toContain("setup.commands");
  expect(JSON.stringify(changes)).not.toContain("hunter2");
});

it("tells the faults of a faulty one, what holds meanwhile and what to do", async () => {
  const faults = ["a: unknown key.", "b: too high."];
  expect(await told(aRepositoryFile({ faults, source: "99 -" }))).toMatchObject({
    state: "faulty",
    faults,
    blob: BLOB,
    in_force: "99",
    next: expect.stringContaining("flotilla check --file"),
  });
  expect(await told(aRepositoryFile({ faults, source: null, override: null }))).toMatchObject({
    state: "faulty",
    in_force: null,
  });
});

it("tells a repository without one from a repository that was not looked at", async () => {
  expect(await told(aRepositoryFile({ fingerprint: "", override: null, source: null }))).toMatchObject({
    state: "none",
    blob: null,
    url: null,
    next: expect.stringContaining("flotilla onboard acme/shop"),
  });
  expect(await told(null)).toMatchObject({ state: "unread", read_at: null });
});

it("is the repository's, not a goal's", async () => {
  const served = await serve();
  await seedDay(served.store, served.clock.now());
  const { body } = await served.get("/api/goals/acme%2Fshop/28", asOperator);
  expect(body).toMatchObject({ own_file: null });
});
