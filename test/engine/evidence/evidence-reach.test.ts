import { expect, it } from "vitest";
import { someSettings } from "../../factories/some-settings.ts";
import { stateOf } from "../look.ts";
import { labeled, tell } from "../people.ts";
import { aRig } from "../rig.ts";
import { on, work } from "../scripts.ts";

const HOSTS = {
  mode: "bubblewrap",
  network: "proxy",
  allowHosts: ["api.example.org"],
  privateHosts: [],
  memoryBytes: null,
  hostMemoryBytes: 0,
} as const;

it("setup commands reach the hosts and the cache that are theirs, acceptance commands what the agent reaches", async () => {
  const rig = await aRig({
    script: [on(1, ...work)],
    settings: {
      sandbox: HOSTS,
      setup: {
        commands: ["npm ci"],
        network: ["registry.npmjs.org"],
        cache: ["npm"],
        reuse: [],
        repositoriesMay: { commands: true, services: true, hosts: [] },
        environment: {},
      },
      evidence: { ...someSettings().evidence, commands: ["npm test"] },
    },
  });
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("COMPLETED");
  const checkout = "/fake/worktrees/7/feat-dev-issue-1.checkout";
  expect(rig.runner.ran).toMatchObject([
    {
      line: "npm ci",
      // The session as a whole: its home alone could be a link that the agent put there.
      writable: ["/fake/worktrees/7/feat-dev-issue-1", "/fake/sessions/1", "/fake/caches/7"],
      hosts: ["registry.npmjs.org"],
      registries: true,
      env: { FLOTILLA_CACHE: "/fake/caches/7" },
    },
    {
      line: "npm ci",
      writable: [checkout, `${checkout}-home`, "/fake/caches/7"],
      hosts: ["registry.npmjs.org"],
      registries: true,
    },
    {
      line: "npm test",
      writable: [checkout, `${checkout}-home`],
      hosts: ["api.example.org"],
      registries: true,
    },
  ]);
  expect(rig.runner.ran.at(-1)?.env).not.toHaveProperty("FLOTILLA_CACHE");
});
