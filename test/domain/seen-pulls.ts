import type { Known } from "../../src/domain/backfill/missed-by-issue.ts";
import type { GitHubReview } from "../../src/domain/ports/github.ts";
import type { GitHubPullRequest } from "../../src/domain/ports/github-changes.ts";
import { aPerson, aRepository } from "../factories/an-occurrence.ts";
import { AT, MINUTE } from "../factories/moment.ts";
import { anAgent } from "../factories/records.ts";

const agent = anAgent({ createdAt: AT });
export const HEAD = agent.branch ?? "";
export const LATER = `${new Date(AT + MINUTE).toISOString().slice(0, 19)}Z`;

export function known(overrides: Partial<Known> = {}): Known {
  return {
    agents: [agent],
    task: null,
    decisions: [],
    given: [],
    resuming: new Set(),
    escalationLabel: "needs-human",
    botId: 41,
    ...overrides,
  };
}

export const seen = (pull: Partial<GitHubPullRequest> = {}) => ({
  repository: aRepository(),
  pull: {
    number: 50,
    title: "Dark mode",
    body: "",
    state: "open" as const,
    merged: false,
    draft: false,
    author: aPerson("flotilla[bot]"),
    headRef: HEAD,
    headSha: "d".repeat(40),
    headRepository: "Acme/Shop",
    baseRef: "main",
    url: "https://github.example/acme/shop/pull/50",
    createdAt: LATER,
    asked: [],
    ...pull,
  },
});

export const review = (overrides: Partial<GitHubReview> = {}): GitHubReview => ({
  id: 55,
  author: aPerson("bob"),
  verdict: "approved",
  commit: "c".repeat(40),
  body: "Fine.",
  submittedAt: LATER,
  url: "https://github.example/r/55",
  ...overrides,
});
