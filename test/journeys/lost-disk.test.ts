import { execFileSync } from "node:child_process";
import { appendFileSync, globSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { proved } from "../proved.ts";
import { after, aScenario, call, saysOn } from "./a-scenario.ts";
import { type Journey, startJourney } from "./journey.ts";

const HOUR_MS = 60 * 60_000;
const SAVED = 1;
const REFUSED = 2;
const DRAFT = "the draft of an hour";
const AGAIN = "You were interrupted by a restart";

/** Edits, and thinks for an hour; after the restart it publishes what is in its worktree. */
const says = (issue: number) =>
  saysOn(issue, [
    call("bash", { command: `echo '${DRAFT}' > draft-${issue}.md`, description: "Write a draft" }),
    { ...call("bash", { command: "true", description: "Think" }), delayMs: HOUR_MS },
    ...after(AGAIN, [
      call("bash", { command: `cat draft-${issue}.md; echo more > more-${issue}.md`, description: "Look" }),
      call("commit", { message: `Add what issue ${issue} asks` }),
      call("open_pr", { title: "Add it", body: "As asked." }),
      call("report_complete", { summary: "It is there." }),
    ]),
  ]);

/** The machine is lost, but for its database. */
async function loseMachine(journey: Journey): Promise<void> {
  await journey.served().stop("SIGKILL");
  for (const part of ["sessions", "sent", "worktrees", "mirrors"])
    rmSync(join(journey.dataDir, part), { recursive: true, force: true });
  await journey.restart("SIGKILL");
}

function repositoryOf({ dataDir }: Journey): string {
  const [found] = globSync(join(dataDir, "../../github/**/app.git"));
  if (found === undefined) throw new Error("there is no repository");
  return found;
}

/** What the model was asked for an issue, by request. */
const asked = ({ model }: Journey, issue: number) =>
  model.requests
    .map(({ messages }) => messages.map((message) => JSON.stringify(message)))
    .filter((messages) => messages.join().includes(`Work on issue #${issue} of`));

describe("a machine is lost while an agent works", { timeout: 300_000 }, () => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await startJourney({ scenario: aScenario({ conversations: [SAVED, REFUSED].map(says) }) });
    for (const issue of [SAVED, REFUSED])
      await journey.github.as("octocat").openIssue({ title: `Work ${issue}`, body: "Do it." });
  }, 180_000);
  afterAll(() => journey.close());

  const onServer = (issue: number, file: string) => {
    const [agent] = journey.rows("SELECT branch FROM agent WHERE issue = ?", issue);
    const args = [`--git-dir=${repositoryOf(journey)}`, "show", `${String(agent?.["branch"])}:${file}`];
    try {
      return execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    } catch {
      return null;
    }
  };
  const reasonsOf = (issue: number, rule: string) =>
    journey
      .rows("SELECT reason FROM decision WHERE issue = ? AND rule = ?", issue, rule)
      .map(({ reason }) => String(reason));

  it("its edits come back from the server, and its conversation from the database", async () => {
    await journey.github.as("octocat").label(SAVED, "feature");
    await journey.until("its work is on the server, and what it said is kept", () => {
      const [saved] = journey.rows("SELECT pushed_sha, fault FROM checkpoint WHERE agent_id = 1");
      const [kept] = journey.rows("SELECT kept_at FROM conversation WHERE agent_id = 1");
      return saved?.["pushed_sha"] != null && kept !== undefined && asked(journey, SAVED).length === 2;
    });
    const before = asked(journey, SAVED).at(-1) ?? [];
    await loseMachine(journey);
    await journey.reached(SAVED, "COMPLETED");
    expect(onServer(SAVED, `draft-${SAVED}.md`)).toBe(`${DRAFT}\n`);
    expect(onServer(SAVED, `more-${SAVED}.md`)).toBe("more\n");
    const next = asked(journey, SAVED)[2] ?? [];
    expect(next.slice(0, before.length)).toEqual(before);
    expect(next.join()).toContain("Look at your files before you go on");
    expect(journey.rows("SELECT cause FROM handoff")).toEqual([]);
    expect(reasonsOf(SAVED, "worktree_rebuilt")).toEqual([expect.stringContaining("its checkpoint of")]);
    proved({
      promise:
        "A machine that is lost but for its database costs a minute of edits and a turn of talk at most",
      test: "test/journeys/lost-disk.test.ts",
      figure: `${before.length} messages sent again byte for byte, 1 uncommitted file back`,
    });
  });

  it("where the server refuses checkpoints, people are told so, and then what is lost", async () => {
    appendFileSync(join(repositoryOf(journey), "config"), "[receive]\n\thideRefs = refs/flotilla\n");
    await journey.github.as("octocat").label(REFUSED, "feature");
    await journey.until("it is told", () => reasonsOf(REFUSED, "checkpoint_refused").length > 0);
    await journey.until("it thinks", () => asked(journey, REFUSED).length === 2);
    await loseMachine(journey);
    await journey.reached(REFUSED, "COMPLETED");
    expect(onServer(REFUSED, `draft-${REFUSED}.md`)).toBeNull();
    expect(reasonsOf(REFUSED, "worktree_rebuilt")).toEqual([
      expect.stringMatching(
        /from the base branch; what it had not committed, if anything, is lost\. .*hidden ref/s,
      ),
    ]);
    expect(await journey.violationsAfterStop()).toEqual([]);
  });
});
