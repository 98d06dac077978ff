import type { CommitStatus, Repository } from "../world/records.ts";

/** Returns the newest status of each context for a commit. */
export function statusesOf(repository: Repository, sha: string): CommitStatus[] {
  const newest = new Map<string, CommitStatus>();
  for (const status of repository.statuses) if (status.sha === sha) newest.set(status.context, status);
  return [...newest.values()];
}
