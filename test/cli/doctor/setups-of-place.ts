import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { lockDataDirectory } from "../../../src/adapters/store/data-directory-lock.ts";
import type { Place } from "./place.ts";
import { config, database, env, path, ROLE, runtime, type SetUp } from "./spoil.ts";

/** Registries need a sandbox, which these places go without. */
const NO_BUBBLEWRAP = /^sandbox: bubblewrap/;

/** One registry, with its token where none is given. */
function registry(
  url: (port: number) => string,
  privateHosts: string,
  given: Readonly<Record<string, string>> = { NPM_TOKEN: "token-of-somebody-else" },
): SetUp["spoil"] {
  return (place) => {
    const { ground, configure } = place;
    Object.assign(place.env, given);
    configure(`sandbox: { mode: bubblewrap, private_hosts: ${privateHosts} }`);
    configure(`registries: [{ kind: npm, url: "${url(ground.port)}", token_env: NPM_TOKEN }]`);
  };
}

const AGENT = join(import.meta.dirname, "../../fixtures/acp/agent.ts");

/** A small agent as an operator's own program; `misbehaves` is one of the ways that it knows. */
export function program({ ground: { port }, configure }: Place, misbehaves = ""): void {
  configure(
    `providers: { acme: { type: openai, base_url: "http://127.0.0.1:${port}/v1", api_key_env: MODEL_API_KEY } }`,
  );
  const variables = `{ AGENT_MODEL_URL: "{gateway}/v1", AGENT_KEY: "{key}", AGENT_MODEL: "{model}", AGENT_STATE: "{state}", AGENT_MISBEHAVES: "${misbehaves}" }`;
  configure(
    `runtimes: { mine: { command: [node, ${JSON.stringify(AGENT)}], models: [acme/gpt-4.1], env: ${variables} } }`,
  );
}

