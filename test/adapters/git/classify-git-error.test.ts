import { describe, expect, it } from "vitest";
import { classifyGitError } from "../../../src/adapters/git/process/classify-git-error.ts";
import { isDiskFull } from "../../../src/adapters/git/process/disk-full.ts";

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
  ["error: invalid path '.GIT/config'", "unfit_names", "stop"],
  ["something new", "unknown", "retry"],
];

describe("A failed git command", () => {
  it.each(SAMPLES)("that says %j is %s: %s", (stderr, code, consequence) => {
    expect(classifyGitError({ purpose: "push x", stderr, code: 1, full: true })).toMatchObject({
      name: "GitError",
      code,
      consequence,
      advice: expect.stringMatching(/\.$/),
    });
  });

  it("is told in git's own words, without progress, hints and more than 600 characters", () => {
    const stderr = `To https://x/o/r.git\nCounting objects: 10% (1/10)\rfatal: no\nhint: try\n${"x".repeat(900)}`;
    const { message } = classifyGitError({ purpose: "push x", stderr, code: 1, full: true });
    expect(message).toMatch(/^could not push x: fatal: no; xxx/);
    expect(message.length).toBeLessThan(620);
    expect(classifyGitError({ purpose: "push x", stderr: "", code: 3, full: true }).message).toContain(
      "code 3",
    );
  });

  const NAMES = [
    "index file corrupt",
    "No space left on device",
    "Authentication failed",
    "Permission denied",
    "x.lock': File exists",
    "invalid path '.GIT/config'",
    "file write error: No space left on device\nerror: x",
    "x\nfatal: index file corrupt",
    "x'\nerror: file write error: No space left on device",
  ];
  const AROUND = [
    (name: string) => `Ignoring path git~1/${name}\nfatal: confused by unstable object source data`,
    (name: string) => `error: ${name}: cannot add to the index\nfatal: Unable to process path ${name}`,
    (name: string) => `error: ${name}: failed to insert into database\nfatal: Unable to process path ${name}`,
    (name: string) => `error: open("${name}"): Input/output error\nfatal: adding files failed`,
    (name: string) => `error: '${name}' does not have a commit checked out`,
    (name: string) => `warning: unable to access '${name}': Input/output error`,
  ];
  it.each(NAMES)("on files has no kind that the name %j chose", (name) => {
    const kinds = AROUND.map((around) =>
      classifyGitError({ purpose: "x", stderr: around(name), code: 128, onFiles: true, full: true }),
    );
    expect(kinds.map(({ code }) => code)).toEqual(AROUND.map(() => "unknown"));
  });

  it.each([
    ["fatal: Unable to create '/d/m.git/worktrees/a/index.lock': File exists.\n\nAnother git", "locked"],
    ["fatal: Unable to create '/d/index.lock': No space left on device", "disk_full"],
    ["fatal: Unable to create '/d/index.lock': Permission denied", "unwritable"],
    ["error: bad signature 0x00000000\nfatal: index file corrupt", "corrupt"],
    ["error: bad index file sha1 signature\nfatal: index file corrupt", "corrupt"],
    ["fatal: /d/m.git/worktrees/a/index: index file smaller than expected", "corrupt"],
    ["error: object file /d/m.git/objects/ab/cdef is empty\nfatal: loose object", "corrupt"],
    ["error: inflate: data stream error (incorrect header check)", "corrupt"],
    ["fatal: not a git repository: '/d/m.git/worktrees/a'", "corrupt"],
    ["error: invalid path '.GIT/config'\n", "unfit_names"],
    ["error: file write error: No space left on device", "disk_full"],
    ["error: unable to create file a/b: No space left on device", "disk_full"],
    [
      "error: file write error: No space left on device\nerror: a: failed to insert into database\nfatal: Unable to process path a\n",
      "disk_full",
    ],
    ["bwrap: Can't mkdir /x: No space left on device", "disk_full"],
  ])("on files that says %j itself is %s", (stderr, code) => {
    expect(classifyGitError({ purpose: "x", stderr, code: 128, onFiles: true, full: true })).toMatchObject({
      code,
    });
  });
});

const errno = (name: string) => Object.assign(new Error("write failed"), { code: name });

describe("a full disk", () => {
  const text = "error: file write error: No space left on device";
  const code = (full: boolean, cause?: unknown) =>
    classifyGitError({ purpose: "x", stderr: text, code: 128, full, cause }).code;

  it("is what the system says it is: no name and no server makes one by its words", () => {
    expect([code(true), code(false)]).toEqual(["disk_full", "unknown"]);
    expect([code(false, errno("ENOSPC")), code(false, errno("EDQUOT"))]).toEqual(["disk_full", "disk_full"]);
    expect(code(false, errno("EIO"))).toBe("unknown");
  });

  it("is asked of the disk that the data directory is on", () => {
    expect(isDiskFull({ dataDir: "/tmp" })).toBe(false);
    expect(isDiskFull({ dataDir: "/nowhere" })).toBe(false);
    // A file system of no size.
    expect(isDiskFull({ dataDir: "/proc" })).toBe(true);
  });
});
