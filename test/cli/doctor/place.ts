import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { doctor } from "../../../src/cli/commands/doctor.ts";
import { type LocalGitHub, startLocalGitHub } from "../../../src/demo/github/start.ts";
import type { Finding } from "../../../src/server/start-checks/finding.ts";
import { fileStore } from "../../factories/file-store.ts";

const KEY = "key-of-the-provider-0123456789";
const SECRET = "0123456789abcdef0123456789abcdef";
const CONFIG = `
repositories: ["acme/app"]
agents_dir: ${JSON.stringify(join(import.meta.dirname, "../../../config/roles"))}
sandbox: { mode: none }
`;

/** What all set-ups share: a GitHub with the App, a provider of models, an address that webhooks go to, a database. */
export interface Ground {
  readonly github: LocalGitHub;
  /** Of the provider and of the webhooks' address; `webhooks` and `provider` say how they answer. */
  readonly port: number;
  readonly answers: { webhooks: number; provider: number };
  readonly root: string;
  /** Sends a webhook, and waits until it was answered or not. */
  tell(): Promise<void>;
  close(): Promise<void>;
}

export async function prepareGround(): Promise<Ground> {
  const root = mkdtempSync(join(tmpdir(), "flotilla-doctor-"));
  const github = await startLocalGitHub({
    directory: join(root, "github"),
    people: { octocat: "admin" },
    repositories: [
      { name: "app", labels: ["feature", "bug", "documentation"] },
      { name: "other", installed: false },
    ],
  });
  const answers = { webhooks: 202, provider: 200 };
  const server = createServer((request, response) => {
    request.resume();
    if (request.url === "/api/github/webhooks") return void response.writeHead(answers.webhooks).end();
    if (request.url === "/packages/")
      return void response
        .writeHead(request.headers.authorization === "Bearer token-of-packages" ? 200 : 401)
        .end();
    const known = request.headers.authorization === `Bearer ${KEY}`;
    response.writeHead(request.url === "/v1/models" ? (known ? answers.provider : 401) : 404);
    response.end(JSON.stringify({ data: [{ id: "gpt-4.1" }, { id: "gpt-4.1-mini" }] }));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  github.setWebhook({ url: `http://127.0.0.1:${port}/api/github/webhooks`, secret: SECRET });
  const store = await fileStore(join(root, "flotilla.db"));
  const { repository } = github.state();
  await store.repositories.put({
    id: repository.id,
    owner: "acme",
    name: "app",
    installationId: github.installation.id,
    private: true,
    defaultBranch: "main",
  });
  await store.close();
  return {
    github,
    port,
    answers,
    root,
    async tell() {
      github.installationEvent("created", "octocat");
      await github.webhooks.idle();
    },
    async close() {
      await github.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** One installation of Flotilla that is in order until a set-up spoils it. */
export interface Place {
  readonly ground: Ground;
  /** Absolute; the working directory. */
  readonly home: string;
  readonly env: Record<string, string>;
  /** A line of config.yaml, in place of the one of that key. */
  readonly configure: (text: string) => void;
  /** A file below `home`. */
  readonly put: (name: string, text: string, mode?: number) => string;
  readonly undo: (() => void)[];
}

export function aPlace(ground: Ground): Place {
  const { github, port, root } = ground;
  const home = mkdtempSync(join(root, "home-"));
  mkdirSync(join(home, "data"), { mode: 0o700 });
  copyFileSync(join(root, "flotilla.db"), join(home, "data/flotilla.db"));
  chmodSync(join(home, "data/flotilla.db"), 0o600);
  let config = `${CONFIG}runtime: { provider: { type: openai, base_url: "http://127.0.0.1:${port}/v1", api_key_env: MODEL_API_KEY }, model: gpt-4.1, prices: { gpt-4.1: { in: 2, cached: 0.5, out: 8 } } }
`;
  const put: Place["put"] = (name, text, mode = 0o600) => {
    const path = join(home, name);
    writeFileSync(path, text);
    chmodSync(path, mode);
    return path;
  };
  put("config.yaml", config);
  put("app.pem", github.app.privateKey);
  return {
    ground,
    home,
    put,
    undo: [],
    configure: (text) => {
      const [key = ""] = text.split(":");
      const others = config.split("\n").filter((line) => !line.startsWith(`${key}:`));
      config = `${others.join("\n")}\n${text}\n`;
      put("config.yaml", config);
    },
    env: {
      APP_ID: String(github.app.id),
      PRIVATE_KEY_PATH: "app.pem",
      WEBHOOK_SECRET: SECRET,
      GHE_HOST: github.host,
      GHE_PROTOCOL: "http",
      MODEL_API_KEY: KEY,
      PORT: "0",
    },
  };
}

/** What `flotilla doctor --json` finds there, by its real command. */
export async function diagnosed({
  env,
  home,
}: Place): Promise<{ code: number; findings: readonly Finding[] }> {
  const lines: string[] = [];
  const code = await doctor.run({
    env,
    cwd: home,
    print: (line) => lines.push(line),
    complain: (line) => lines.push(line),
    options: { json: true },
    args: [],
  });
  const { findings }: { findings: readonly Finding[] } = JSON.parse(lines.join(""));
  return { code, findings };
}
