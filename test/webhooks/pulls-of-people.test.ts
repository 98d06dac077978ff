import { describe, expect, it } from "vitest";
import type { Permission } from "../../src/domain/ports/github.ts";
import type { GitHubPullRequest } from "../../src/domain/ports/github-changes.ts";
import {
  BOT,
  createReadingRig,
  envelope,
  LISTED_BOT,
  OTHER_BOT,
  person,
  rawIssue,
  WRITER,
} from "./reading-rig.ts";

const FORK = "eve/shop";

/** A label that starts a coder, put by somebody who may, beside these pull requests. */
async function labelled(
  pulls: readonly (Partial<GitHubPullRequest> & { readonly number: number })[],
  options: { permissions?: Readonly<Record<string, Permission>>; issue?: object; command?: "maintain" } = {},
) {
  const { command } = options;
  const rig = createReadingRig(command === undefined ? {} : { policy: { whoMayCommand: command } });
  rig.world.permissions.set("mona", "maintain");
  for (const [login, permission] of Object.entries(options.permissions ?? {}))
    rig.world.permissions.set(login, permission);
  for (const pull of pulls) rig.addPull({ body: "Closes #7", ...pull });
  const payload = envelope(person("mona"), { issue: rawIssue(options.issue), label: { name: "bug" } });
  const reading = await rig.read("issues.labeled", payload);
  if (!("personPull" in reading)) throw new Error("nothing was read");
  const { personPull, strangersPulls } = reading;
  return { personPull, strangersPulls, asked: rig.asked };
}

describe("a pull request that says it closes the issue", () => {
  const eve = person("eve");

  it("of a stranger holds nobody back, from a fork or from a branch that is there, and is named", async () => {
    const found = await labelled([
      { number: 30, author: eve, headRepository: FORK },
      { number: 31, author: eve, headRepository: null },
      { number: 32, author: eve },
      { number: 33, author: OTHER_BOT },
    ]);
    expect(found).toMatchObject({ personPull: null, strangersPulls: [32, 33, 30, 31] });
  });

  it("of a stranger that closes five hundred issues holds none of them", async () => {
    const body = Array.from({ length: 500 }, (_, at) => `closes #${at + 1}`).join(", ");
    const found = await labelled([{ number: 30, author: eve, headRepository: FORK, body }]);
    expect(found).toMatchObject({ personPull: null, strangersPulls: [30] });
  });

  it.each([
    ["of somebody who may command, from a fork too", { author: WRITER, headRepository: "wendy/shop" }],
    ["of a bot that is listed", { author: LISTED_BOT }],
    ["of somebody whom the issue is assigned to", { author: OTHER_BOT }, { assignees: [OTHER_BOT] }],
  ])("%s holds it", async (_who, pull, issue?: object) => {
    const found = await labelled(
      [
        { number: 29, author: eve },
        { number: 30, ...pull },
      ],
      { issue: issue ?? {} },
    );
    expect(found).toMatchObject({ personPull: 30, strangersPulls: [] });
  });

  it("from the repository itself counts by the right to push, whatever a command asks for", async () => {
    const stricter = { command: "maintain", permissions: { wendy: "write" } } as const;
    expect(await labelled([{ number: 30, author: WRITER }], stricter)).toMatchObject({ personPull: 30 });
    const fork = [{ number: 30, author: WRITER, headRepository: "wendy/shop" }];
    expect(await labelled(fork, stricter)).toMatchObject({ personPull: null, strangersPulls: [30] });
  });

  it("from the repository itself does not count where its author is a bot that is not listed, or may only triage", async () => {
    const permissions = { "renovate[bot]": "write", eve: "triage" } as const;
    const pulls = [
      { number: 30, author: OTHER_BOT },
      { number: 31, author: eve },
    ];
    expect(await labelled(pulls, { permissions })).toMatchObject({
      personPull: null,
      strangersPulls: [30, 31],
    });
  });

  it("by the name of its branch, as ours would be, holds it too", async () => {
    const named = { number: 30, body: "", headRef: "flotilla/bug-fix/issue-7" };
    expect(await labelled([{ ...named, author: WRITER }])).toMatchObject({ personPull: 30 });
    expect(await labelled([{ ...named, headRef: "flotilla/bug-fix/issue-8" }])).toMatchObject({
      personPull: null,
      strangersPulls: [],
    });
  });

  it("of somebody whom the issue is assigned to is found without asking about others", async () => {
    const pulls = [
      { number: 29, author: eve },
      { number: 30, author: OTHER_BOT, headRepository: "renovate/shop" },
    ];
    const { personPull, asked } = await labelled(pulls, { issue: { assignees: [OTHER_BOT] } });
    expect(personPull).toBe(30);
    expect(asked).not.toContain("permission eve");
  });

  it("is asked about for at most ten authors, those with a branch in the repository first, and five are named", async () => {
    const crowd = Array.from({ length: 40 }, (_, at) => ({
      number: 100 + at,
      author: person(`eve-${at}`),
      headRepository: FORK,
    }));
    const all = await labelled(crowd);
    expect(all.asked.filter((call) => call.startsWith("permission eve"))).toHaveLength(10);
    expect(all.strangersPulls).toEqual([100, 101, 102, 103, 104]);
    const within = await labelled(crowd.map((pull) => ({ ...pull, headRepository: "octo/shop" })));
    // Once for commands, once for the right to push.
    expect(within.asked.filter((call) => call.startsWith("permission eve"))).toHaveLength(20);
    const colleague = await labelled([...crowd, { number: 900, author: WRITER }]);
    expect(colleague).toMatchObject({ personPull: 900 });
  });

  it("of one author is asked about once", async () => {
    const many = Array.from({ length: 20 }, (_, at) => ({
      number: 30 + at,
      author: eve,
      headRepository: FORK,
    }));
    const { asked, strangersPulls } = await labelled(many);
    expect(asked.filter((call) => call === "permission eve")).toHaveLength(1);
    expect(strangersPulls).toHaveLength(5);
  });

  it("of ours is none of them", async () => {
    expect(await labelled([{ number: 30, author: BOT }])).toMatchObject({
      personPull: null,
      strangersPulls: [],
    });
  });
});
