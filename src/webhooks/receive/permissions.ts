/** The permissions that app.yml requests, with their use. Each is used by code. */
export const APP_PERMISSIONS: Readonly<Record<string, { access: "read" | "write"; use: string }>> = {
  issues: { access: "write", use: "read issues; write comments, labels, reactions and dependencies" },
  pull_requests: { access: "write", use: "open pull requests; read and write reviews and comments" },
  contents: { access: "write", use: "fetch, and push the agents' own branches" },
  checks: { access: "write", use: "see whether required checks are green; show a review as a check" },
  actions: { access: "write", use: "read the log of a failed job, and run a flaky one again" },
  statuses: { access: "read", use: "the same, for checks that report as commit statuses" },
  metadata: { access: "read", use: "repositories, and what people may do in them" },
};
