import { describe, expect, it } from "vitest";
import { createReadingRig, envelope, READER, rowOf } from "../reading-rig.ts";

const installation = (fields: object = {}) => ({ sender: READER, installation: { id: 5 }, ...fields });
const brief = (id: number, name: string) => ({ id, full_name: `octo/${name}`, private: true });

describe("a webhook about a repository itself", () => {
  it.each([
    "renamed",
    "transferred",
    "archived",
    "unarchived",
    "deleted",
    "privatized",
    "publicized",
  ] as const)("%s is read as such, whoever did it", async (change) => {
    const { read, now } = createReadingRig();
    expect(await read(`repository.${change}`, envelope(READER))).toEqual({
      delivery: "d-1",
      at: now,
      actor: READER,
      type: "repository_changed",
      repository: rowOf(),
      change,
      was: null,
    });
  });

  it("names what it was called before", async () => {
    const { read } = createReadingRig();
    const renamed = { changes: { repository: { name: { from: "store" } } } };
    const moved = { changes: { owner: { from: { organization: { login: "acme" } } } } };
    const fromUser = { changes: { owner: { from: { user: { login: "mona" }, organization: null } } } };
    expect(await read("repository.renamed", envelope(READER, renamed))).toMatchObject({ was: "octo/store" });
    expect(await read("repository.transferred", envelope(READER, moved))).toMatchObject({ was: "acme/shop" });
    expect(await read("repository.transferred", envelope(READER, fromUser))).toMatchObject({
      was: "mona/shop",
    });
  });

  it("counts for one that we know although its new name is not on the list, and for no other", async () => {
    const { read } = createReadingRig({ repositories: ["acme/*"] });
    const unlisted = "octo/shop is not on the list of repositories in the configuration";
    expect(await read("repository.renamed", envelope(READER))).toEqual({ ignored: unlisted });
    const known = envelope(READER, {
      repository: { id: 78, name: "new", owner: { login: "octo" }, private: true, default_branch: "main" },
      installation: null,
    });
    expect(await read("repository.renamed", known)).toMatchObject({
      type: "repository_changed",
      repository: { id: 78, name: "new", installationId: 5 },
    });
  });

  it("is ignored where the App is not known to be, and where the payload is another", async () => {
    const { read } = createReadingRig();
    expect(await read("repository.archived", envelope(READER, { installation: null }))).toEqual({
      ignored: "the App is not known to be installed there",
    });
    expect(await read("repository.archived", { sender: READER })).toMatchObject({
      ignored: expect.stringContaining("not understood: repository"),
    });
    expect(await read("repository.renamed", envelope(READER, { changes: 7 }))).toMatchObject({
      ignored: expect.stringContaining("not understood: changes"),
    });
  });
});

describe("a webhook about the App's installation", () => {
  it.each([
    ["installation.deleted", "uninstalled"],
    ["installation.suspend", "suspended"],
    ["installation.unsuspend", "unsuspended"],
  ] as const)("%s concerns all of it", async (name, change) => {
    const { read, now } = createReadingRig();
    expect(await read(name, installation({ repositories: [brief(77, "shop")] }))).toEqual({
      delivery: "d-1",
      at: now,
      actor: READER,
      type: "installation_changed",
      installationId: 5,
      change,
    });
  });

  it("tells which repositories came and which went", async () => {
    const { read } = createReadingRig();
    const shop = { id: 77, owner: "octo", name: "shop", private: true };
    expect(
      await read("installation.created", installation({ repositories: [brief(77, "shop")] })),
    ).toMatchObject({ type: "coverage_changed", added: [shop], removed: [] });
    const added = installation({ repositories_added: [brief(77, "shop")], repositories_removed: [] });
    expect(await read("installation_repositories.added", added)).toMatchObject({
      added: [shop],
      removed: [],
    });
    const removed = installation({ repositories_added: [], repositories_removed: [brief(78, "lib")] });
    expect(await read("installation_repositories.removed", removed)).toMatchObject({
      added: [],
      removed: [78],
    });
  });

  it("that is of another shape is ignored with the place that is wrong", async () => {
    const { read } = createReadingRig();
    const nameless = installation({ repositories: [{ id: 7, full_name: "shop", private: true }] });
    expect(await read("installation.created", nameless)).toMatchObject({
      ignored: expect.stringContaining("not understood: repositories.0"),
    });
  });

  it("that new permissions were accepted asks nothing of us", async () => {
    const { read } = createReadingRig();
    expect(await read("installation.new_permissions_accepted", installation())).toEqual({
      ignored: "the next call uses the permissions that were accepted",
    });
  });
});
