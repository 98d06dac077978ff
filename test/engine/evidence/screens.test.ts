import { expect, test } from "vitest";
import { SCREEN_APP, type ScreenRow } from "../../../src/domain/evidence/screens.ts";
import { OutsideError } from "../../../src/domain/kernel/errors.ts";
import type { Camera } from "../../../src/domain/ports/camera.ts";
import type { Settings } from "../../../src/domain/settings/settings.ts";
import { CONFINED, someSettings } from "../../factories/some-settings.ts";
import { agentOf, stateOf, toldTo } from "../look.ts";
import { checked, labeled, tell } from "../people.ts";
import { coding, ran, reviewersOf, reviewing, reviewRig, verdict } from "../reviewer-rig.ts";
import { aRig, type Rig } from "../rig.ts";
import { complete, on, work } from "../scripts.ts";

const SCREENS = {
  run: "npm start",
  port: 3000,
  withinMs: 1000,
  env: { NODE_ENV: "production" },
  pages: [
    { name: "start", path: "/" },
    { name: "cart", path: "/cart" },
  ],
  sizes: ["390x844"],
};

/** Takes as a picture what the command printed: the commit of the checkout in which the app runs. */
const camera: Camera = {
  version: () => "156",
  readyAt: (port) => `up ${port}`,
  command: () => ({ file: "/usr/bin/node", args: ["shoot"], readable: ["/etc/fonts"], mostOutput: 10 }),
  shots: async (wanted, { output }) => wanted.map(({ url }) => ({ bytes: Buffer.from(`${url} ${output}`) })),
  compare: async (before, after) => ({
    changed: Buffer.compare(before.bytes, after.bytes) === 0 ? 0 : 0.5,
    picture: Buffer.from("red"),
  }),
};

async function withScreens(some: Partial<Settings> = {}, given: Partial<Camera> = {}): Promise<Rig> {
  const evidence = { ...someSettings().evidence, commands: ["npm test"], screens: SCREENS };
  const rig = await aRig({
    settings: { evidence, sandbox: CONFINED, ...some },
    script: [on(1, ...work, complete), on(2, ...work)],
    wrapped: (parts) => ({
      ...parts,
      publicUrl: "https://flotilla.example",
      camera: { ...camera, ...given },
    }),
  });
  rig.runner.ends.set("shoot", (cwd) => {
    const name = cwd.split("/").at(-1)?.replace(".checkout", "") ?? "";
    return { output: rig.worktrees.checkouts.get(name) ?? "none" };
  });
  return rig;
}

const shots = (rig: Rig) => rig.runner.ran.filter(({ line }) => line === "shoot");
const rowsOf = async (rig: Rig, issue = 1): Promise<readonly ScreenRow[]> =>
  rig.store.screens.ofAgent((await agentOf(rig, `feat-dev-issue-${issue}`)).id);

test("pictures are taken of the agent's commit and of its base, beside the app, and stand in the facts", async () => {
  const rig = await withScreens();
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(rig.runner.ran.map(({ line }) => line)).toEqual(["npm test", "shoot", "shoot"]);
  const [app] = rig.runner.beside.hosts.at(-1)?.started ?? [];
  expect(app).toMatchObject({ name: SCREEN_APP, run: "npm start", ready: "up 3000" });
  for (const { hosts, registries, env, cwd, writable } of shots(rig)) {
    expect({ hosts, registries, env }).toMatchObject({
      hosts: [],
      registries: false,
      env: { TZ: "UTC", NODE_ENV: "production" },
    });
    expect(writable).toEqual([cwd, `${cwd}-home`]);
  }
  const { id, headCommit, baseCommit } = await agentOf(rig);
  const rows = await rowsOf(rig);
  expect(rows).toMatchObject(
    ["start", "cart"].map((page) => ({
      page,
      size: "390x844",
      commit: headCommit,
      baseCommit,
      changed: 0.5,
    })),
  );
  const picture = async (which: "before" | "after" | "difference") =>
    Buffer.from((await rig.store.screens.picture(id, rows[1]?.id ?? 0, which)) ?? []).toString();
  expect(await picture("before")).toBe(`http://localhost:3000/cart ${baseCommit}`);
  expect(await picture("after")).toBe(`http://localhost:3000/cart ${headCommit}`);
  expect(await picture("difference")).toBe("red");
  expect([...rig.repository.pulls.values()][0]?.body).toContain(
    "- [Pictures of the app](https://flotilla.example/agents/acme%2Fshop%3Afeat-dev-issue-1#screens), before and after:\n  - start, 390x844: 50.0 % of its pixels changed\n",
  );
});

