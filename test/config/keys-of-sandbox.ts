import type { Config } from "../../src/config/load-config.ts";
import { readRepositoryFile } from "../../src/config/repository-file.ts";
import { agentHosts } from "../../src/domain/access/confinement.ts";
import { placesInMemory } from "../../src/domain/breakers/room.ts";
import type { KeyInForce } from "./keys-in-force.ts";

const HOSTS = "allow_hosts: [registry.npmjs.org]";

const SERVICE =
  "services: { redis: { run: redis-server, ready: redis-cli ping, within: 1m, env: { REDIS_URL: 'redis://127.0.0.1' } } }";

/** Keys of how agents and their commands are confined. */
export const SANDBOX_KEYS_IN_FORCE: readonly KeyInForce[] = [
  {
    key: "sandbox.mode",
    set: "sandbox: { mode: bubblewrap }",
    read: (c) => c.sandbox.mode,
    expected: "bubblewrap",
  },
  {
    key: "sandbox.network",
    set: `sandbox: { network: proxy, ${HOSTS} }`,
    read: (c) => c.sandbox.network,
    expected: "proxy",
  },
  {
    key: "sandbox.allow_hosts",
    set: `sandbox: { network: proxy, ${HOSTS} }`,
    read: agentHosts,
    expected: ["registry.npmjs.org"],
  },
  {
    key: "sandbox.memory_gib",
    set: "sandbox: { memory_gib: 2 }",
    read: (c) => placesInMemory(9 * 1024 ** 3, c),
    expected: 4,
  },
  {
    key: "sandbox.host_memory_gib",
    set: "sandbox: { memory_gib: 2, host_memory_gib: 4 }",
    read: (c) => placesInMemory(9 * 1024 ** 3, c),
    expected: 2,
  },
  {
    key: "setup.network",
    set: "{ sandbox: { mode: bubblewrap }, setup: { network: [pypi.org] } }",
    read: (c) => c.setup.network,
    expected: ["pypi.org"],
  },
  {
    key: "setup.reuse",
    set: "setup: { reuse: [node_modules] }",
    read: (c) => c.setup.reuse,
    expected: ["node_modules"],
  },
  { key: "setup.cache", set: "setup: { cache: [npm] }", read: (c) => c.setup.cache, expected: ["npm"] },
  {
    key: "setup.repositories_may.commands",
    set: "setup: { repositories_may: { commands: false } }",
    read: (c) => readRepositoryFile("setup: { commands: [make] }", c).faults.length,
    expected: 1,
  },
  {
    key: "setup.repositories_may.services",
    set: "setup: { repositories_may: { services: false } }",
    read: (c) => readRepositoryFile("services: { db: { run: db, ready: db-ping } }", c).faults.length,
    expected: 1,
  },
  { key: "services", set: SERVICE, read: (c) => Object.keys(c.services), expected: ["redis"] },
  { key: "services.*.run", set: SERVICE, read: (c) => c.services["redis"]?.run, expected: "redis-server" },
  {
    key: "services.*.ready",
    set: SERVICE,
    read: (c) => c.services["redis"]?.ready,
    expected: "redis-cli ping",
  },
  { key: "services.*.within", set: SERVICE, read: (c) => c.services["redis"]?.withinMs, expected: 60_000 },
  {
    key: "services.*.env",
    set: SERVICE,
    read: (c) => c.services["redis"]?.env,
    expected: { REDIS_URL: "redis://127.0.0.1" },
  },
  {
    key: "setup.repositories_may.hosts",
    set: "{ sandbox: { mode: bubblewrap }, setup: { repositories_may: { hosts: [pypi.org] } } }",
    read: (c) => readRepositoryFile("setup: { network: [pypi.org] }", c).notices,
    expected: [],
  },
  {
    key: "sandbox.private_hosts",
    set: "sandbox: { private_hosts: [npm.corp.internal] }",
    read: (c) => c.sandbox.privateHosts,
    expected: ["npm.corp.internal"],
  },
  ...["registries", "registries.*.kind", "registries.*.url", "registries.*.token_env"].map((key) => ({
    key,
    set: "{ sandbox: { mode: bubblewrap }, registries: [{ kind: pypi, url: 'https://pypi.example.com/simple', token_env: OTHER_KEY }] }",
    read: (c: Config) => c.secrets.registries,
    expected: [
      { kind: "pypi", url: "https://pypi.example.com/simple/", tokenEnv: "OTHER_KEY", token: "other-key" },
    ],
  })),
  {
    key: "setup.environment",
    set: 'setup: { environment: { DATABASE_URL: "sqlite:$HOME/test.db" } }',
    read: (c) => c.setup.environment,
    expected: { DATABASE_URL: "sqlite:$HOME/test.db" },
  },
];
