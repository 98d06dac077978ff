import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stringify } from "yaml";
import { z } from "zod";
import { bundledFile } from "../domain/settings/bundled-file.ts";
import { type ApiClient, createApiClient } from "./api-client.ts";
import type { RepositoryOptions } from "./github/create-world.ts";
import type { Observe } from "./github/http/observe.ts";
import { type LocalGitHub, startLocalGitHub } from "./github/start.ts";
import { type ScriptedModel, startScriptedModel } from "./model/scripted-model.ts";
import type { Scenario } from "./scenario.ts";
import { type Served, startServed } from "./served.ts";

const ROLES = fileURLToPath(bundledFile("../../config/roles", import.meta.url));
const MODEL_KEY = "demo-model-key";

/** Everything that a scenario runs on: a local GitHub, a scripted model, and a real Flotilla process between them. */
export interface Stage {
  readonly github: LocalGitHub;
  readonly model: ScriptedModel;
  readonly api: ApiClient;
  readonly dataDir: string;
  readonly people: Scenario["people"];
  readonly served: () => Served;
  /** Returns the dashboard's URL, which signs in. */
  readonly dashboard: () => string;
  /**
   * Ends the Flotilla process with the signal and starts a new one on the same data; `env` applies from then on. `main`: the
   * program of another version.
   */
  restart(signal: NodeJS.Signals, env?: Readonly<Record<string, string>>, main?: string): Promise<void>;
  /** Starts another Flotilla process beside it, which gets no webhooks; `env` is added to that of the first one. */
  beside(env: Readonly<Record<string, string>>, main?: string): Promise<Served>;
  close(): Promise<void>;
}

/** Where the stage is. */
export interface StagePlace {
  readonly dataDir: string;
  readonly model: Pick<ScriptedModel, "url" | "origin">;
}

/** Sets the stage. `directory` must be empty; the caller removes it. */
export async function setStage(options: {
  readonly scenario: Scenario;
  readonly directory: string;
  /** True runs agents in the sandbox, which must be available. */
  readonly confined: boolean;
  readonly observe?: Observe;
  /** More repositories of the same installation. */
  readonly beside?: readonly RepositoryOptions[];
  /** Additional environment of the Flotilla process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Its program, of another version. */
  readonly main?: string | undefined;
  /** The clock of the local GitHub, in milliseconds since the epoch. Default: Date.now. */
  readonly now?: () => number;
  /** More keys of its configuration, which depend on the place; called before the process starts. */
  readonly configure?: (place: StagePlace) => Readonly<Record<string, unknown>>;
}): Promise<Stage> {
  const { scenario, directory } = options;
  const at = (name: string): string => {
    const path = join(directory, name);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  };
  const github = await startLocalGitHub({
    directory: at("github"),
    repositories: [{ ...scenario.repository, private: true }, ...(options.beside ?? [])],
    people: scenario.people,
    strict: true,
    ...(options.now === undefined ? {} : { now: options.now }),
    ...(options.observe === undefined ? {} : { observe: options.observe }),
  });
  const model = await startScriptedModel({ script: scenario.model, host: "127.0.0.1", port: 0 });
  const home = at("flotilla");
  const dataDir = join(home, "data");
  const token = randomBytes(16).toString("hex");
  const secret = randomBytes(32).toString("hex");
  const config = {
    ...configOf(scenario, model.url, options.confined),
    ...options.configure?.({ dataDir, model }),
  };
  writeFileSync(join(home, "config.yaml"), stringify(config));
  let env: Readonly<Record<string, string>> = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    APP_ID: String(github.app.id),
    PRIVATE_KEY: github.app.privateKey,
    WEBHOOK_SECRET: secret,
    GITHUB_CLIENT_ID: github.app.clientId,
    GITHUB_CLIENT_SECRET: github.app.clientSecret,
    GHE_HOST: github.host,
    GHE_PROTOCOL: "http",
    HOST: "127.0.0.1",
    PORT: "0",
    FLOTILLA_DATA_DIR: dataDir,
    DASHBOARD_TOKEN: token,
    MODEL_API_KEY: MODEL_KEY,
    LOG_LEVEL: "info",
    ...options.env,
  };
  let served = await startServed({ cwd: home, env, main: options.main });
  const others: Served[] = [];
  const connect = (): void => {
    github.setWebhook({ url: `${served.url}/api/github/webhooks`, secret });
    github.setCallbacks([`${served.url}/sign-in/github/done`]);
  };
  connect();
  return {
    github,
    model,
    dataDir,
    people: scenario.people,
    api: createApiClient(() => served.url, token),
    served: () => served,
    dashboard: () => `${served.url}/#token=${token}`,
    async restart(signal, changed = {}, main) {
      await served.stop(signal);
      env = { ...env, ...changed };
      served = await startServed({ cwd: home, env, main });
      connect();
    },
    async beside(more, main) {
      const other = await startServed({ cwd: home, env: { ...env, ...more }, main });
      others.push(other);
      return other;
    },
    async close() {
      await Promise.all([served, ...others].map((one) => one.stop()));
      await model.close();
      await github.close();
    },
  };
}

/**
 * Builds the configuration. Keys of the scenario are merged into those of the demo, also within `runtime` and its
 * provider.
 */
function configOf(scenario: Scenario, modelUrl: string, confined: boolean): object {
  const { runtime, ...others } = scenario.config;
  const { provider, ...more } = sectionOf(runtime);
  return {
    project: { name: "demo" },
    runtime: {
      model: "gpt-4.1",
      prices: { "gpt-4.1": { in: 2, cached: 0.5, out: 8 } },
      ...more,
      provider: {
        type: "openai",
        base_url: modelUrl,
        api_key_env: "MODEL_API_KEY",
        ...sectionOf(provider),
      },
    },
    agents_dir: ROLES,
    sandbox: { mode: confined ? "bubblewrap" : "none" },
    // The demo keeps some megabytes below the temporary directory. In a container that is a small one in memory, which has less
    // free than Flotilla keeps by default, and then no agent would start.
    circuit_breakers: { disk: { min_free_gib: 0 } },
    ...others,
  };
}

function sectionOf(value: unknown): Readonly<Record<string, unknown>> {
  return z.record(z.string(), z.unknown()).default({}).parse(value);
}
