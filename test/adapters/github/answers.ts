import { BOT } from "./mocked-github.ts";

export const PERSON = { id: 9, login: "octocat", type: "User" } as const;

/** An issue as GitHub answers it, cut down to what is read. */
export function issueAnswer(number: number, more: object = {}): object {
  return {
    id: 1000 + number,
    number,
    title: `Issue ${number}`,
    body: "Text",
    state: "open",
    state_reason: null,
    locked: false,
    labels: [{ name: "bug" }, "old-form"],
    assignees: [PERSON],
    user: PERSON,
    html_url: `https://github.test/octo/shop/issues/${number}`,
    repository_url: "https://github.test/api/v3/repos/octo/shop",
    ...more,
  };
}

export function commentAnswer(id: number, more: object = {}): object {
  return {
    id,
    body: "Text",
    user: BOT,
    created_at: "2026-01-01T11:00:00Z",
    html_url: `https://github.test/octo/shop/issues/3#issuecomment-${id}`,
    ...more,
  };
}

export function pullAnswer(number: number, more: object = {}): object {
  return {
    number,
    title: "Change",
    body: "Text",
    state: "open",
    merged_at: null,
    draft: false,
    user: BOT,
    head: { ref: "flotilla/docs-dev/issue-3", sha: "a".repeat(40), repo: { full_name: "octo/shop" } },
    base: { ref: "main" },
    html_url: `https://github.test/octo/shop/pull/${number}`,
    created_at: "2026-01-01T11:00:00Z",
    ...more,
  };
}
