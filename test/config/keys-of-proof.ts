import type { KeyInForce } from "./keys-in-force.ts";

const SCREENS =
  "evidence: { screens: { run: npm start, port: 3000, ready: ./up, within: 5m, env: { A: b }, pages: [{ name: start, path: / }], sizes: [390x844] } }";

/** Keys by which a claim of completion is prepared and proved. */
export const PROOF_KEYS_IN_FORCE: readonly KeyInForce[] = [
  {
    key: "setup.commands",
    set: 'setup: { commands: ["npm ci"] }',
    read: (c) => c.setup.commands,
    expected: ["npm ci"],
  },
  {
    key: "evidence.commands",
    set: 'evidence: { commands: ["npm test"] }',
    read: (c) => c.evidence.commands,
    expected: ["npm test"],
  },
  {
    key: "evidence.timeout",
    set: "evidence: { timeout: 5m }",
    read: (c) => c.evidence.timeoutMs,
    expected: 300_000,
  },
  {
    key: "evidence.required_checks",
    set: "evidence: { required_checks: [build] }",
    read: (c) => c.evidence.requiredChecks,
    expected: ["build"],
  },
  {
    key: "evidence.screens",
    set: "evidence: { screens: { run: npm start, port: 3000, pages: [{ name: start, path: / }] } }",
    read: (c) => c.evidence.screens,
    expected: {
      run: "npm start",
      port: 3000,
      withinMs: 60_000,
      env: {},
      pages: [{ name: "start", path: "/" }],
      sizes: ["1280x800"],
    },
  },
  { key: "evidence.screens.run", set: SCREENS, read: (c) => c.evidence.screens?.run, expected: "npm start" },
  { key: "evidence.screens.port", set: SCREENS, read: (c) => c.evidence.screens?.port, expected: 3000 },
  { key: "evidence.screens.ready", set: SCREENS, read: (c) => c.evidence.screens?.ready, expected: "./up" },
  {
    key: "evidence.screens.within",
    set: SCREENS,
    read: (c) => c.evidence.screens?.withinMs,
    expected: 300_000,
  },
  { key: "evidence.screens.env", set: SCREENS, read: (c) => c.evidence.screens?.env, expected: { A: "b" } },
  {
    key: "evidence.screens.pages",
    set: SCREENS,
    read: (c) => c.evidence.screens?.pages,
    expected: [{ name: "start", path: "/" }],
  },
  {
    key: "evidence.screens.sizes",
    set: SCREENS,
    read: (c) => c.evidence.screens?.sizes,
    expected: ["390x844"],
  },
  { key: "instructions", set: "instructions: off", read: (c) => c.instructions, expected: false },
  { key: "reconcile_every", set: "reconcile_every: 1m", read: (c) => c.reconcileEveryMs, expected: 60_000 },
  {
    key: "policy.protected_paths",
    set: 'policy: { protected_paths: ["infra/**"] }',
    read: (c) => c.policy.protectedPaths,
    expected: ["infra/**", ".github/flotilla.yml", ".github/flotilla/**"],
  },
  {
    key: "review.required",
    set: "review: { required: true }",
    read: (c) => c.review.required,
    expected: true,
  },
  {
    key: "checks.flake_reruns",
    set: "checks: { flake_reruns: 3 }",
    read: (c) => c.checks.flakeReruns,
    expected: 3,
  },
  {
    key: "review.reviewers",
    set: "review: { reviewers: 2 }",
    read: (c) => c.review.reviewers,
    expected: 2,
  },
  {
    key: "review.people",
    set: "review: { people: label }",
    read: (c) => c.review.people,
    expected: "label",
  },
  { key: "review.label", set: "review: { label: look }", read: (c) => c.review.label, expected: "look" },
  { key: "review.lease", set: "review: { lease: 5m }", read: (c) => c.review.leaseMs, expected: 300_000 },
  {
    key: "roles.*.checkout",
    set: "roles: { bug-fix: { prompt: bug-fix.md, lifecycle: ephemeral, evidence: verdict, checkout: head, triggers: [{ event: task.ready_for_review }] } }",
    read: (c) => c.roles.get("bug-fix")?.checkout,
    expected: "head",
  },
  {
    key: "evidence.max_bounces",
    set: "evidence: { max_bounces: 1 }",
    read: (c) => c.evidence.maxBounces,
    expected: 1,
  },
  {
    key: "evidence.evaluator_threshold",
    set: "evidence: { evaluator_threshold: 0.5 }",
    read: (c) => c.evidence.evaluatorThreshold,
    expected: 0.5,
  },
];
