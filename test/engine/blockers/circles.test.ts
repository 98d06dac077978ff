import { array, assert as assertProperty, asyncProperty, boolean, integer, record } from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentRecord } from "../../../src/domain/agents/agent-record.ts";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import { isPartOf, mergedCircle, type WaitSources } from "../../../src/engine/blockers/waits-graph.ts";
import { anAgent } from "../../factories/records.ts";
import { createFakeClock } from "../../fakes/clock.ts";
import { createFakeGitHub } from "../../fakes/github.ts";
import { addIssue, close, type FakeRepository, person } from "../../fakes/github-world.ts";
import { answersTo, historyOf } from "../look.ts";
import { labeled, tell } from "../people.ts";
import { aRig } from "../rig.ts";
import { blocked, on, work } from "../scripts.ts";

const SHOP = { id: 7, owner: "acme", name: "shop", installationId: 5, private: true, defaultBranch: "main" };
const LIB = { ...SHOP, id: 8, name: "lib" };
const ISSUES = 6;

interface World {
  readonly sources: WaitSources;
  readonly shop: FakeRepository;
  readonly lib: FakeRepository;
  readonly sleepers: AgentRecord[];
}

/** Two repositories with six issues each, and the sleepers that a test puts there. */
function world(): World {
  const github = createFakeGitHub({ clock: createFakeClock(0), labels: {} });
  const [shop, lib] = [github.add(SHOP), github.add(LIB)];
  for (const repository of [shop, lib])
    for (let number = 1; number <= ISSUES; number += 1)
      addIssue(repository, { title: `${number}`, author: person("alice") });
  const sleepers: AgentRecord[] = [];
  const agentsOf = async (repositoryId: number, issue: number) =>
    sleepers.filter((one) => one.repositoryId === repositoryId && one.issue === issue);
  const byName = async (owner: string, name: string) =>
    [SHOP, LIB].find((one) => one.owner === owner.toLowerCase() && one.name === name.toLowerCase());
  return { sources: { github, repositories: { byName }, agentsOf }, shop, lib, sleepers };
}

function waitsOnGitHub(from: FakeRepository, issue: number, to: FakeRepository, blocker: number): void {
  const { owner, name } = to.ref;
  const known = from.blockedElsewhere.get(issue) ?? [];
  // Names are the same in any case.
  const repository = `${owner.toUpperCase()}/${name}`;
  from.blockedElsewhere.set(issue, [...known, { repository, number: blocker, state: "open" }]);
}

const node = integer({ min: 0, max: 2 * ISSUES - 1 });
const edges = array(record({ from: node, to: node, ours: boolean() }), { minLength: 1, maxLength: 30 });

/** Whether `to` leads to `from`, told by another way than the code's: everything reachable, until nothing is added. */
function leadsTo(taken: readonly { from: number; to: number }[], to: number, from: number): boolean {
  const reached = new Set([to]);
  for (let size = 0; size !== reached.size; ) {
    size = reached.size;
    for (const edge of taken) if (reached.has(edge.from)) reached.add(edge.to);
  }
  return reached.has(from);
}

