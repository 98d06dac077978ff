import { expect, test } from "vitest";
import { ALL_ROLES } from "../../../src/domain/recovery/node-roles.ts";
import { sharingFaults, unneededSecrets } from "../../../src/server/start-checks/roles.ts";

const runner = new Set(["runner"] as const);

test("a file serves one process with all roles; a server as many as there are", () => {
  expect(sharingFaults(ALL_ROLES, { usedBy: "one_process" })).toEqual([]);
  expect(sharingFaults(runner, { usedBy: "several_nodes" })).toEqual([]);
  expect(sharingFaults(runner, { usedBy: "one_process" })).toEqual([
    {
      about: "roles",
      what: "are runner, and this database serves one process, which must have all of them",
      next: "Set DATABASE_URL to a database server, or leave out --role and FLOTILLA_ROLE",
    },
  ]);
});

test("secrets that the roles do not need are named, without their values", () => {
  const env = { PRIVATE_KEY_PATH: "/etc/key.pem", WEBHOOK_SECRET: "s3cret", PRIVATE_KEY: "" };
  expect(unneededSecrets(ALL_ROLES, env)).toEqual([]);
  const found = unneededSecrets(runner, env);
  expect(found.map(({ about }) => about)).toEqual(["PRIVATE_KEY_PATH", "WEBHOOK_SECRET"]);
  expect(JSON.stringify(found)).not.toMatch(/s3cret|key\.pem/);
  expect(unneededSecrets(new Set(["intake"]), env).map(({ about }) => about)).toEqual(["PRIVATE_KEY_PATH"]);
});
