import { expect, test } from "vitest";
import { readRepositoryFile } from "../../src/config/repository-file.ts";
import { settingsFor } from "../../src/domain/settings/settings-for.ts";
import { PROVIDER, someSettings } from "../factories/some-settings.ts";

const BASE = someSettings();
const DB = { run: "db", ready: "db-ping", withinMs: 30_000, env: {} };
const OURS = { ...BASE, services: { redis: { ...DB, run: "ours" }, db: DB } };
const faultsOf = (text: string, settings = BASE) => readRepositoryFile(text, settings).faults;

test("a repository's services join the operator's, and replace those of the same name", () => {
  const text = "services: { redis: { run: theirs, ready: ping, within: 2m, env: { A: b } } }";
  const { override, faults } = readRepositoryFile(text, OURS);
  expect(faults).toEqual([]);
  expect(override && settingsFor(OURS, override).services).toEqual({
    redis: { run: "theirs", ready: "ping", withinMs: 120_000, env: { A: "b" } },
    db: DB,
  });
  expect(settingsFor(OURS, { roles: {}, limits: { defaults: {}, roles: {} } }).services).toBe(OURS.services);
});

test("where the operator lets no repository have services, they are a fault and count for nothing", () => {
  const repositoriesMay = { ...BASE.setup.repositoriesMay, services: false };
  const closed = { ...BASE, setup: { ...BASE.setup, repositoriesMay } };
  const text = "services: { db: { run: db, ready: db-ping } }";
  expect(faultsOf(text, closed)).toEqual([
    ".github/flotilla.yml: services: the operator lets no repository set it (setup.repositories_may.services); take it out.",
  ]);
  const { override } = readRepositoryFile(text, BASE);
  expect(override && settingsFor(closed, override).services).toEqual({});
});

test.each([
  ["without ready", "{ db: { run: db } }", "services.db.ready"],
  ["with an empty line", '{ db: { run: "", ready: ping } }', "services.db.run"],
  ["with a name that is no name", "{ My_DB: { run: db, ready: ping } }", "write a name, such as redis"],
  ["that may take too long", "{ db: { run: db, ready: ping, within: 11m } }", "is more than 10m"],
  [
    "with a variable of ours",
    "{ db: { run: db, ready: ping, env: { PATH: /x } } }",
    "Flotilla or the shell sets it",
  ],
  [
    "with a password in an address",
    '{ db: { run: db, ready: ping, env: { URL: "postgres://me:hunter22@127.0.0.1/x" } } }',
    "services.db.env.URL: looks like a secret",
  ],
  ["with an unknown key", "{ db: { run: db, ready: ping, port: 1 } }", "port"],
])("a service %s is a fault", (_, text, fault) => {
  expect(faultsOf(`services: ${text}`).join("\n")).toContain(fault);
});

const of = (count: number) =>
  `services:\n${Array.from({ length: count }, (_, at) => `  s${at}: { run: db, ready: ping }\n`).join("")}`;

test("more than eight services are a fault", () => {
  expect(faultsOf(of(8))).toEqual([]);
  expect(faultsOf(of(9)).join()).toContain("write at most 8 services");
});

test("no service gets the variable with the provider's key", () => {
  const settings = { ...BASE, runtime: { ...BASE.runtime, provider: PROVIDER } };
  const text = "services: { db: { run: db, ready: ping, env: { MODEL_API_KEY: x } } }";
  expect(faultsOf(text, settings).join()).toContain(
    "services.db.env.MODEL_API_KEY: runtime.provider.api_key_env names it",
  );
});
