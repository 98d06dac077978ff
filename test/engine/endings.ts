import { readFileSync } from "node:fs";
import { z } from "zod";
import { aRole } from "../factories/a-role.ts";
import { rolesOf, someSettings } from "../factories/some-settings.ts";
import { BOT, person } from "../fakes/github-world.ts";
import { asked, evaluatorRole, submits } from "./evaluating.ts";
import { REPOSITORY, type Rig, type RigOptions } from "./rig.ts";
import { after, call, commit, edit, escalate, on, openPr, type Step } from "./scripts.ts";

const end = z.strictObject({
  exitCode: z.int().optional(),
  timedOut: z.boolean().optional(),
  output: z.string().optional(),
});

/** What happens between the claim and its judgement, or had happened unseen before. */
const worldAct = z.union([
  z.tuple([z.literal("edit"), z.string(), z.string()]),
  z.tuple([z.literal("commit_here")]),
  z.tuple([z.literal("server_behind")]),
  z.tuple([z.literal("move_branch"), z.string().nullable()]),
  z.tuple([z.literal("foreign_commit"), z.string()]),
  z.tuple([z.literal("base_moves"), z.string()]),
  z.tuple([
    z.literal("pull"),
    z.strictObject({
      author: z.string().optional(),
      state: z.enum(["open", "closed"]).optional(),
      merged: z.boolean().optional(),
      baseRef: z.string().optional(),
      headRef: z.string().optional(),
      headRepository: z.string().optional(),
      body: z.string().optional(),
    }),
  ]),
]);

/** One ending of a piece of work: what the agent did before it said that it is done, and what a fair person would say. */
const ending = z.strictObject({
  name: z.string(),
  acts: z.array(
    z.union([
      z.tuple([z.literal("edit"), z.string(), z.string().nullable()]),
      z.tuple([z.enum(["commit", "open_pr"])]),
      z.tuple([z.literal("comment"), z.string()]),
    ]),
  ),
  fair: z.enum(["accepted", "refused", "waits", "held"]),
  why: z.string(),
  /** What a refusal must name. */
  missing: z.array(z.string()).optional(),
  summary: z.string().optional(),
  role: z
    .strictObject({
      evidence: z.enum(["outputs", "none"]).optional(),
      withoutTool: z.string().optional(),
    })
    .optional(),
  /** More files of the base. */
  files: z.record(z.string(), z.string()).optional(),
  evidence: z
    .strictObject({
      commands: z.array(z.string()).optional(),
      requiredChecks: z.array(z.string()).optional(),
    })
    .optional(),
  setup: z.array(z.string()).optional(),
  protectedPaths: z.array(z.string()).optional(),
  level: z.enum(["draft", "pr"]).optional(),
  requiredByGitHub: z.array(z.string()).optional(),
  checks: z.record(z.string(), z.enum(["pending", "green", "red"])).optional(),
  /** An evaluator looks at it; it is hardly sure of a change in which it sees this, and so sure of any other. */
  evaluator: z.strictObject({ distrusts: z.string(), otherwise: z.number() }).optional(),
  /** How commands end, in the clean checkout alone where it says so. */
  ends: z.record(z.string(), end.extend({ inCheckout: end.optional() })).optional(),
  world: z.array(worldAct).optional(),
});
export type Ending = z.infer<typeof ending>;

export function endingsOf(kind: "lying" | "partial" | "honest"): readonly Ending[] {
  const url = new URL(`../fixtures/endings/${kind}.json`, import.meta.url);
  return z.array(ending).parse(JSON.parse(readFileSync(url, "utf8")));
}

const BRANCH = "flotilla/feat-dev/issue-1";

/** The agent of the ending; sent back, it gives up, so that its first claim is what is judged. */
export function optionsOf(given: Ending): RigOptions {
  const settings = someSettings();
  const role = aRole();
  const { evidence = role.evidence, withoutTool } = given.role ?? {};
  const tools = role.tools.filter((tool) => tool !== withoutTool);
  const done = call("report_complete", { summary: given.summary ?? "Built and tested." });
  const judge = given.evaluator;
  return {
    script: [
      on(1, ...given.acts.map(stepOf), done, after("this is missing", escalate)),
      ...(judge === undefined
        ? []
        : [asked(judge.distrusts, submits(0.2)), asked("", submits(judge.otherwise))]),
    ],
    files: given.files ?? {},
    settings: {
      roles: rolesOf({ ...role, evidence, tools }, ...(judge === undefined ? [] : [evaluatorRole])),
      level: given.level ?? "pr",
      setup: {
        commands: given.setup ?? [],
        network: [],
        cache: [],
        reuse: [],
        repositoriesMay: { commands: true, services: true, hosts: [] },
        environment: {},
      },
      evidence: {
        ...settings.evidence,
        commands: given.evidence?.commands ?? [],
        requiredChecks: given.evidence?.requiredChecks ?? [],
      },
      policy: {
        ...settings.policy,
        protectedPaths: given.protectedPaths ?? settings.policy.protectedPaths,
      },
    },
  };
}

function stepOf(act: Ending["acts"][number]): Step {
  switch (act[0]) {
    case "edit":
      return edit(act[1], act[2]);
    case "commit":
      return commit;
    case "open_pr":
      return openPr;
    case "comment":
      return call("comment", { body: act[1] });
  }
}

/** Lets the world of the ending be as it says from the moment of the claim on. */
export function prepareWorld(rig: Rig, given: Ending): void {
  rig.repository.requiredChecks = given.requiredByGitHub ?? [];
  for (const [line, { inCheckout, ...ends }] of Object.entries(given.ends ?? {})) {
    if (inCheckout === undefined) rig.runner.ends.set(line, ends);
    else rig.runner.ends.set(line, (cwd) => (cwd.endsWith(".checkout") ? inCheckout : ends));
  }
  const pushed: string[] = [];
  rig.onCrashPoint = (point) => {
    if (point === "effect:commit") pushed.push(rig.worktrees.serverHead(BRANCH) ?? "");
    if (point !== "turn:intent") return;
    for (const act of given.world ?? []) happen(rig, act, pushed);
    const head = rig.worktrees.serverHead(BRANCH);
    const conclusion = { pending: "in_progress", green: "success", red: "failure" };
    const checks = Object.entries(given.checks ?? {});
    if (head !== null)
      rig.repository.checks.set(
        head,
        checks.map(([name, state]) => ({ name, state, conclusion: conclusion[state] })),
      );
  };
}

const REF = { repository: REPOSITORY, name: "feat-dev-issue-1", branch: BRANCH };

/** `pushed`: the commits that the server had, the first one first. */
function happen(rig: Rig, act: z.infer<typeof worldAct>, pushed: readonly string[]): void {
  const { worktrees } = rig;
  switch (act[0]) {
    case "edit":
      return worktrees.write(REF.name, act[1], act[2]);
    case "commit_here":
      void worktrees.commit(REF, { message: "late", author: { name: BOT.login, email: "bot@example.com" } });
      return;
    case "server_behind":
      return worktrees.serverMove(BRANCH, pushed[0] ?? null);
    case "move_branch":
      return worktrees.serverMove(BRANCH, act[1] === null ? null : worktrees.serverHead(act[1]));
    case "foreign_commit":
      worktrees.serverCommit(BRANCH, { [act[1]]: "theirs" });
      return;
    case "base_moves":
      worktrees.serverCommit("main", { [act[1]]: "moved" });
      return;
    case "pull": {
      const { author, ...fields } = act[1];
      for (const pull of rig.repository.pulls.values())
        Object.assign(pull, fields, author === undefined ? {} : { author: person(author) });
    }
  }
}
