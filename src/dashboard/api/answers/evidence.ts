import { z } from "zod";
import { SCREEN_PICTURES } from "../../../domain/evidence/screens.ts";
import { count, text, time } from "./fields.ts";

const found = z.strictObject({
  id: count(),
  at: time(),
  kind: z.enum(["setup", "command", "missing", "evaluation"]),
  claim: count()
    .nullable()
    .describe("Results of one claim of completion have the same number; null for the agent's own worktree."),
  commit: text().nullable(),
  command: text().nullable(),
  holds: z.boolean(),
  exit_code: z
    .int()
    .nullable()
    .describe(
      "Null for other kinds, for a command that a signal ended, and for a setup command whose result was reused: it holds.",
    ),
  timed_out: z.boolean(),
  duration_ms: count().nullable(),
  output: text().describe("The end of the command's output, or an evaluator's reason."),
  confidence: z.number().nullable().describe("An evaluator's, 0 to 1."),
  missing: text().nullable().describe("What the claim lacked."),
});

const check = z.strictObject({
  name: text(),
  state: z.enum(["green", "red"]),
  conclusion: text(),
  excused: z.boolean().describe("The base branch failed in the same way."),
  job: text().nullable(),
  step: text().nullable(),
  log: text().describe("The part of the log that says what failed."),
  at: time(),
});

const verdict = z.strictObject({
  id: count(),
  at: time(),
  reviewer: text().describe("A role, or a person's login."),
  person: z.boolean(),
  approves: z.boolean(),
  current: z.boolean().describe("False once its commit is no longer under review, or it was withdrawn."),
  commit: text(),
  body: text(),
  comments: z.array(z.strictObject({ path: text(), line: count().nullable(), body: text() })),
  ran: z.array(text()).describe("Commands that the reviewer says it ran."),
});

const screen = z.strictObject({
  id: count(),
  page: text().describe("The page's name in `evidence.screens`."),
  size: text().describe("Of the window, such as 1280x800."),
  commit: text().describe("The agent's commit."),
  base_commit: text().nullable().describe("The commit that it is compared with."),
  at: time(),
  changed: z
    .number()
    .nullable()
    .describe("The share of pixels that changed, 0 to 1; null where it could not be compared."),
  before_fault: text().nullable().describe("Why there is no picture of the base commit."),
  after_fault: text().nullable().describe("Why there is no picture of the agent's commit."),
  summary: text().describe("The same in words."),
  pictures: z
    .array(z.enum(SCREEN_PICTURES))
    .describe("Those that `/api/agents/{id}/screens/{screen}/{picture}` has."),
});

export const screenPicture = z.string().describe("A lossless WebP.");

export const evidenceAnswer = z.strictObject({
  commit: text().nullable().describe("The commit whose checks these are."),
  evidence: z.array(found),
  checks: z.array(check),
  verdicts: z.array(verdict),
  screens: z.array(screen).describe("Pictures of the app before and after the agent's work."),
});

export const handoffAnswer = z.strictObject({
  handoff: z.strictObject({
    commands: z
      .array(text())
      .describe("Shell lines that fetch the branch; empty where there is none to fetch."),
    note: text().nullable().describe("Why there are no commands, or what to know before a push."),
    text: text().describe(
      "Markdown for the agent that continues. Quoted text in it is by people and models.",
    ),
  }),
});
