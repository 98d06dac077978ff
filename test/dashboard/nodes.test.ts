import { expect, it } from "vitest";
import { nodesJson } from "../../src/dashboard/api/node-json.ts";
import { NodeList } from "../../src/dashboard/page/node-list.ts";
import { insertAgent } from "../adapters/store/samples.ts";
import { pageText } from "../engine/truth/page-text.ts";
import { aNode } from "../factories/a-node.ts";
import { asOperator, serve } from "./served.ts";

const shown = (nodes: Parameters<typeof NodeList>[0]["nodes"]) =>
  pageText(NodeList({ nodes, standstills: [] }))
    .replaceAll(/\s+/g, " ")
    .trim();

it("the overview lists the machines once there are several, and what became of each", async () => {
  const page = await serve();
  const { store, clock } = page;
  const nodes = async () => (await page.get("/api/overview", asOperator)).body;
  const begin = (name: string, now: number) => store.nodes.begin({ ...aNode(name), now });
  await begin("build-7", clock.now());
  expect(await nodes()).toMatchObject({ nodes: [] });
  await begin("build-8", 0);
  await begin("build-9", clock.now());
  await begin("runner-1", clock.now());
  await store.nodes.drain({ name: "runner-1", epoch: 1 }, clock.now() + 1000, null);
  await insertAgent(store, { node: "runner-1", state: "ACTIVE" });
  await store.nodes.stopped({ name: "build-9", epoch: 1 });
  const seen_at = new Date(clock.now()).toISOString();
  expect(await nodes()).toMatchObject({
    nodes: [
      {
        name: "build-7",
        version: "1.0.0",
        state: "running",
        roles: ["intake", "controller", "runner", "web"],
        seen_at,
      },
      { name: "build-8", state: "lost", seen_at: "1970-01-01T00:00:00.000Z" },
      { name: "build-9", state: "stopped" },
      { name: "runner-1", state: "draining", agents: 1 },
    ],
  });
  expect(shown(await nodesJson(store, clock.now()))).toBe(
    "Machinesbuild-7 (1.0.0): running, 0 agents at workbuild-8 (1.0.0): lost, last seen ago. Its agents continue on the others.build-9 (1.0.0): stopped, last seen agorunner-1 (1.0.0): draining, 1 agent at work. It starts none, and the others continue its agents.",
  );
});

it("the overview says why a machine has drained itself, and what to do", async () => {
  const { store, clock } = await serve();
  for (const name of ["build-7", "build-8"]) await store.nodes.begin({ ...aNode(name), now: clock.now() });
  await store.nodes.drain({ name: "build-8", epoch: 1 }, clock.now() + 1000, "3 of the 3 effects failed");
  const nodes = await nodesJson(store, clock.now());
  expect(nodes.map((node) => node.drain_reason)).toEqual([null, "3 of the 3 effects failed"]);
  expect(shown(nodes)).toContain(
    "build-8 (1.0.0): draining, 0 agents at work. It drained itself: 3 of the 3 effects failed. Read its log; then install the version before there, or run `flotilla drain --undo` on it.",
  );
});

it("texts of a machine are cut", async () => {
  const { store, clock } = await serve();
  const long = "x".repeat(10_000);
  for (const name of ["build-7", long]) await store.nodes.begin({ ...aNode(name), now: clock.now() });
  await store.nodes.drain({ name: long, epoch: 1 }, clock.now() + 1000, long);
  expect(JSON.stringify(await nodesJson(store, clock.now())).length).toBeLessThan(1_500);
});

it("the page shows nothing of a single machine", () => {
  expect(NodeList({ nodes: [], standstills: [] })).toBe(null);
});

it("the overview shows the roles of a machine that has not all, and what no machine does", async () => {
  const page = await serve();
  const { store, clock } = page;
  const overview = async () => (await page.get("/api/overview", asOperator)).body;
  await store.nodes.begin({ ...aNode("front-1", { roles: ["intake", "controller"] }), now: clock.now() });
  const NO_RUNNER = "No machine runs agents: start one with `--role runner`.";
  expect(await overview()).toMatchObject({ nodes: [], standstills: [NO_RUNNER] });
  expect(pageText(NodeList({ nodes: [], standstills: [NO_RUNNER] }))).toContain(NO_RUNNER);
  await store.nodes.begin({ ...aNode("build-7", { roles: ["runner"] }), now: clock.now() });
  expect(await overview()).toMatchObject({ standstills: [] });
  expect(shown(await nodesJson(store, clock.now()))).toBe(
    "Machinesbuild-7 (1.0.0; runner): running, 0 agents at workfront-1 (1.0.0; intake, controller): running",
  );
});
