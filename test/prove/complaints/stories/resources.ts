import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { CODERS, makes, saysOn } from "../../../journeys/a-scenario.ts";
import { numbered, opens, runs } from "../issues.ts";
import { story } from "../story.ts";

const DONE = ["one", "two", "three"] as const;
const issues = numbered(...DONE, "hog", "stopped");
const MIB = 1024 ** 2;
const BIG_MIB = 120;

/** How much a directory keeps, in MiB. */
function sizeOf(directory: string): number {
  const sizes = readdirSync(directory, { recursive: true, withFileTypes: true }).map((entry) =>
    entry.isFile() ? (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0) : 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0) / MIB;
}

export const resources = story({
  played:
    "three agents that complete, one that writes more than an agent may keep, and one that is cancelled in the middle of a command",
  setting: () => ({
    config: {
      roles: CODERS,
      retention: { worktrees: "1s" },
      circuit_breakers: { disk: { min_free_gib: 0, max_agent_gib: 0.08 } },
    },
    conversations: [
      ...DONE.map((name) =>
        saysOn(issues[name], [
          runs("head -c 10000000 /dev/urandom > scratch.bin; echo scratch.bin > .gitignore"),
          ...makes(`${name}.md`),
        ]),
      ),
      saysOn(issues.hog, [runs(`head -c ${BIG_MIB * MIB} /dev/urandom > big.bin; sleep 200; echo ended`)]),
      saysOn(issues.stopped, [runs("sleep 3000; echo ended")]),
    ],
  }),
  async play(scene) {
    const { octocat } = scene;
    await opens(scene, issues);
    await octocat.label(issues.hog, "feature");
    for (const name of DONE) await octocat.label(issues[name], "feature");
    for (const name of DONE) await scene.reaches(issues[name], ["COMPLETED"]);
    await octocat.label(issues.stopped, "feature");
    const at = await scene.sees(async () => {
      const agent = (await scene.agents(issues.stopped)).at(-1);
      return agent?.state === "ACTIVE" && agent.tool_calls > 0 && agent;
    });
    await octocat.comment(issues.stopped, "/flotilla cancel");
    const cancelled = await scene.reaches(issues.stopped, ["CANCELLED"]);
    const isGone = await scene.sees(
      async () => (await scene.processes(at?.session ?? "none")).length === 0,
      30,
    );
    const hog = await scene.reaches(issues.hog, ["ESCALATED", "FAILED"]);
    const hogTold = await scene.hears(issues.hog, /MiB|GiB|disk/);
    const left = await scene.sees(() => {
      const mib = sizeOf(join(scene.dataDir, "worktrees"));
      // What the hog keeps waits for a person.
      return mib < BIG_MIB + 10 && { mib };
    });
    await octocat.comment(issues.hog, "/flotilla cancel");
    const afterAll = await scene.sees(() => {
      const mib = sizeOf(join(scene.dataDir, "worktrees"));
      return mib < 1 && { mib };
    });
    return { at, cancelled, isGone, hog, hogTold, left, afterAll };
  },
  checks: {
    77: ({ cancelled, isGone, hog, hogTold, left, afterAll }) => ({
      holds: [
        ["worktrees go when their agents have ended", left !== null && afterAll !== null],
        ["an agent that writes too much is stopped", hog?.state === "ESCALATED"],
        ["and its issue says so", hogTold !== null],
        ["a cancelled agent's command ends at once", cancelled !== null && isGone !== null],
      ],
    }),
  },
});
