import { expect, it } from "vitest";
import { repositoryConfigQuestion, withoutPrompts } from "../../../src/domain/replay/recorded-file.ts";
import type { RepositoryOverride } from "../../../src/domain/settings/repository-override.ts";
import { aRole } from "../../factories/a-role.ts";

it("keeps all that a repository's file says but the prompts of its roles", () => {
  const said: RepositoryOverride = {
    roles: { mender: { file: aRole({ prompt: "Fix." }), singleton: true }, quiet: { triggers: [] } },
    branches: "bots/{role}-{number}",
    evidence: {},
    review: { required: true },
    merge: {},
    limits: { defaults: {}, roles: {} },
    repositoryPerDay: {},
    storm: {},
    progress: {},
  };
  expect(withoutPrompts(said)).toEqual({
    ...said,
    roles: { ...said.roles, mender: { file: aRole({ prompt: "" }), singleton: true } },
  });
  expect(repositoryConfigQuestion({ id: 7, owner: "acme", name: "shop", installationId: 5 })).toBe(
    "ownFile(acme/shop)",
  );
});
