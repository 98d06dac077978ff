import { describe, expect, it } from "vitest";
import { classifyGitError } from "../../src/git/classify-git-error.ts";

const SAMPLES: [stderr: string, code: string, consequence: string][] = [
  ["error: unable to write file a: No space left on device", "disk_full", "stop"],
  ["Error: spawn git ENOENT", "git_missing", "stop"],
  ["fatal: Unable to create '/x/index.lock': File exists.", "locked", "retry"],
  ["error: cannot lock ref 'refs/heads/x': is at a but expected b", "locked", "retry"],
  [" ! [remote rejected] x -> x (cannot lock ref 'refs/heads/x')", "server_ref_moved", "retry"],
  [
    "remote: error: cannot lock ref 'refs/heads/x': reference already exists\n ! [remote rejected] x -> x (failed to update ref)",
    "server_ref_moved",
    "retry",
  ],
  [" ! [rejected] x -> x (fetch first)\nhint: Updates were rejected", "foreign_commits", "tell"],
  [" ! [rejected] x -> x (non-fast-forward)", "foreign_commits", "tell"],
  [" ! [remote rejected] x -> x (protected branch hook declined)", "protected", "tell"],
  ["remote: error: GH013: Repository rule violations found for refs/heads/x.", "protected", "tell"],
  [
    " ! [remote rejected] x -> x (refusing to allow a GitHub App to create or update workflow `.github/workflows/a.yml` without `workflows` permission)",
    "protected",
    "tell",
  ],
  [" ! [remote rejected] x -> x (Internal Server Error)", "network", "retry"],
  ["fatal: Authentication failed for 'https://github.com/o/r.git/'", "auth_failed", "tell"],
  ["remote: Permission to o/r.git denied to app[bot].\nfatal: … returned error: 403", "auth_failed", "tell"],
  [
    "remote: Repository not found.\nfatal: repository 'https://x/o/r.git/' not found",
    "repository_not_found",
    "tell",
  ],
  ["fatal: couldn't find remote ref refs/heads/x", "base_not_found", "tell"],
  ["fatal: unable to access 'https://x/': Could not resolve host: x", "network", "retry"],
  ["error: RPC failed; HTTP 502 curl 22 The requested URL returned error: 502", "network", "retry"],
  ["fatal: the remote end hung up unexpectedly", "network", "retry"],
  ["block timeout reached", "network", "retry"],
  [
    "fatal: unable to access 'https://x/': SSL certificate problem: self-signed certificate",
    "certificate",
    "tell",
  ],
  ["error: object file objects/ab/cd is empty\nfatal: loose object abcd is corrupt", "corrupt", "tell"],
  ["fatal: index file smaller than expected", "corrupt", "tell"],
  ["fatal: not a git repository: '/x'", "corrupt", "tell"],
  ["EACCES: permission denied, mkdir '/x'", "unwritable", "stop"],
  ["something new", "unknown", "retry"],
];

describe("A failed git command", () => {
  it.each(SAMPLES)("that says %j is %s: %s", (stderr, code, consequence) => {
    expect(classifyGitError({ purpose: "push x", stderr, code: 1 })).toMatchObject({
      name: "GitError",
      code,
      consequence,
      advice: expect.stringMatching(/\.$/),
    });
  });

  it("is told in git's own words, without progress, hints and more than 600 characters", () => {
    const stderr = `To https://x/o/r.git\nCounting objects: 10% (1/10)\rfatal: no\nhint: try\n${"x".repeat(900)}`;
    const { message } = classifyGitError({ purpose: "push x", stderr, code: 1 });
    expect(message).toMatch(/^could not push x: fatal: no; xxx/);
    expect(message.length).toBeLessThan(620);
    expect(classifyGitError({ purpose: "push x", stderr: "", code: 3 }).message).toContain("code 3");
  });
});
