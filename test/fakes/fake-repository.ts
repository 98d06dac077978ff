import type { RepositoryRef } from "../../src/domain/kernel/repository.ts";
import type { FakeRepository } from "./github-world.ts";

/** Creates an empty private repository. */
export function fakeRepository(ref: RepositoryRef): FakeRepository {
  return {
    ref,
    defaultBranch: "main",
    private: true,
    archived: false,
    issues: new Map(),
    comments: new Map(),
    pulls: new Map(),
    reviewComments: new Map(),
    files: new Map(),
    proposed: new Map(),
    links: new Set(),
    changedFiles: new Map(),
    events: new Map(),
    reviews: new Map(),
    labels: new Map([["bug", "d73a4a"]]),
    permissions: new Map(),
    branches: new Set(),
    branchesAhead: new Set(),
    blockedBy: new Map(),
    blockedElsewhere: new Map(),
    parents: new Map(),
    checks: new Map(),
    requiredChecks: [],
    mergeDemands: {},
    mergeStates: new Map(),
    merges: new Map(),
    queued: new Map(),
    failedJobs: new Map(),
    pictures: new Map(),
    awaitingApproval: new Set(),
    signed: new Map(),
    limits: { signatures: false, lfs: false, submodules: false },
    reactions: [],
  };
}
