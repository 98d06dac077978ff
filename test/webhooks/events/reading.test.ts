import { describe, expect, it } from "vitest";
import { EVENT_NAMES } from "../../../src/webhooks/events/table.ts";
import { createReadingRig, envelope, rawIssue, WRITER } from "../reading-rig.ts";

const OPENED = { issue: rawIssue() };

describe("reading a webhook", () => {
  it("ignores repositories that the configuration does not list", async () => {
    const rig = createReadingRig({ repositories: ["acme/*"] });
    expect(await rig.read("issues.opened", envelope(WRITER, OPENED))).toEqual({
      ignored: "octo/shop is not on the list of repositories in the configuration",
    });
    expect(rig.asked).toEqual([]);
  });

  it("takes the installation that is known when the payload names none", async () => {
    const rig = createReadingRig();
    const payload = envelope(WRITER, { ...OPENED, installation: undefined });
    expect(await rig.read("issues.opened", payload)).toEqual({
      ignored: "the App is not known to be installed there",
    });
    const repository = { id: 78, name: "shop", owner: { login: "octo" }, private: true, default_branch: "x" };
    expect(await rig.read("issues.opened", { ...payload, repository })).toMatchObject({
      repository: { id: 78, installationId: 5, defaultBranch: "x" },
    });
  });

  it.each([
    ["a sender without an id", { sender: { login: "alice" } }, "sender.id: "],
    ["no issue", { issue: undefined }, "issue: "],
    ["an issue without a number", { issue: rawIssue({ number: "7" }) }, "issue.number: "],
    ["a repository without an owner", { repository: { id: 1 } }, "repository.name: "],
  ])("ignores a payload with %s and says where", async (_what, fields, where) => {
    const rig = createReadingRig();
    const reading = await rig.read("issues.opened", envelope(WRITER, { ...OPENED, ...fields }));
    expect(reading).toHaveProperty("ignored", expect.stringMatching(`^not understood: ${where}`));
  });

  it("takes a deleted author for the ghost that GitHub shows", async () => {
    const rig = createReadingRig();
    const reading = await rig.read("issues.opened", envelope(WRITER, { issue: rawIssue({ user: null }) }));
    expect(reading).toMatchObject({ issue: { author: { login: "ghost" } } });
  });

  it.each(EVENT_NAMES)("of kind %s never throws, whatever the payload is", async (name) => {
    const rig = createReadingRig();
    // For news of repositories what stands around every payload says enough.
    const bare = /^(repository|installation)/.test(name) ? [] : [envelope(WRITER)];
    for (const payload of [{}, ...bare, { sender: 1, repository: [] }]) {
      expect(await rig.read(name, payload)).toHaveProperty("ignored");
    }
  });
});