test("those of a base are taken once for all agents of a repository, until the settings change", async () => {
  const rig = await withScreens();
  await tell(rig, labeled(rig, 1));
  await tell(rig, labeled(rig, 2));
  expect(await stateOf(rig, "feat-dev-issue-2")).toBe("COMPLETED");
  expect(shots(rig)).toHaveLength(3);
  expect(await rowsOf(rig, 2)).toMatchObject([{ changed: 0.5 }, { changed: 0.5 }]);
});

test.each([
  ["the sandbox is off", { sandbox: { ...CONFINED, mode: "none" as const } }, {}, "sandbox.mode is none"],
  ["the host has no browser", {}, { version: () => null }, "the host has no Chromium"],
])("where %s, the work is done without pictures, and the reason is kept", async (_, settings, given, why) => {
  const rig = await withScreens(settings, given);
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(shots(rig)).toEqual([]);
  for (const row of await rowsOf(rig))
    expect(row).toMatchObject({
      changed: null,
      beforeFault: expect.stringContaining(why),
      afterFault: expect.stringContaining(why),
    });
  expect(await rowsOf(rig)).toHaveLength(2);
});

test("an app that does not start, and a base that cannot be prepared, leave the work as it is", async () => {
  const setup = { ...someSettings().setup, commands: ["npm ci"] };
  const rig = await withScreens({ setup });
  let installs = 0;
  // The agent's worktree, the checkout of its commit, that of the base.
  rig.runner.ends.set("npm ci", () => ({ exitCode: (installs += 1) === 3 ? 1 : 0 }));
  rig.runner.beside.onStart = ({ name }, host) =>
    host.end({ name, exitCode: 1, signal: null, log: "port\u001B[2J in use" });
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(installs).toBe(3);
  expect(await rowsOf(rig)).toMatchObject([
    {
      afterFault:
        "the app, `npm start`, ended (exit code 1) before it was ready; it must stay in the foreground. The end of its output: port[2J in use",
      beforeFault: "the setup command npm ci fails there",
    },
    {},
  ]);
});

test("a sandbox that does not start leaves the work as it is", async () => {
  const rig = await withScreens();
  rig.runner.ends.set("shoot", () => {
    throw new OutsideError("command_not_started", "bwrap did not start", {
      consequence: "retry",
      advice: "",
    });
  });
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("COMPLETED");
  const why = "bwrap did not start";
  expect(await rowsOf(rig)).toMatchObject([{ beforeFault: why, afterFault: why }, {}]);
});

test("work that fails gets no pictures until it does not", async () => {
  const rig = await withScreens();
  let tests = 0;
  rig.runner.ends.set("npm test", () => ({ exitCode: (tests += 1) === 1 ? 1 : 0 }));
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(toldTo(rig)[1]).toContain("fails on a clean checkout");
  expect(rig.runner.ran.map(({ line }) => line)).toEqual(["npm test", "npm test", "shoot", "shoot"]);
  expect(await rowsOf(rig)).toHaveLength(2);
});

test("an agent whose claim is sent back and the reviewer of its commit read how much changed", async () => {
  const words =
    /pictures of the app at this commit[^]*- start, 390x844: (?:50.0 % of its pixels|nothing) changed/;
  const evidence = { ...someSettings().evidence, requiredChecks: ["build"], screens: SCREENS };
  const rig = await withScreens({ evidence });
  await tell(rig, labeled(rig, 1));
  await tell(rig, checked(rig, { build: "red" }));
  expect(toldTo(rig)[1]).toMatch(words);
  const reviewed = await reviewRig([coding(1), reviewing(1, ran(), verdict("approve"))], {
    settings: { evidence: { ...evidence, requiredChecks: [] }, sandbox: CONFINED },
    wrapped: (parts) => ({ ...parts, camera }),
  });
  const [reviewer] = await reviewersOf(reviewed);
  expect(reviewer?.state).toBe("COMPLETED");
  const briefs = reviewed.runtime.requests.flatMap((messages) => messages.map(({ content }) => content));
  expect(briefs.find((text) => text.startsWith("Review commit"))).toMatch(words);
});
