import { describe, expect, it } from "vitest";
import {
  BOT,
  createReadingRig,
  envelope,
  ISSUE,
  OTHER_BOT,
  rawIssue,
  rawPull,
  WRITER,
} from "../reading-rig.ts";

const URL = "https://github.test/octo/shop/pull/21#pullrequestreview-5";
const NOT_OURS = [
  ["another branch", { head: { ref: "topic", repo: { id: 77 } } }],
  ["a fork", { head: { ref: "flotilla/bug-fix/issue-7", repo: { id: 99 } } }],
  ["a deleted fork", { head: { ref: "flotilla/bug-fix/issue-7", repo: null } }],
] as const;
const IGNORED = { ignored: "#21 is not from a branch of ours" };

const closed = (pull: object) => envelope(WRITER, { pull_request: rawPull(pull) });

const submitted = (state: string, fields: object = {}, sender = WRITER) =>
  envelope(sender, {
    pull_request: rawPull(fields),
    review: { id: 5, state, body: null, html_url: URL },
  });

const created = (sender: typeof WRITER, pull: object = {}, body = "rename this") =>
  envelope(sender, { pull_request: rawPull(pull), comment: { id: 6, body, html_url: URL } });

describe("pull_request.converted_to_draft", () => {
  it("tells which of our pull requests became a draft", async () => {
    const rig = createReadingRig();
    expect(await rig.read("pull_request.converted_to_draft", closed({}))).toMatchObject({
      type: "pull_drafted",
      pull: 21,
      headRef: "flotilla/bug-fix/issue-7",
    });
  });

  it.each(NOT_OURS)("ignores one from %s", async (_where, pull) => {
    const rig = createReadingRig();
    expect(await rig.read("pull_request.converted_to_draft", closed(pull))).toEqual(IGNORED);
  });
});

describe("pull_request.closed", () => {
  it("tells whether our pull request was merged, and as which commit", async () => {
    const rig = createReadingRig();
    expect(await rig.read("pull_request.closed", closed({ merged: true }))).toMatchObject({
      type: "pull_closed",
      pull: 21,
      headRef: "flotilla/bug-fix/issue-7",
      merged: true,
      mergeCommit: "abc",
      own: false,
      permitted: true,
    });
    // GitHub gives a test merge as the merge commit of one that was not merged.
    expect(await rig.read("pull_request.closed", closed({}))).toMatchObject({
      merged: false,
      mergeCommit: null,
    });
  });

  it("tells what a person's merged one reverts, and nothing while it is not merged", async () => {
    const rig = createReadingRig();
    const revert = { head: { ref: "revert-9-x", repo: { id: 77 } }, body: "Reverts octo/shop#9" };
    expect(await rig.read("pull_request.closed", closed({ ...revert, merged: true }))).toMatchObject({
      type: "reverted",
      pulls: [9],
    });
    expect(await rig.read("pull_request.closed", closed(revert))).toEqual(IGNORED);
  });

  const proposal = { user: { id: BOT.id }, head: { ref: "flotilla/configure", repo: { id: 77 } } };

  it("tells what became of our pull request that proposes the repository's file", async () => {
    const rig = createReadingRig();
    expect(await rig.read("pull_request.closed", closed({ ...proposal, merged: true }))).toMatchObject({
      type: "proposal_closed",
      pull: 21,
      headRef: "flotilla/configure",
      merged: true,
      actor: WRITER,
    });
    expect(rig.asked).toEqual([]);
  });

  it.each([
    ["by a person", { ...proposal, user: { id: WRITER.id } }],
    ["by nobody any more", { ...proposal, user: null }],
    ["from a fork", { ...proposal, head: { ref: "flotilla/configure", repo: { id: 99 } } }],
    ["from another branch", { ...proposal, head: { ref: "flotilla/configure-2", repo: { id: 77 } } }],
  ])("takes none for it that was opened %s", async (_by, pull) => {
    const rig = createReadingRig();
    expect(await rig.read("pull_request.closed", closed(pull))).toEqual(IGNORED);
  });

  it("hears no comment, review or push there: it is no agent's", async () => {
    const rig = createReadingRig();
    expect(await rig.read("pull_request_review_comment.created", created(WRITER, proposal))).toEqual(IGNORED);
    expect(await rig.read("pull_request_review.submitted", submitted("approved", proposal))).toEqual(IGNORED);
    rig.addPull({ number: 21, author: BOT, headRef: "flotilla/configure" });
    const issue = rawIssue({ number: 21, user: BOT, pull_request: { url: "x" } });
    const comment = { id: 6, body: "/flotilla start feat-dev", html_url: URL };
    expect(await rig.read("issue_comment.created", envelope(WRITER, { issue, comment }))).toEqual({
      ignored: "#21 is not a pull request of ours",
    });
  });

  it.each(NOT_OURS)("ignores one from %s", async (_where, pull) => {
    const rig = createReadingRig();
    expect(await rig.read("pull_request.closed", closed(pull))).toEqual(IGNORED);
    expect(rig.asked).toEqual([]);
  });
});

describe("pull_request_review_comment.created", () => {
  it("counts as a review that comments", async () => {
    const rig = createReadingRig();
    expect(await rig.read("pull_request_review_comment.created", created(WRITER))).toMatchObject({
      type: "reviewed",
      verdict: "commented",
      body: "rename this",
      url: URL,
      pull: 21,
    });
  });

  it("that gives a command is that command on the issue, with the place of the comment", async () => {
    const rig = createReadingRig();
    rig.world.issues.set(7, {
      ...ISSUE,
      id: 1,
      title: "From the API",
      state: "open",
      isPullRequest: false,
      milestone: null,
    });
    const read = (body: string) => rig.read("pull_request_review_comment.created", created(WRITER, {}, body));
    expect(await read("/flotilla deny too `risky`")).toMatchObject({
      type: "commented",
      permitted: true,
      issue: { number: 7, title: "From the API" },
      commentId: 6,
      place: "review",
      url: URL,
      command: { verb: "deny", rest: "too `risky`" },
    });
    expect(await read("`/flotilla deny`")).toMatchObject({ type: "reviewed" });
  });

  it("ignores other branches, ourselves and unlisted bots", async () => {
    const rig = createReadingRig();
    const read = (payload: object) => rig.read("pull_request_review_comment.created", payload);
    expect(await read(created(BOT))).toEqual({ ignored: "it is our own" });
    expect(await read(created(OTHER_BOT))).toHaveProperty("ignored");
    for (const [, pull] of NOT_OURS) expect(await read(created(WRITER, pull))).toEqual(IGNORED);
  });
});
