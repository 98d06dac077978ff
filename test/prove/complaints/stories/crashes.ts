import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signalProcess } from "../../../../src/adapters/sandbox/process-table.ts";
import { after, CODERS, call, makes, saysOn } from "../../../journeys/a-scenario.ts";
import { refsOnServer } from "../../../journeys/pushed-refs.ts";
import { numbered, opens, runs } from "../issues.ts";
import type { Scene } from "../scene.ts";
import { story } from "../story.ts";

const issues = numbered("long", "mortal", "fatal", "draft", "gone", "idle", "setup");
const HOUR_MS = 3_600_000;
const AGAIN = "You were interrupted by a restart";
const DRAFT = "the draft of an hour";
/** Longer than a tool of other systems may take, and than several leases here. */
const LONG_S = 125;
const LEFT = "left behind";
const MISSING = "there is no compiler here";

export const crashes = story({
  played:
    "processes that die: an agent's, and Flotilla's own by `kill -9`, with the worktrees lost; beside a command of two minutes, a model that refuses, an agent that says nothing, and one that is cancelled with unsaved work",
  setting: () => ({
    config: {
      roles: CODERS,
      setup: { commands: [`test ! -e broken || { echo ${MISSING}; exit 3; }`] },
      leases: { agent: "20s", task: "1m" },
      reconcile_every: "5s",
      retention: { worktrees: "1h" },
    },
    conversations: [
      saysOn(issues.long, [
        runs(`sleep ${LONG_S}; echo once >> once.txt; cat once.txt`),
        ...makes("long.md"),
      ]),
      saysOn(issues.setup, makes("setup.md")),
      saysOn(issues.mortal, [runs("sleep 6"), ...makes("mortal.md")]),
      {
        match: `Work on issue #${issues.fatal} of.*This is attempt \\d`,
        steps: makes("fatal.md"),
      },
      saysOn(issues.fatal, [{ error: { status: 400, message: "no such model" } }]),
      saysOn(issues.draft, [
        runs(`echo '${DRAFT}' > draft.md`),
        { ...runs("true"), delayMs: HOUR_MS },
        ...after(AGAIN, [
          runs("cat draft.md; echo more > more.md"),
          call("commit", { message: "Keep the draft" }),
          ...makes("draft.md").slice(2),
        ]),
      ]),
      saysOn(issues.gone, [
        runs(`echo '${LEFT}' > left.md; nohup sleep 3000 > /dev/null 2>&1 & echo started`),
        { ...runs("true"), delayMs: HOUR_MS },
      ]),
      saysOn(
        issues.idle,
        Array.from({ length: 10 }, () => ({ say: "I think about it." })),
      ),
    ],
  }),
  async play(scene) {
    const { octocat, github } = scene;
    await opens(scene, issues);
    for (const issue of [issues.fatal, issues.draft, issues.gone, issues.mortal, issues.idle])
      await octocat.label(issue, "feature");
    const failed = await scene.reaches(issues.fatal, ["FAILED"]);
    await octocat.comment(issues.fatal, "/flotilla retry");
    const again = await scene.reaches(issues.fatal, ["COMPLETED"]);
    const idle = await scene.reaches(issues.idle, ["ESCALATED"]);

    // The process of an agent dies in the middle of a command.
    const mortalAt = await scene.sees(async () => {
      const agent = (await scene.agents(issues.mortal)).at(-1);
      return scene.asked(issues.mortal).length > 0 && agent?.session !== null && agent;
    });
    for (const pid of await scene.processes(mortalAt?.session ?? "none")) signalProcess(pid, "SIGKILL");
    const mortal = await scene.reaches(issues.mortal, ["COMPLETED"]);

    const gone = await cancelled(scene);

    // The work of the draft is saved on the server, and then the machine is lost.
    const saved = await scene.sees(
      () =>
        refsOnServer(scene).some((ref) => ref.includes("checkpoints")) &&
        scene.asked(issues.draft).length >= 2,
    );
    const before = scene.asked(issues.draft).at(-1)?.messages ?? [];
    await scene.served().stop("SIGKILL");
    for (const part of ["sessions", "sent", "worktrees", "mirrors"])
      rmSync(join(scene.dataDir, part), { recursive: true, force: true });
    // GitHub answers some requests only after a while.
    github.faults.add({ path: /^\/repos\/acme\/app/, kind: "status", status: 503, times: 5 });
    const asked = scene.asked(issues.draft).length;
    await scene.restart("SIGKILL");
    const draft = await scene.reaches(issues.draft, ["COMPLETED"]);
    const next = scene.asked(issues.draft)[asked]?.messages ?? [];
    const draftBranch = `flotilla/feat-dev/issue-${issues.draft}`;
    const files = {
      draft: await scene.file(draftBranch, "draft.md"),
      more: await scene.file(draftBranch, "more.md"),
    };

    // A command that takes longer than six leases, while Flotilla looks again and again.
    await octocat.label(issues.long, "feature");
    const long = await scene.sees(async () => {
      const agent = (await scene.agents(issues.long)).at(-1);
      return ["COMPLETED", "FAILED", "ESCALATED"].includes(agent?.state ?? "") && agent;
    }, LONG_S + 120);
    await octocat.push("main", { broken: "yes\n" }, "Break the setup");
    await octocat.label(issues.setup, "feature");
    const setup = await scene.reaches(issues.setup, ["ESCALATED", "FAILED", "COMPLETED"]);
    const setupTold = await scene.hears(issues.setup, new RegExp(MISSING), 20);
    const longAnswer = scene.asked(issues.long)[1]?.messages.at(-1)?.content ?? "";
    await scene.quiet();
    const live = await scene.api.agents();
    const running = await scene.processes();
    const worktrees = readdirSync(join(scene.dataDir, "worktrees"), { recursive: true }).length;
    await scene.served().stop();
    const afterStop = await scene.processes();
    return {
      failed,
      again,
      idle,
      idleSaid: scene.said(issues.idle).join("\n"),
      mortal,
      gone,
      saved,
      draft,
      files,
      same: before.length > 2 && JSON.stringify(next.slice(0, before.length)) === JSON.stringify(before),
      setup,
      setupTold,
      long,
      longAnswer,
      longRequests: scene
        .asked(issues.long)
        .filter(({ messages }) => messages.filter(({ role }) => role === "user").length > 1).length,
      active: live.filter(({ state }) => state === "ACTIVE").length,
      running: running.length,
      worktrees,
      afterStop: afterStop.length,
    };
  },
  checks: {
    17: ({ idle, idleSaid, active, running }) => ({
      holds: [
        ["an agent that only talks is asked once, and then a person is", idle?.state === "ESCALATED"],
        ["its issue says why", /stopped twice|without (?:a report|saying)/.test(idleSaid)],
        [
          `after kills, ${active} agents are said to work, and ${running} processes run`,
          active === 0 && running === 0,
        ],
      ],
    }),
    18: ({ long, longAnswer, mortal }) => ({
      holds: [
        [`a command of ${LONG_S} s is not killed, though leases last 20 s`, longAnswer.includes("once")],
        ["and its agent completes", long?.state === "COMPLETED"],
        [
          "an agent whose process died goes on, and its task is not left behind",
          mortal?.state === "COMPLETED",
        ],
      ],
    }),
    19: ({ long, longAnswer, longRequests }) => ({
      holds: [
        ["no second agent takes over from one at work", long?.attempt === 1],
        ["its command ran once", longAnswer.split("once").length === 2],
        ["and nobody interrupted its conversation", longRequests === 0],
      ],
    }),
    20: ({ draft, active, running }) => ({
      holds: [
        ["after `kill -9` and a restart, the agent at work goes on", draft?.state === "COMPLETED"],
        ["no agent is said to work that does not", active === 0 && running === 0],
      ],
    }),
    22: ({ failed, again }) => ({
      holds: [
        ["an error that cannot be retried ends the agent", failed?.state === "FAILED"],
        [
          "a word of a person starts another, without a restart of Flotilla",
          again?.state === "COMPLETED" && again.attempt === 2,
        ],
      ],
    }),
    31: ({ draft, files }) => ({
      holds: [
        ["GitHub refuses requests at the restart, and the work goes on", draft?.state === "COMPLETED"],
        ["what was not committed is there", files.draft?.trim() === DRAFT],
      ],
    }),
    32: ({ saved, files }) => ({
      holds: [
        ["uncommitted work is saved on the server while an agent thinks", saved !== null],
        [
          "and is back after its worktree and session are lost",
          files.draft?.trim() === DRAFT && files.more !== null,
        ],
      ],
    }),
    33: ({ gone }) => ({
      holds: [
        [
          "the issue of a cancelled agent names the command that restores its unsaved work",
          gone.command !== null,
        ],
        ["and the command restores it", gone.restored?.trim() === LEFT],
      ],
    }),
    37: ({ same, draft }) => ({
      holds: [
        ["after the restart the model gets the same messages as before, to the byte", same],
        ["in the same attempt", draft?.attempt === 1],
      ],
    }),
    38: ({ draft, files }) => ({
      holds: [
        [
          "agent, branch and files are those of before the restart",
          draft?.state === "COMPLETED" && files.draft !== null,
        ],
      ],
    }),
    61: ({ longAnswer, setup, setupTold }) => ({
      holds: [
        [`a command of an agent may take ${LONG_S} s`, longAnswer.includes("once")],
        ["where setup fails, the issue shows what the command printed", setupTold !== null],
        ["and a person is asked", setup?.state === "ESCALATED"],
      ],
    }),
    79: ({ gone, running, afterStop }) => ({
      holds: [
        ["a process that an agent left in the background ends with it", gone.processes === 0],
        [`after all work, ${running} processes of agents run`, running === 0],
        [`after the end of Flotilla, ${afterStop}`, afterStop === 0],
      ],
    }),
    78: ({ gone, afterStop }) => ({
      holds: [
        ["the end of an agent ends all that ran for it", gone.processes === 0],
        ["and so does the end of Flotilla, after a `kill -9` too", afterStop === 0],
      ],
    }),
  },
});

