import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, CODERS, call, makes, saysOn } from "../../../journeys/a-scenario.ts";
import { numbered, opens, runs } from "../issues.ts";
import { story } from "../story.ts";

const issues = numbered("open", "slept", "other");
const ROOT = join(import.meta.dirname, "../../../..");
const FIXTURES = join(ROOT, "test/fixtures/mcp");
const AGAIN = "You were interrupted by a restart";

/** The shipped role files, of which feat-dev names a server. */
function rolesWithServer(): string {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-roles-"));
  cpSync(join(ROOT, "config/roles"), directory, { recursive: true });
  const file = join(directory, "feat-dev.md");
  writeFileSync(file, readFileSync(file, "utf8").replace("\ntools:", "\nmcp_servers: [desk]\ntools:"));
  return directory;
}

export const resumed = story({
  played:
    "two resumed conversations, both with the tools of an MCP server: one was killed in the middle of a tool call, the other slept",
  setting: () => {
    const roles = rolesWithServer();
    return {
      env: { DESK_TOKEN_OF_OPERATOR: "kT4vLq9ZxW2mB7nR5cY8dH3s" },
      config: {
        roles: CODERS,
        agents_dir: roles,
        mcp_servers: {
          desk: {
            command: [process.execPath, join(FIXTURES, "stdio.ts")],
            env: { DESK_TOKEN: "DESK_TOKEN_OF_OPERATOR" },
            readable: [join(ROOT, "node_modules"), FIXTURES],
            tools: ["echo"],
          },
        },
      },
      conversations: [
        saysOn(issues.open, [
          runs("sleep 3000"),
          ...after(AGAIN, [call("desk__echo", { text: "here again" }), ...makes("open.md")]),
        ]),
        saysOn(issues.slept, [
          call("report_blocked", { blocker_issue: issues.other, reason: "That comes first." }),
          ...after("The issue that blocked you is resolved", [
            call("desk__echo", { text: "awake again" }),
            ...makes("slept.md"),
          ]),
        ]),
      ],
      close: async () => rmSync(roles, { recursive: true, force: true }),
    };
  },
  async play(scene) {
    const { octocat } = scene;
    await opens(scene, issues);
    await octocat.label(issues.slept, "feature");
    await octocat.label(issues.open, "feature");
    await scene.reaches(issues.slept, ["SLEEPING"]);
    await scene.sees(async () => {
      const agent = (await scene.agents(issues.open)).at(-1);
      return agent?.state === "ACTIVE" && agent.tool_calls > 0;
    });
    await scene.restart("SIGKILL");
    const open = await scene.reaches(issues.open, ["COMPLETED", "FAILED", "ESCALATED"]);
    await octocat.close(issues.other);
    const slept = await scene.reaches(issues.slept, ["COMPLETED", "FAILED", "ESCALATED"]);
    const last = (issue: number) => scene.asked(issue).at(-1)?.messages ?? [];
    const heard = (issue: number, text: string) =>
      last(issue).filter(({ role, content }) => role === "tool" && content.includes(text)).length;
    const openings = (issue: number) =>
      last(issue).filter(({ role, content }) => role === "user" && content.includes("Work on issue #"))
        .length;
    const wakes = last(issues.slept).filter(
      ({ role, content }) => role === "user" && content.includes("The issue that blocked you"),
    ).length;
    return {
      open,
      slept,
      openEcho: heard(issues.open, "here again"),
      sleptEcho: heard(issues.slept, "awake again"),
      openings: openings(issues.open),
      wakes,
    };
  },
  checks: {
    82: ({ open, slept, openEcho, sleptEcho, openings, wakes }) => ({
      holds: [
        [
          "a conversation that was killed in the middle of a tool call answers again",
          open?.state === "COMPLETED",
        ],
        ["one that slept answers again", slept?.state === "COMPLETED"],
        ["both have the tools of their MCP server", openEcho === 1 && sleptEcho === 1],
        ["nothing comes twice", openings === 1 && wakes === 1],
      ],
    }),
  },
});
