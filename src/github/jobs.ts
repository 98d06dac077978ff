import { GitHubError } from "../core/errors.ts";
import type { GitHub } from "../core/ports/github.ts";
import type { RepositoryRef } from "../core/repository.ts";
import { at, pages } from "./pages.ts";
import type { Room } from "./room.ts";

/** Ends of a step that are no failure of its own. */
const PASSED: readonly (string | null)[] = ["success", "skipped", "neutral", null];

/** Jobs of GitHub Actions: what failed in one, whether runs wait for a person, and running one again. */
export function createJobs(room: Room): Pick<GitHub, "failedJob" | "awaitsApproval" | "rerunJob"> {
  const { on } = room;

  async function logOf(repository: RepositoryRef, job_id: number): Promise<string> {
    const { data } = await on(repository).actions.downloadJobLogsForWorkflowRun({
      ...at(repository),
      job_id,
    });
    return typeof data === "string" ? data : "";
  }

  return {
    failedJob: async (repository, job_id) => {
      const job = await readable(on(repository).actions.getJobForWorkflowRun({ ...at(repository), job_id }));
      if (job === null) return null;
      const { name, steps = [] } = job.data;
      const failed = steps.find(({ conclusion }) => !PASSED.includes(conclusion));
      return { name, step: failed?.name ?? null, log: (await readable(logOf(repository, job_id))) ?? "" };
    },
    awaitsApproval: async (repository, ref) => {
      const suites = pages(async (page) => {
        const { data } = await on(repository).checks.listSuitesForRef({ ...at(repository), ref, ...page });
        return { data: data.check_suites };
      });
      for await (const { conclusion } of suites) if (conclusion === "action_required") return true;
      return false;
    },
    rerunJob: async (repository, job_id) => {
      await on(repository).actions.reRunJobForWorkflowRun({ ...at(repository), job_id });
    },
  };
}

/** Null where the App may not look, or what it asks for is gone: logs are kept for a time only. */
async function readable<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof GitHubError && ["forbidden", "not_found"].includes(error.code)) return null;
    throw error;
  }
}