describe("waits of sleepers and dependencies on GitHub, of two repositories", () => {
  it("never accept one that closes a circle, and never refuse one that closes none", async () => {
    await assertProperty(
      asyncProperty(edges, async (wanted) => {
        const { sources, shop, lib, sleepers } = world();
        const placed = (at: number) => ({ home: at < ISSUES ? shop : lib, issue: (at % ISSUES) + 1 });
        const taken: { from: number; to: number }[] = [];
        const [told, right]: [unknown[], unknown[]] = [[], []];
        for (const { from, to, ours } of wanted) {
          const [start, end] = [placed(from), placed(to)];
          const asks = from !== to && start.home === end.home;
          if (asks) {
            const home = start.home === shop ? SHOP : LIB;
            const circle = await mergedCircle(sources, home, { id: 999, issue: start.issue }, end.issue);
            const [own, other] = [`#${start.issue}`, `#${end.issue}`];
            const closes = leadsTo(taken, to, from);
            told.push(circle && [circle[0], circle[1], circle.at(-1)]);
            right.push(closes ? [own, other, own] : null);
            if (closes) continue;
          } else if (leadsTo(taken, to, from)) continue;
          taken.push({ from, to });
          if (asks && ours)
            sleepers.push(
              anAgent({
                id: taken.length,
                repositoryId: start.home.ref.id,
                issue: start.issue,
                blockedBy: [end.issue],
              }),
            );
          else waitsOnGitHub(start.home, start.issue, end.home, end.issue);
        }
        expect(told).toEqual(right);
      }),
    );
  });

  it("show the circle with the repository of each issue that is another's", async () => {
    const { sources, shop, lib } = world();
    waitsOnGitHub(shop, 2, lib, 4);
    waitsOnGitHub(lib, 4, shop, 1);
    const circle = await mergedCircle(sources, SHOP, { id: 1, issue: 1 }, 2);
    expect(circle).toEqual(["#1", "#2", "ACME/lib#4", "#1"]);
  });

  it("count neither a closed blocker, nor the agent's own wait, nor what we may not see", async () => {
    const { sources, shop, lib, sleepers } = world();
    shop.blockedBy.set(2, new Set([3])).set(3, new Set([1]));
    close(shop, 3);
    sleepers.push(anAgent({ id: 1, repositoryId: 7, issue: 4, blockedBy: [1] }));
    waitsOnGitHub(shop, 2, { ...lib, ref: { ...LIB, name: "hidden" } }, 1);
    expect(await mergedCircle(sources, SHOP, { id: 5, issue: 1 }, 2)).toBeNull();
    expect(await mergedCircle(sources, SHOP, { id: 1, issue: 1 }, 4)).toBeNull();
    expect(await mergedCircle(sources, SHOP, { id: 5, issue: 1 }, 4)).toEqual(["#1", "#4", "#1"]);
  });

  it("are not known while GitHub does not answer", async () => {
    const { sources } = world();
    const down = new GitHubError("unavailable", "no answer", 0, { consequence: "retry" });
    const github = { ...sources.github, blockedBy: () => Promise.reject(down) };
    await expect(mergedCircle({ ...sources, github }, SHOP, { id: 1, issue: 1 }, 2)).rejects.toBe(down);
    const unsupported = new GitHubError("unsupported", "none", 404, { consequence: "stop" });
    const older = { ...sources.github, blockedBy: () => Promise.reject(unsupported) };
    expect(await mergedCircle({ ...sources, github: older }, SHOP, { id: 1, issue: 1 }, 2)).toBeNull();
  });
});

describe("parts of an issue", () => {
  it("are its own at whatever depth, and no others; a parent that comes back to itself ends the look", async () => {
    const { sources, shop } = world();
    shop.parents.set(3, 2).set(2, 1).set(5, 6).set(6, 5);
    const parts = [2, 3, 4, 5].map((part) => isPartOf(sources, SHOP, 1, part));
    expect(await Promise.all(parts)).toEqual([true, true, false, false]);
  });

  it("cannot block it: the model is told, and continues", async () => {
    const rig = await aRig({ script: [on(1, blocked(3), ...work)] });
    rig.repository.parents.set(3, 2).set(2, 1);
    await tell(rig, labeled(rig, 1));
    expect(answersTo(rig).join()).toContain("#3 is a part of your own issue");
    expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "COMPLETED"]);
  });
});

it("refuses a block that GitHub's dependencies would close to a circle, and shows it to the model", async () => {
  const rig = await aRig({ script: [on(1, blocked(2), ...work)] });
  rig.repository.blockedBy.set(2, new Set([3])).set(3, new Set([1]));
  await tell(rig, labeled(rig, 1));
  expect(answersTo(rig).join()).toContain("#2 waits for you already: #1 → #2 → #3 → #1");
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "COMPLETED"]);
});
