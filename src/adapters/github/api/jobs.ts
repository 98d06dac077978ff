import { z } from "zod";
import { GitHubError } from "../../../domain/kernel/errors.ts";
import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import type { GitHub } from "../../../domain/ports/github.ts";
import { at, pages } from "../client/pages.ts";
import { readAnswer } from "../client/read-answer.ts";
import type { Room } from "../client/room.ts";

/** Conclusions of a step that did not itself fail. */
const PASSED: readonly (string | null | undefined)[] = ["success", "skipped", "neutral", null, undefined];

const jobShape = z.object({
  name: z.string(),
  steps: z.array(z.object({ name: z.string(), conclusion: z.string().nullish() })).nullish(),
});

const suitesShape = z
  .object({ check_suites: z.array(z.object({ conclusion: z.string().nullish() })) })
  .transform(({ check_suites }) => check_suites);

/** A text; empty if a job has written nothing. */
const logShape = z.string().default("");

/**
 * Creates the operations on jobs of GitHub Actions: what failed in one, whether runs wait for a person, and rerunning
 * one.
 */
export function createJobs(room: Room): Pick<GitHub, "failedJob" | "awaitsApproval" | "rerunJob"> {
  const { on } = room;

  async function logOf(repository: RepositoryRef, job_id: number): Promise<string> {
    const asked = on(repository).actions.downloadJobLogsForWorkflowRun({ ...at(repository), job_id });
    return readAnswer(asked, logShape);
  }

  return {
    failedJob: async (repository, job_id) => {
      const asked = on(repository).actions.getJobForWorkflowRun({ ...at(repository), job_id });
      const job = await readable(readAnswer(asked, jobShape));
      if (job === null) return null;
      const { name, steps } = job;
      const failed = steps?.find(({ conclusion }) => !PASSED.includes(conclusion));
      return { name, step: failed?.name ?? null, log: (await readable(logOf(repository, job_id))) ?? "" };
    },
    awaitsApproval: async (repository, ref) => {
      const suites = pages(
        (page) => on(repository).checks.listSuitesForRef({ ...at(repository), ref, ...page }),
        suitesShape,
      );
      for await (const { conclusion } of suites) if (conclusion === "action_required") return true;
      return false;
    },
    rerunJob: async (repository, job_id) => {
      await on(repository).actions.reRunJobForWorkflowRun({ ...at(repository), job_id });
    },
  };
}

/** Returns null if the App lacks the permission, or if the log is gone: GitHub keeps logs only for some time. */
async function readable<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof GitHubError && ["forbidden", "not_found"].includes(error.code)) return null;
    throw error;
  }
}
