import { describe, expect, it } from "vitest";
import {
  BOT,
  createReadingRig,
  envelope,
  ISSUE,
  LISTED_BOT,
  OTHER_BOT,
  READER,
  rawIssue,
  WRITER,
} from "../reading-rig.ts";

const URL = "https://github.test/octo/shop/issues/7#issuecomment-900";
const commented = (sender: typeof WRITER, body: string, issue: object = {}) =>
  envelope(sender, { issue: rawIssue(issue), comment: { id: 900, body, html_url: URL } });
const ON_OUR_PULL = { number: 21, user: BOT, pull_request: { url: "x" } };

describe("issue_comment.created", () => {
  it("tells a command with its place", async () => {
    const rig = createReadingRig();
    const reading = await rig.read("issue_comment.created", commented(WRITER, "/flotilla answer yes"));
    expect(reading).toMatchObject({
      type: "commented",
      actor: WRITER,
      permitted: true,
      issue: ISSUE,
      commentId: 900,
      url: URL,
      body: "/flotilla answer yes",
      command: { verb: "answer", rest: "yes" },
      mention: false,
      personPull: null,
    });
  });

  it("is cut where it is longer than GitHub takes, and its command is read", async () => {
    const rig = createReadingRig();
    const long = `/flotilla pause\n${"😀".repeat(10_000_000)}`;
    const reading = await rig.read("issue_comment.created", commented(WRITER, long));
    expect(reading).toMatchObject({ command: { verb: "pause" } });
    const body = "body" in reading ? reading.body : "";
    expect(body.length).toBeLessThanOrEqual(131_072);
    expect(body.isWellFormed()).toBe(true);
    expect(body).toMatch(/… \(cut: \d+ characters\)$/);
    const longest = `/flotilla pause\n${"😀".repeat(65_520)}`;
    expect(await rig.read("issue_comment.created", commented(WRITER, longest))).toMatchObject({
      body: longest,
    });
  });

  it("tells a mention, and plain words as neither", async () => {
    const rig = createReadingRig();
    expect(await rig.read("issue_comment.created", commented(WRITER, "ask @flotilla?"))).toMatchObject({
      command: null,
      mention: true,
    });
    expect(await rig.read("issue_comment.created", commented(READER, "nice"))).toMatchObject({
      command: null,
      mention: false,
      permitted: false,
    });
  });

  it("ignores what our own App and unlisted bots say, but hears a listed one", async () => {
    const rig = createReadingRig();
    const say = (sender: typeof WRITER) =>
      rig.read("issue_comment.created", commented(sender, "/flotilla start"));
    expect(await say(BOT)).toEqual({ ignored: "it is our own" });
    expect(await say(OTHER_BOT)).toEqual({
      ignored: "renovate[bot] is a bot that policy.bots does not list",
    });
    expect(await say(LISTED_BOT)).toMatchObject({ command: { verb: "start" }, permitted: true });
  });

  it.each([
    ["/flotilla start", 30],
    ["/flotilla retry", 30],
    ["/flotilla status", null],
  ])("looks for a person's pull request when %s is said", async (body, personPull) => {
    const rig = createReadingRig();
    rig.addPull({ number: 30, body: "Resolves #7" });
    expect(await rig.read("issue_comment.created", commented(WRITER, body))).toMatchObject({ personPull });
    expect(await rig.read("issue_comment.created", commented(READER, body))).toMatchObject({
      personPull: null,
    });
  });

  it("takes a comment on our pull request for one on its issue", async () => {
    const rig = createReadingRig();
    rig.addPull({ number: 21, author: BOT, headRef: "flotilla/bug-fix/issue-7" });
    const issue = {
      ...ISSUE,
      id: 1,
      title: "From the API",
      state: "open",
      isPullRequest: false,
      milestone: null,
    } as const;
    rig.world.issues.set(7, issue);
    const reading = await rig.read("issue_comment.created", commented(WRITER, "/flotilla why", ON_OUR_PULL));
    expect(reading).toMatchObject({ issue: { number: 7, title: "From the API" }, command: { verb: "why" } });
  });

  it.each([
    ["from another branch", ON_OUR_PULL, { headRef: "topic" }],
    ["from a fork", ON_OUR_PULL, { headRepository: "mallory/shop" }],
    ["from a fork that was deleted", ON_OUR_PULL, { headRepository: null }],
  ])("ignores a comment on a pull request that is %s", async (_which, issue, pull) => {
    const rig = createReadingRig();
    rig.addPull({ number: 21, author: BOT, headRef: "flotilla/bug-fix/issue-7", ...pull });
    expect(await rig.read("issue_comment.created", commented(WRITER, "/flotilla why", issue))).toEqual({
      ignored: "#21 is not a pull request of ours",
    });
  });

  it("reads a command on a person's pull request, with its head, and other words without", async () => {
    const rig = createReadingRig();
    rig.addPull({ number: 21, headRef: "topic", headRepository: "mallory/shop" });
    const theirs = { ...ON_OUR_PULL, user: WRITER };
    const said = await rig.read("issue_comment.created", commented(WRITER, "/flotilla review", theirs));
    expect(said).toMatchObject({
      type: "commented",
      issue: { number: 21 },
      command: { verb: "review" },
      theirs: { headRef: "topic", headSha: "sha-21", headRepository: "mallory/shop", baseRef: "main" },
    });
    const words = await rig.read("issue_comment.created", commented(WRITER, "Nice.", theirs));
    expect(words).toMatchObject({ type: "commented", issue: { number: 21 }, command: null });
    expect(words).not.toHaveProperty("theirs");
  });

  it("ignores a command on a person's pull request from a branch of ours", async () => {
    const rig = createReadingRig();
    rig.addPull({ number: 21, headRef: "flotilla/bug-fix/issue-7" });
    const theirs = { ...ON_OUR_PULL, user: WRITER };
    expect(await rig.read("issue_comment.created", commented(WRITER, "/flotilla review", theirs))).toEqual({
      ignored: "#21 is a person's, from a branch of ours",
    });
  });
});

const edited = (sender: typeof WRITER, user: object | null = BOT) =>
  envelope(sender, {
    issue: rawIssue(),
    comment: { id: 900, body: "- [x] **1** `MIT`", html_url: URL, user },
  });
const read = (payload: object) => createReadingRig().read("issue_comment.edited", payload);

describe("issue_comment.edited", () => {
  it("tells what somebody made of a comment of ours, and whether they may", async () => {
    expect(await read(edited(WRITER))).toMatchObject({
      type: "comment_edited",
      actor: WRITER,
      permitted: true,
      issue: ISSUE,
      commentId: 900,
      url: URL,
      body: "- [x] **1** `MIT`",
    });
    expect(await read(edited(READER))).toMatchObject({ type: "comment_edited", permitted: false });
  });

  it("ignores our own edits, those of unlisted bots, and edits of what others wrote", async () => {
    expect(await read(edited(BOT))).toEqual({ ignored: "it is our own" });
    expect(await read(edited(OTHER_BOT))).toMatchObject({
      ignored: expect.stringContaining("policy.bots"),
    });
    for (const user of [WRITER, null])
      expect(await read(edited(READER, user))).toEqual({ ignored: "the edited comment is not ours" });
  });
});
