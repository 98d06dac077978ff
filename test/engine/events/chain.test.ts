import { expect, it } from "vitest";
import { ROLES } from "../../factories/a-role.ts";
import { rolesOf } from "../../factories/some-settings.ts";
import { BOT } from "../../fakes/github-world.ts";
import { proved } from "../../proved.ts";
import { envelope } from "../../webhooks/reading-rig.ts";
import { takeIn } from "../inbox-of.ts";
import { answersTo, decisionsOn } from "../look.ts";
import { issueOf, labeled, said, tell } from "../people.ts";
import { aRig, REPOSITORY, type Rig } from "../rig.ts";
import { blocked, call, on } from "../scripts.ts";

const LINKS = 5;
const AGENTS_ISSUE = {
  title: "And then this",
  body: "/flotilla start\n\n@flotilla start",
  labels: ["feature"],
};

const opens = (issue: number) =>
  on(issue, call("create_blocker_issue", { ...AGENTS_ISSUE, title: `Link ${issue}` }), blocked(issue + 1));

/** What GitHub tells of an issue that we opened: the same webhooks as of anybody's. */
async function tellOwn(rig: Rig, number: number): Promise<void> {
  const { owner, name, id, installationId } = REPOSITORY;
  const repository = { id, name, owner: { login: owner }, private: true, default_branch: "main" };
  const { labels, ...raw } = issueOf(rig, number);
  const issue = { ...raw, user: BOT, html_url: raw.url, labels: labels.map((label) => ({ name: label })) };
  const comment = { id: 9_000 + number, body: AGENTS_ISSUE.body, html_url: raw.url, user: BOT };
  const told = [
    ["issues", { action: "opened", issue }],
    ["issues", { action: "labeled", issue, label: { name: "feature" } }],
    ["issue_comment", { action: "created", issue, comment }],
    ["issue_comment", { action: "edited", issue, comment }],
  ] as const;
  await rig.store.deliveries.insert(
    told.map(([event, fields], index) => ({
      guid: `own-${number}-${index}`,
      event,
      action: fields.action,
      installationId,
      repositoryId: id,
      lane: `${id}#${number}`,
      payload: JSON.stringify(envelope(BOT, { repository, ...fields })),
      receivedAt: rig.clock.now(),
    })),
  );
  await takeIn(rig);
}

it("agents whose issues start agents: nothing starts without a person, and with one the chain ends at its depth", async () => {
  const roles = ROLES.map((role) => ({ ...role, tools: [...role.tools, "create_blocker_issue"] }));
  const rig = await aRig({
    issues: 1,
    settings: { roles: rolesOf(...roles) },
    script: Array.from({ length: LINKS }, (_, index) => opens(index + 1)),
  });
  rig.repository.labels.set("feature", "ededed");
  await tell(rig, labeled(rig, 1));
  let byThemselves = 0;
  for (let link = 2; link <= LINKS && rig.repository.issues.has(link); link += 1) {
    expect(issueOf(rig, link).labels).toContain("feature");
    await tellOwn(rig, link);
    byThemselves += (await rig.store.records.find("agent", { issue: link })).length;
    expect(await decisionsOn(rig, link)).toEqual(["untrusted_author", "untrusted_author"]);
    // Even a writer who lets each continue lets the chain go no deeper.
    await tell(rig, said(rig, link, "/flotilla start"));
  }
  expect(byThemselves).toBe(0);
  const issues = rig.repository.issues.size;
  expect(issues).toBe(1 + rig.context.settings.storm.maxDepth);
  expect(answersTo(rig, issues)[0]).toContain("(storm.max_depth)");
  proved({
    promise: "Agents do not set one another going without end",
    test: "test/engine/events/chain.test.ts",
    figure: `${byThemselves} of ${issues - 1} issues by agents started by themselves; a chain of ${LINKS} ended at ${issues - 1}`,
  });
});
