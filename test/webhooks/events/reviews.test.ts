import { describe, expect, it } from "vitest";
import { addReview } from "../../fakes/github-world.ts";
import { BOT, createReadingRig, envelope, OTHER_BOT, person, rawPull, WRITER } from "../reading-rig.ts";

const URL = "https://github.test/octo/shop/pull/21#pullrequestreview-5";
const NOT_OURS = [
  { head: { ref: "topic", repo: { id: 77 } } },
  { head: { ref: "flotilla/bug-fix/issue-7", repo: { id: 99 } } },
  { head: { ref: "flotilla/bug-fix/issue-7", repo: null } },
];
const OTHER = person("oscar");
const IGNORED = { ignored: "#21 is not from a branch of ours" };

const submitted = (state: string, fields: object = {}, sender = WRITER) =>
  envelope(sender, {
    pull_request: rawPull(fields),
    review: { id: 5, state, body: null, html_url: URL },
  });

describe("pull_request_review.submitted", () => {
  it.each(["approved", "changes_requested", "commented"])("tells the verdict %s", async (verdict) => {
    const rig = createReadingRig();
    rig.addPull({ number: 21 });
    expect(await rig.read("pull_request_review.submitted", submitted(verdict))).toMatchObject({
      type: "reviewed",
      pull: 21,
      headRef: "flotilla/bug-fix/issue-7",
      verdict,
      body: "",
      url: URL,
      permitted: true,
    });
  });

  it("ignores one of which the list of reviews told before, but not that telling itself", async () => {
    const rig = createReadingRig();
    rig.told.add("seen-review-5");
    const payload = submitted("approved");
    expect(await rig.read("pull_request_review.submitted", payload)).toHaveProperty("ignored");
    expect(await rig.read("pull_request_review.submitted", payload, "seen-review-5")).toMatchObject({
      source: "review:5",
    });
  });

  it("ignores one that was told as an approval of what came up for review later, but not that telling", async () => {
    const rig = createReadingRig();
    rig.told.add("seen-review-5").add("seen-approval-5");
    const read = (id?: string) => rig.read("pull_request_review.submitted", submitted("approved"), id);
    expect(await read()).toHaveProperty("ignored");
    expect(await read("seen-approval-5")).toMatchObject({ source: "review:5" });
  });

  it.each([
    ["open", {}, null],
    ["merged", { merged_at: "2026-01-01T00:00:00Z", state: "closed" }, "merged"],
    ["closed", { state: "closed" }, "closed"],
  ] as const)("tells that its pull request is %s", async (_, fields, ended) => {
    const rig = createReadingRig();
    const read = (verdict: string) =>
      rig.read("pull_request_review.submitted", submitted(verdict, { merged: undefined, ...fields }));
    expect(await read("approved")).toMatchObject({ ended });
    expect(await read("commented")).toMatchObject({ ended });
  });

  it("that requests changes tells how its pull request has ended by now", async () => {
    const rig = createReadingRig();
    const read = () => rig.read("pull_request_review.submitted", submitted("changes_requested"));
    rig.addPull({ number: 21 });
    expect(await read()).toMatchObject({ ended: null });
    rig.addPull({ number: 21, state: "closed" });
    expect(await read()).toMatchObject({ ended: "closed" });
    rig.addPull({ number: 21, state: "closed", merged: true });
    expect(await read()).toMatchObject({ ended: "merged" });
  });

  it("ignores one that was told as a rejection of what came up for review later, which wakes once more", async () => {
    const rig = createReadingRig();
    rig.addPull({ number: 21 });
    rig.told.add("seen-rejection-5");
    const read = (id?: string) =>
      rig.read("pull_request_review.submitted", submitted("changes_requested"), id);
    expect(await read()).toHaveProperty("ignored");
    expect(await read("seen-rejection-5")).toMatchObject({ source: "rejection:5" });
  });

  it("ignores an approval that GitHub shows as dismissed by now, and takes any other", async () => {
    const rig = createReadingRig();
    const dismissed = addReview(rig.world, 21, { verdict: "dismissed", body: "" });
    const other = addReview(rig.world, 21, { verdict: "approved", body: "" });
    const read = (id: number) =>
      rig.read(
        "pull_request_review.submitted",
        envelope(WRITER, {
          pull_request: rawPull(),
          review: { id, state: "approved", body: null, html_url: URL },
        }),
      );
    expect(await read(dismissed.id)).toEqual({ ignored: "it is dismissed by now" });
    expect(await read(other.id)).toMatchObject({ type: "reviewed", verdict: "approved" });
  });

  it("ignores other states, other branches, ourselves and unlisted bots", async () => {
    const rig = createReadingRig();
    const read = (payload: object) => rig.read("pull_request_review.submitted", payload);
    expect(await read(submitted("dismissed"))).toEqual({
      ignored: "a review that is dismissed says nothing",
    });
    expect(await read(submitted("approved", {}, BOT))).toEqual({ ignored: "it is our own" });
    expect(await read(submitted("approved", {}, OTHER_BOT))).toHaveProperty("ignored");
    for (const pull of NOT_OURS) expect(await read(submitted("approved", pull))).toEqual(IGNORED);
  });
});

const readDismissal = (rig: ReturnType<typeof createReadingRig>, id: number) =>
  rig.read(
    "pull_request_review.dismissed",
    envelope(WRITER, { pull_request: rawPull(), review: { id, user: OTHER, commit_id: "c" } }),
  );
const says = (rig: ReturnType<typeof createReadingRig>, verdict: string) =>
  addReview(rig.world, 21, { by: OTHER, verdict, body: "" });

describe("pull_request_review.dismissed", () => {
  it("tells whose review was taken back", async () => {
    const rig = createReadingRig();
    const { id } = says(rig, "dismissed");
    says(rig, "commented");
    addReview(rig.world, 21, { verdict: "approved", body: "" });
    expect(await readDismissal(rig, id)).toMatchObject({
      type: "review_dismissed",
      reviewer: { login: "oscar" },
      reviewedCommit: "c",
    });
  });

  it.each(["approved", "changes_requested"])("ignores one after which its reviewer %s", async (verdict) => {
    const rig = createReadingRig();
    const { id } = says(rig, "dismissed");
    says(rig, verdict);
    expect(await readDismissal(rig, id)).toEqual({ ignored: "a later review of the same account counts" });
  });

  it("counts although the list of reviews does not show it yet, or a later one is dismissed too", async () => {
    const rig = createReadingRig();
    const { id } = says(rig, "approved");
    expect(await readDismissal(rig, id)).toHaveProperty("type", "review_dismissed");
    says(rig, "dismissed");
    expect(await readDismissal(rig, id)).toHaveProperty("type", "review_dismissed");
  });
});
