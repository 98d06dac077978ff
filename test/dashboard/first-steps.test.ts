import { expect, it } from "vitest";
import { z } from "zod";
import { dashboardParts } from "../../src/server/dashboard-parts.ts";
import { agent, delivery, repository } from "../adapters/store/samples.ts";
import { someSettings } from "../factories/some-settings.ts";
import { createFakeClock } from "../fakes/clock.ts";
import { pageParts } from "./page-parts.ts";
import { asOperator, serve } from "./served.ts";

const answered = z.object({
  steps: z.array(z.object({ name: z.string(), done: z.boolean(), detail: z.string().nullable() })),
});
const overviewed = z.object({ first_start: z.boolean() });

it("ticks each step when it is done, and is over once the model has answered", async () => {
  let lacking: readonly string[] | Error = ["feature", "bug"];
  const served = await serve({
    missingLabels: async (_, labels) => {
      if (lacking instanceof Error) throw lacking;
      return labels.filter((label) => !(lacking instanceof Error) && lacking.includes(label));
    },
  });
  const { store, clock } = served;
  const steps = async () => {
    const { steps: found } = answered.parse((await served.get("/api/first-steps", asOperator)).body);
    return found.flatMap(({ name, done }) => (done ? [name] : []));
  };
  const detail = async () => {
    const { steps: found } = answered.parse((await served.get("/api/first-steps", asOperator)).body);
    return found.find(({ name }) => name === "label")?.detail;
  };
  const isNew = async () =>
    overviewed.parse((await served.get("/api/overview", asOperator)).body).first_start;
  expect([await steps(), await isNew()]).toEqual([[], true]);
  await store.repositories.put(repository);
  lacking = new Error("GitHub answered 502");
  expect([await steps(), await detail()]).toEqual([
    ["app"],
    "GitHub could not be asked: GitHub answered 502",
  ]);
  await store.deliveries.insert([delivery({ guid: "1" })]);
  const labels = [...pageParts().settings.roles.values()].flatMap(({ triggers }) =>
    triggers.flatMap(({ label }) => label ?? []),
  );
  lacking = labels;
  expect([await steps(), await detail()]).toEqual([
    ["app", "webhook"],
    `acme/rocket lacks ${[...new Set(labels)].map((label) => `\`${label}\``).join(", ")}`,
  ]);
  lacking = labels.slice(1);
  expect(await steps()).toEqual(["app", "webhook", "label"]);
  lacking = [];
  const { id } = await store.records.insert("agent", agent());
  expect([await steps(), await detail()]).toEqual([["app", "webhook", "label", "agent"], null]);
  expect(await isNew()).toBe(true);
  const usage = { model: "m", inputTokens: 1, outputTokens: 1, cachedTokens: 0, costMicroUsd: 0 };
  await store.usage.add({ agentId: id, ...usage, at: clock.now() });
  expect([await steps(), await isNew()]).toEqual([["app", "webhook", "label", "agent", "model"], false]);
});

function unused(): never {
  throw new Error("nobody asks this here");
}

it("asks GitHub for the labels of a repository once a minute", async () => {
  const clock = createFakeClock(0);
  const asked: string[] = [];
  const { missingLabels } = dashboardParts({
    inForce: [],
    settings: someSettings(),
    runningCommands: new Map(),
    site: "https://github.test",
    github: { permission: unused },
    setup: {
      missingLabels: async ({ name }, labels) => {
        asked.push(`${name} ${labels.join()}`);
        return labels;
      },
    },
    worktrees: { diff: unused },
    store: (await serve()).store,
    control: unused,
    clock,
  });
  const other = { ...repository, id: 8, name: "shuttle" };
  const both = async () => [await missingLabels(repository, ["bug"]), await missingLabels(other, ["bug"])];
  expect(await both()).toEqual([["bug"], ["bug"]]);
  clock.advance(59_000);
  await both();
  expect(asked).toEqual(["rocket bug", "shuttle bug"]);
  clock.advance(1000);
  await both();
  expect(asked).toHaveLength(4);
});
