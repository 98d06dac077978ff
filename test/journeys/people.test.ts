import { afterAll, beforeAll, describe, it } from "vitest";
import { after, aScenario, call, makes, saysOn } from "./a-scenario.ts";
import { type Journey, startJourney } from "./journey.ts";
import { until } from "./until.ts";
import { withoutDelimiters } from "./without-delimiters.ts";

const BLOCKER = 1;
const waits = call("report_blocked", { blocker_issue: BLOCKER, reason: "That comes first." });
const reports = (issue: number) => call("report_complete", { summary: `#${issue} is done.` });

/** The issues; each has its own story. */
const OUTSIDER = 2;
const TWICE = 3;
const PAUSED = 4;
const TYPOS = 5;
const ASSIGNED = 6;
const THEIRS = 7;
const CLOSED = 8;
const PULL_CLOSED = 9;
const REVIEWED = 10;
const MESSAGED = 11;
const PUSHED_TO = 12;

const SCENARIO = aScenario({
  conversations: [
    saysOn(TWICE, [waits]),
    saysOn(PAUSED, [waits, ...after("Make it blue", [waits])]),
    saysOn(ASSIGNED, [waits]),
    saysOn(CLOSED, [...makes("closed.md").slice(0, 2), waits]),
    saysOn(PULL_CLOSED, [...makes("unwanted.md").slice(0, 3), waits]),
    {
      match: `Work on issue #${REVIEWED} of.*This is attempt 2.*Say why`,
      steps: [...makes("reason.md").slice(0, 2), reports(REVIEWED)],
    },
    saysOn(REVIEWED, makes("reviewed.md")),
    saysOn(PUSHED_TO, [
      ...makes("ours.md").slice(0, 2),
      waits,
      ...after("Keep their work", [...makes("more.md").slice(0, 2), waits]),
    ]),
    saysOn(MESSAGED, [waits, ...after("Message from a person", [waits])]),
  ],
});