/** What is wrong with the provider, the configuration or this machine, each a small change of a set-up that is in order. */
export const SETUPS_OF_PLACE: readonly SetUp[] = [
  {
    name: "agents that may use more memory than the machine has",
    spoil: config("sandbox: { mode: none, memory_gib: 1000000 }"),
    says: /^sandbox\.memory_gib: an agent is promised 1000000 GiB of memory, and this machine has \S+ GiB for agents: no agent starts\. Lower `sandbox\.memory_gib`/,
  },
  {
    name: "a provider that refuses the key",
    spoil: env({ MODEL_API_KEY: "key-of-somebody-else" }),
    says: /^model provider: \S+ refuses the key \(401\): agents cannot call the model\. Put a valid key/,
  },
  {
    name: "a provider that is not there",
    spoil: ({ configure }) => configure(runtime(1, "gpt-4.1")),
    says: /^model provider: http:\/\/127\.0\.0\.1:1\/v1 cannot be reached \(.+\): agents cannot call the model\. Check runtime\.provider\.base_url/,
  },
  {
    name: "another provider that is not there",
    spoil: ({ configure }) =>
      configure(
        'providers: { acme: { type: gemini, base_url: "http://127.0.0.1:1", api_key_env: MODEL_API_KEY } }',
      ),
    says: /^model provider: http:\/\/127\.0\.0\.1:1 cannot be reached \(.+\): agents cannot call the model\. Check providers\.acme\.base_url/,
  },
  {
    name: "a model of another provider that it does not have",
    spoil: ({ ground: { port }, configure }) => {
      configure(
        `providers: { acme: { type: openai, base_url: "http://127.0.0.1:${port}/v1", api_key_env: MODEL_API_KEY } }`,
      );
      configure("runtimes: { mine: { command: [/opt/mine], models: [acme/gpt-4.1-mino] } }");
      configure(
        `runtime: { provider: { type: openai, base_url: "http://127.0.0.1:${port}/v1", api_key_env: MODEL_API_KEY }, model: gpt-4.1, prices: { gpt-4.1: { in: 2, cached: 0.5, out: 8 }, gpt-4.1-mino: { in: 2, cached: 0.5, out: 8 } } }`,
      );
    },
    says: /^model provider: \S+ has no model "gpt-4\.1-mino".*Write "gpt-4\.1-mini"/,
    also: /^runtimes\.mine: there is no \/opt\/mine: work for it waits\. Install it/,
  },
  {
    name: "an agent that is not installed",
    spoil: ({ ground: { port }, configure }) => {
      configure(
        `providers: { acme: { type: openai, base_url: "http://127.0.0.1:${port}/v1", api_key_env: MODEL_API_KEY } }`,
      );
      configure("runtimes: { clever: { preset: qwen, models: [acme/gpt-4.1] } }");
    },
    says: /^runtimes\.clever: Qwen Code is not installed: work for it waits\. Run `flotilla runtimes add qwen`\./,
  },
  {
    name: "an agent that dies at its start",
    spoil: (place) => program(place, "dies"),
    says: /^runtimes\.mine: mine did not start: it ended with exit code \d+.*\. Correct runtimes\.mine: it must speak ACP/,
  },
  {
    name: "a provider that is broken",
    spoil: ({ ground: { answers }, undo }) => {
      answers.provider = 503;
      undo.push(() => void (answers.provider = 200));
    },
    says: /^model provider: \S+ answers 503: agents wait until it does not\. See the status page/,
  },
  {
    name: "a model that the provider does not have",
    spoil: ({ ground: { port }, configure }) => configure(runtime(port, "gpt-4.1-mino")),
    says: /^model provider: \S+ has no model "gpt-4\.1-mino".*Write "gpt-4\.1-mini"/,
  },
  {
    name: "a model for starts that the provider does not have",
    spoil: ({ ground: { port }, configure }) =>
      configure(
        runtime(port, "gpt-4.1-mini").replace(
          "prices: { ",
          "models: [gpt-4.1-mimi], prices: { gpt-4.1-mimi: { in: 2, cached: 0.5, out: 8 }, ",
        ),
      ),
    says: /^model provider: \S+ has no model "gpt-4\.1-mimi".*Write "gpt-4\.1-mini"/,
  },
  {
    name: "a limit of cost over a model without a price",
    spoil: ({ ground: { port }, configure }) => configure(runtime(port, "gpt-4.1-mini", "gpt-4.1")),
    says: /^configuration: .*the model gpt-4\.1-mini \(.*\) has no price, so .* would not limit it; write/,
  },
  {
    name: "a registry without its token",
    spoil: registry((port) => `http://127.0.0.1:${port}/packages`, "[127.0.0.1]", {}),
    says: /^configuration: .*registries\[0\]\.token_env: the environment variable NPM_TOKEN is not set; set it to/,
    also: NO_BUBBLEWRAP,
  },
  {
    name: "a registry that refuses its token",
    spoil: registry((port) => `http://127.0.0.1:${port}/packages`, "[127.0.0.1]"),
    says: /^registry http:\/\/127\.0\.0\.1:\d+\/packages\/: refuses the token \(401\).*\. Put a valid token into NPM_TOKEN/,
    also: NO_BUBBLEWRAP,
  },
  {
    name: "a registry that is not there",
    spoil: registry(() => "http://127.0.0.1:1/", "[127.0.0.1]"),
    says: /^registry http:\/\/127\.0\.0\.1:1\/: cannot be reached \(.+\).*\. Correct its url/,
    also: NO_BUBBLEWRAP,
  },
  {
    name: "a registry in a private network",
    spoil: registry((port) => `https://127.0.0.1:${port}/packages`, "[]"),
    says: /^registry \S+: 127\.0\.0\.1 leads into a private network.*\. Name 127\.0\.0\.1 in sandbox\.private_hosts/,
    also: NO_BUBBLEWRAP,
  },
  {
    name: "a key that is written wrong",
    spoil: config("sandbx: { mode: none }"),
    says: /^configuration: .*sandbx: unknown key\. Did you mean "sandbox"/,
  },
  {
    name: "a role without its prompt",
    spoil: config(`roles: { feat-dev: { prompt: gone.md, ${ROLE} } }`),
    says: /^configuration: .*gone\.md/,
  },
  {
    name: "a way out without hosts",
    spoil: config("sandbox: { mode: bubblewrap, network: proxy }"),
    says: /^configuration: .*sandbox\.network: proxy needs the hosts that it lets through; name them in allow_hosts/,
  },
  {
    name: "a sandbox that does not confine",
    spoil: async (place) => {
      place.configure("sandbox: { mode: bubblewrap }");
      await path({ bwrap: "exit 1" })(place);
    },
    says: /^sandbox: .+See `Sandbox` in docs\/operations\.md/,
  },
  {
    name: "a git that is too old",
    spoil: path({ git: '[ "$1" = version ] && echo "git version 2.30.2" && exit 0' }),
    says: /^git: is 2\.30\.2, older than 2\.39\.5: a repository can make it run programs\. Install git/,
  },
  {
    name: "a data directory that others may read",
    spoil: ({ home }) => chmodSync(join(home, "data"), 0o755),
    says: /data: is open to others \(mode 0755\).*chmod 700/,
  },
  {
    name: "a data directory that cannot be made",
    spoil: env({ FLOTILLA_DATA_DIR: "/proc/flotilla" }),
    says: /^\/proc\/flotilla: cannot be made by this user .*Set FLOTILLA_DATA_DIR/,
  },
  {
    name: "a second Flotilla on the data directory",
    spoil: ({ home, undo }) => {
      undo.push(lockDataDirectory(join(home, "data")));
    },
    says: /data: is used by another flotilla process \(pid \d+, started .*\) that does not answer.*Wait until it has started, or end it/,
  },
  {
    name: "a port that is taken",
    spoil: (place) => void (place.env["PORT"] = String(place.ground.port)),
    says: /^127\.0\.0\.1:\d+: is taken by another program: webhooks would go to that one\. Stop it, or set PORT/,
  },
  {
    name: "an address that is not this machine's",
    spoil: env({ HOST: "192.0.2.1", PORT: "3000" }),
    says: /^192\.0\.2\.1:3000: is no address of this machine\. Set HOST/,
  },
  {
    name: "a collector of traces that does not run",
    spoil: config('telemetry: { endpoint: "http://127.0.0.1:9" }'),
    says: /^traces: http:\/\/127\.0\.0\.1:9\/v1\/traces cannot be reached \(.+\): traces are lost until it does.*\. Start the collector/,
  },
  {
    name: "an endpoint of traces that is something else",
    spoil: (place) => place.configure(`telemetry: { endpoint: "http://127.0.0.1:${place.ground.port}" }`),
    says: /^traces: .*\/v1\/traces answers 404: .*OTLP\/HTTP receiver/,
  },
  {
    name: "a database that is damaged",
    spoil: ({ put }) => void put("data/flotilla.db", "This was a database."),
    says: /flotilla\.db: is damaged \(file is not a database\): what it says cannot be trusted\. Stop Flotilla and restore a backup/,
  },
  {
    name: "a damaged database with the log of a process that was killed",
    spoil: ({ put }) => {
      put("data/flotilla.db", "This was a database.");
      put("data/flotilla.db-wal", "This was a log.");
    },
    says: /flotilla\.db: is damaged \(file is not a database\): what it says cannot be trusted\. Stop Flotilla and restore a backup/,
  },
  {
    name: "a database that lacks a table",
    spoil: database((opened) => opened.exec("DROP TABLE usage")),
    says: /flotilla\.db: is damaged \(it lacks the table usage, and \d+ more\).*\. Restore a backup/,
  },
  {
    name: "a database that is a directory",
    spoil: ({ home }) => {
      rmSync(join(home, "data/flotilla.db"), { force: true });
      mkdirSync(join(home, "data/flotilla.db"));
    },
    says: /flotilla\.db: is not a file\. Move it away/,
  },
  {
    name: "a database of a newer version",
    spoil: database((opened) => opened.pragma("user_version = 99")),
    says: /flotilla\.db: was written by a newer version of Flotilla \(it has schema 99, .*\. Start the version that wrote it/,
  },
];
