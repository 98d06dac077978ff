import { z } from "zod";
import { parser, type WebhookParser } from "./parsing.ts";

const commit = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/);

/** Who asked for it does not matter: what the checks say is read from GitHub. */
const told = <S extends z.ZodType>(shape: S, commitOf: (fields: z.output<S>) => string): WebhookParser =>
  parser(shape, async (fields, { base }) => ({
    ...base,
    permitted: false,
    type: "checks_changed",
    commit: commitOf(fields),
  }));

export const checkRunCompleted = told(
  z.object({ check_run: z.object({ head_sha: commit }) }),
  ({ check_run }) => check_run.head_sha,
);

export const checkSuiteCompleted = told(
  z.object({ check_suite: z.object({ head_sha: commit }) }),
  ({ check_suite }) => check_suite.head_sha,
);

export const workflowRunChanged = told(
  z.object({ workflow_run: z.object({ head_sha: commit }) }),
  ({ workflow_run }) => workflow_run.head_sha,
);

/** A commit status; the event has no action. */
export const statusChanged = told(z.object({ sha: commit }), ({ sha }) => sha);