/** Cancels an agent with unsaved work and a process in the background; restores the work as its issue says. */
async function cancelled(scene: Scene) {
  const { octocat, github } = scene;
  const at = await scene.sees(
    async () => scene.asked(issues.gone).length >= 2 && (await scene.agents(issues.gone)).at(-1),
  );
  const session = at?.session ?? "none";
  const hadProcesses = (await scene.processes(session)).length > 0;
  await octocat.comment(issues.gone, "/flotilla cancel");
  await scene.reaches(issues.gone, ["CANCELLED"]);
  await scene.sees(async () => (await scene.processes(session)).length === 0, 30);
  const command = await scene.sees(() => /^git fetch .*$/m.exec(scene.said(issues.gone).join("\n"))?.[0]);
  const clone = mkdtempSync(join(tmpdir(), "flotilla-clone-"));
  try {
    const token = github.person("octocat", { permission: "write" });
    const from = `${github.origin}/acme/app.git`.replace("://", `://octocat:${token}@`);
    execFileSync("git", ["clone", "--quiet", from, clone]);
    if (command !== null)
      execFileSync("sh", ["-c", command], {
        cwd: clone,
        env: { ...process.env, FLOTILLA_DATA_DIR: scene.dataDir },
        stdio: "ignore",
      });
    const path = join(clone, "left.md");
    const restored = existsSync(path) ? readFileSync(path, "utf8") : null;
    return { hadProcesses, command, restored, processes: (await scene.processes(session)).length };
  } finally {
    rmSync(clone, { recursive: true });
  }
}
