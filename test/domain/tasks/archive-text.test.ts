import { expect, it } from "vitest";
import { restorable } from "../../../src/domain/tasks/archive.ts";
import {
  archivedWork,
  archivesShown,
  forgotten,
  restoreCommand,
  shellWord,
} from "../../../src/domain/tasks/archive-text.ts";
import { AT, HOUR } from "../../factories/moment.ts";

const ROW = {
  agentId: 3,
  path: "archives/7/feat-dev-issue-1/0123.bundle",
  sha256: "a".repeat(64),
  bytes: 900,
  madeAt: AT,
  expiresAt: AT + HOUR,
  removedAt: null,
};
const NAMES = [{ id: 3, name: "feat-dev-issue-1" }];

it("tells people until when work is kept and how it is had back, without a path of the host", () => {
  expect(archivesShown(NAMES, [ROW]).join("\n")).toBe(
    [
      "",
      "Unpushed work of feat-dev-issue-1 is kept until 2025-12-21 23:40 UTC. The operator can restore it in a clone of this repository:",
      "",
      "```sh",
      'git fetch "$FLOTILLA_DATA_DIR/archives/7/feat-dev-issue-1/0123.bundle" refs/flotilla/archives/feat-dev-issue-1:refs/heads/restored/feat-dev-issue-1 && git switch restored/feat-dev-issue-1',
      "```",
    ].join("\n"),
  );
});

it("says nothing of an agent without a bundle, of one that was removed, and of one of another issue", () => {
  const bare = { ...ROW, path: null, sha256: null, bytes: null };
  expect(archivesShown(NAMES, [bare, { ...ROW, removedAt: AT }, { ...ROW, agentId: 4 }])).toEqual([]);
  expect(restorable([bare, ROW])).toEqual([ROW]);
});

it("writes a path of the host as one word of the shell", () => {
  expect(restoreCommand("a-issue-1", shellWord("/it's here/x.bundle"))).toBe(
    "git fetch '/it'\\''s here/x.bundle' refs/flotilla/archives/a-issue-1:refs/heads/restored/a-issue-1 && git switch restored/a-issue-1",
  );
});

it("gives the reasons for what is archived and for what goes", () => {
  expect(archivedWork("feat-dev-issue-1", AT)).toBe(
    "unsaved work of feat-dev-issue-1 was archived and is kept until 2025-12-21 22:40 UTC; the status comment has the command that restores it",
  );
  expect(archivedWork("feat-dev-issue-1", AT, "kept/feat-dev-issue-1")).toBe(
    "more files of feat-dev-issue-1 changed than git can archive: its commits are archived, its files kept as they are until 2025-12-21 22:40 UTC",
  );
  expect(forgotten("feat-dev-issue-1", [ROW])).toBe(
    "the time to keep the work of feat-dev-issue-1 is over (retention.worktrees): the archive of its work, made 2025-12-21 22:40 UTC, was deleted",
  );
  expect(forgotten("feat-dev-issue-1", [])).toMatch(/: its checkpoints were deleted$/);
});