describe("what people do on GitHub", () => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await startJourney({ scenario: SCENARIO });
    for (let number = BLOCKER; number <= PUSHED_TO; number += 1)
      await octocat().openIssue({ title: `Issue ${number}`, body: "Please." });
  }, 180_000);
  afterAll(() => journey.close());

  const octocat = () => journey.github.as("octocat");
  const agentsOf = (issue: number) =>
    journey.rows("SELECT * FROM agent WHERE issue = ? ORDER BY attempt", issue);
  const commentsOf = (issue: number) =>
    journey.github
      .state()
      .comments(issue)
      .map(({ body }) => body);
  const heard = (text: string) =>
    journey.model.requests.filter(({ messages }) => messages.at(-1)?.content.includes(text));
  const decided = (issue: number, rule: string) =>
    until(`${rule} on #${issue}`, () => {
      const rows = journey.rows("SELECT reason FROM decision WHERE issue = ? AND rule = ?", issue, rule);
      return rows.length > 0 && rows;
    });
  const commented = (issue: number, text: string) =>
    until(`a comment on #${issue} with ${text}`, () => commentsOf(issue).find((body) => body.includes(text)));

  it.concurrent("starts no agent for people without write permission, whatever they write or label", async ({
    expect,
  }) => {
    await journey.github.as("hubot").comment(OUTSIDER, "/flotilla start feat-dev");
    await journey.github.as("hubot").comment(OUTSIDER, "@flotilla start feat-dev");
    await journey.github.as("mona").label(OUTSIDER, "feature");
    await until("all three are decided", () => {
      const rows = journey.rows(
        "SELECT 1 FROM decision WHERE issue = ? AND rule = 'not_permitted'",
        OUTSIDER,
      );
      return rows.length === 3;
    });
    expect(agentsOf(OUTSIDER)).toEqual([]);
    expect(await commented(OUTSIDER, "may label but has no write permission")).toContain(
      "/flotilla start feat-dev",
    );
  }, 200_000);

  it.concurrent("starts one agent for a label that is added twice, and no second one", async ({ expect }) => {
    await octocat().label(TWICE, "feature");
    await octocat().label(TWICE, "feature");
    await octocat().label(TWICE, "bug");
    await decided(TWICE, "rival");
    await journey.reached(TWICE, "SLEEPING");
    expect(agentsOf(TWICE)).toHaveLength(1);
  }, 200_000);

  it.concurrent("answers an unknown command once, and an unknown role once", async ({ expect }) => {
    await octocat().comment(TYPOS, "/flotilla strat feat-dev");
    await octocat().comment(TYPOS, "/flotilla start painter");
    await commented(TYPOS, "There is no command `strat`. Did you mean `/flotilla start`?");
    await commented(
      TYPOS,
      "there is no role `painter`.\n\nInstead: say `/flotilla start <role>` with one of `feat-dev`",
    );
    expect(
      commentsOf(TYPOS).filter((body) =>
        /^(There is no command|`\/flotilla start` changes nothing)/.test(body),
      ),
    ).toHaveLength(2);
    expect(agentsOf(TYPOS)).toEqual([]);
  }, 200_000);

  it.concurrent("ends the agent of an issue that a person takes over, and says so", async ({ expect }) => {
    await octocat().label(ASSIGNED, "feature");
    await journey.reached(ASSIGNED, "SLEEPING");
    await octocat().assign(ASSIGNED, "octocat");
    await journey.reached(ASSIGNED, "CANCELLED");
    await commented(ASSIGNED, "@octocat ended **feat-dev**: the issue was assigned to @octocat");
    expect(agentsOf(ASSIGNED)).toHaveLength(1);
  }, 200_000);

  it.concurrent("does not start on an issue for which a person has a pull request, and says so", async ({
    expect,
  }) => {
    await octocat().push("by-hand", { "by-hand.md": "mine\n" }, "By hand");
    const pull = await octocat().openPull({ title: "Mine", head: "by-hand", body: `Fixes #${THEIRS}` });
    await octocat().label(THEIRS, "feature");
    await commented(THEIRS, `#${pull} is a person's open pull request for this issue`);
    expect(commentsOf(THEIRS)).toHaveLength(1);
    expect(agentsOf(THEIRS)).toEqual([]);
  }, 200_000);

  it.concurrent("ends the agent of an issue that is closed, and keeps its branch", async ({ expect }) => {
    await octocat().label(CLOSED, "feature");
    await journey.reached(CLOSED, "SLEEPING");
    await octocat().close(CLOSED, "not_planned");
    await journey.reached(CLOSED, "CANCELLED");
    const branch = `flotilla/feat-dev/issue-${CLOSED}`;
    await commented(CLOSED, `The branch \`${branch}\` is kept.`);
    await until("its worktree is removed", () => {
      const rows = journey.rows(
        "SELECT 1 FROM effect JOIN agent ON agent.id = agent_id WHERE agent.issue = ? AND kind = 'remove_worktree' AND effect.state = 'done'",
        CLOSED,
      );
      return rows.length > 0;
    });
    const kept = await octocat().call("GET", `/git/ref/heads/${branch}`);
    expect(kept["ref"]).toBe(`refs/heads/${branch}`);
  }, 200_000);

  it.concurrent("ends the agent whose pull request is closed without a merge", async ({ expect }) => {
    await octocat().label(PULL_CLOSED, "feature");
    await journey.reached(PULL_CLOSED, "SLEEPING");
    const pull = Number(agentsOf(PULL_CLOSED)[0]?.["pr_number"]);
    await octocat().closePull(pull);
    await journey.reached(PULL_CLOSED, "CANCELLED");
    await commented(PULL_CLOSED, `#${pull} was closed without a merge`);
    expect(journey.github.state().pull(pull).state).toBe("closed");
  }, 200_000);

  it.concurrent("never pushes over a person's commit, and continues on top of it when told to", async ({
    expect,
  }) => {
    await octocat().label(PUSHED_TO, "feature");
    await journey.reached(PUSHED_TO, "SLEEPING");
    const branch = String(agentsOf(PUSHED_TO)[0]?.["branch"]);
    const theirs = await octocat().push(branch, { "theirs.md": "theirs\n" }, "A word of mine");
    await commented(PUSHED_TO, `@octocat pushed ${theirs.slice(0, 7)}`);
    expect(agentsOf(PUSHED_TO)[0]?.["held_by"]).toBe('["commit"]');
    await octocat().comment(PUSHED_TO, "/flotilla resume");
    await octocat().comment(PUSHED_TO, "@flotilla go on, please");
    await octocat().openPull({ title: "Both", head: branch });
    const both = await until("a commit on top", () => {
      const { pull } =
        journey.github
          .state()
          .pulls()
          .find((one) => one.pull.headRef === branch) ?? {};
      return pull !== undefined && pull.headSha !== theirs && pull.stats?.commits === 3 && pull;
    });
    expect(both.stats).toMatchObject({ changedFiles: 3 });
    await journey.reached(PUSHED_TO, "SLEEPING");
  }, 200_000);

  it.concurrent("begins a new attempt on the same pull request when changes are requested", async ({
    expect,
  }) => {
    await octocat().label(REVIEWED, "feature");
    await journey.reached(REVIEWED, "COMPLETED");
    const pull = Number(agentsOf(REVIEWED)[0]?.["pr_number"]);
    await octocat().review(pull, { event: "REQUEST_CHANGES", body: "Say why." });
    await until("a second attempt", () => agentsOf(REVIEWED).length === 2);
    await journey.reached(REVIEWED, "COMPLETED");
    expect(agentsOf(REVIEWED).map((agent) => [agent["state"], agent["attempt"], agent["pr_number"]])).toEqual(
      [
        ["COMPLETED", 1, pull],
        ["COMPLETED", 2, pull],
      ],
    );
    expect(journey.github.state().pull(pull).pull.stats).toMatchObject({ commits: 2, changedFiles: 2 });
    const ours = journey.github.state().pulls();
    expect(ours.filter(({ pull: { headRef } }) => headRef.endsWith(`issue-${REVIEWED}`))).toHaveLength(1);
  }, 200_000);

  it.concurrent("holds a paused agent until it is resumed, and then passes on what people said", async ({
    expect,
  }) => {
    await octocat().label(PAUSED, "feature");
    await journey.reached(PAUSED, "SLEEPING");
    await octocat().comment(PAUSED, "/flotilla pause");
    await until("it is held", () => agentsOf(PAUSED)[0]?.["held_by"] === '["person"]');
    await octocat().comment(PAUSED, "@flotilla Make it blue");
    await until("the message waits", () => {
      const rows = journey.rows(
        "SELECT 1 FROM wake JOIN agent ON agent.id = agent_id WHERE issue = ? AND wake.state = 'pending'",
        PAUSED,
      );
      return rows.length === 1;
    });
    expect(agentsOf(PAUSED)[0]?.["state"]).toBe("SLEEPING");
    expect(heard("Make it blue")).toEqual([]);
    await octocat().comment(PAUSED, "/flotilla resume");
    await until("it hears the message", () => heard("Make it blue").length > 0);
    await journey.reached(PAUSED, "SLEEPING");
    expect(agentsOf(PAUSED)[0]?.["held_by"]).toBe("[]");
  }, 200_000);

  it.concurrent("wakes a sleeping agent with a person's message", async ({ expect }) => {
    await octocat().label(MESSAGED, "feature");
    await journey.reached(MESSAGED, "SLEEPING");
    await octocat().comment(MESSAGED, "@flotilla the tests are in spec/");
    await until("it hears the message", () => heard("the tests are in spec/").length > 0);
    const [request] = heard("the tests are in spec/");
    expect(request?.messages.filter(({ role }) => role === "user")).toHaveLength(2);
    expect(withoutDelimiters(request?.messages.at(-1)?.content ?? "")).toContain(
      "Message from a person: @octocat says",
    );
    await journey.reached(MESSAGED, "SLEEPING");
  }, 200_000);
});
