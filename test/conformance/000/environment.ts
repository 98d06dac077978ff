import { describe, expect, it } from "vitest";
import { labeled, tell } from "../../engine/people.ts";
import { aRig } from "../../engine/rig.ts";
import { on, work } from "../../engine/scripts.ts";
import { someSettings } from "../../factories/some-settings.ts";

/** An execution loads the environment of its worktree when it starts. */
export function environment(): void {
  describe("the environment of an execution", () => {
    it("is the repository's, for the agent and for its commands, and nothing of the host's", async () => {
      process.env["HOST_VARIABLE"] = "of the host";
      try {
        const { setup, evidence } = someSettings();
        const rig = await aRig({
          script: [on(1, ...work)],
          settings: {
            setup: { ...setup, commands: ["npm ci"] },
            evidence: { ...evidence, commands: ["npm test"] },
          },
        });
        rig.repository.files.set(".github/flotilla.yml", 'setup: { environment: { PORT: "3000" } }');
        await tell(rig, labeled(rig, 1));
        expect(rig.runtime.opened.map((spec) => spec.environment)).toEqual([{ PORT: "3000" }]);
        expect(rig.runner.ran.map(({ line }) => line)).toEqual(["npm ci", "npm ci", "npm test"]);
        for (const { env } of rig.runner.ran) {
          expect(env).toMatchObject({ PORT: "3000" });
          expect(env).not.toHaveProperty("HOST_VARIABLE");
        }
      } finally {
        delete process.env["HOST_VARIABLE"];
      }
    });
  });
}
