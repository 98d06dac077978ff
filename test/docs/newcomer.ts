import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { z } from "zod";
import { type LocalGitHub, startLocalGitHub } from "../../src/demo/github/start.ts";
import { type ScriptedModel, startScriptedModel } from "../../src/demo/model/scripted-model.ts";
import { MAIN_SCENARIO, readScenario } from "../../src/demo/read-scenario.ts";
import { until } from "../journeys/until.ts";
import { BUBBLEWRAP_IS_HERE } from "../sandbox/bubblewrap-here.ts";
import { aCopy, runLine } from "./a-copy.ts";

/** Somebody who types what docs/first-agent.md shows, and does in a browser what it says between. */
export interface Newcomer {
  /** Runs one command; those that only look are run again until `isShown`, a minute at most. */
  types(
    command: string,
    isShown: (printed: string) => boolean,
  ): Promise<{ code: number | null; printed: string }>;
  goHome(): Promise<void>;
}

const SECRET = "0123456789abcdef0123456789abcdef";
const record = z.record(z.string(), z.unknown());

/** `configured` is what the page has written into config.yaml. */
export async function setOut(configured: string): Promise<Newcomer> {
  const home = mkdtempSync(join(tmpdir(), "flotilla-newcomer-"));
  mkdirSync(join(home, "github"));
  const github = await startLocalGitHub({
    directory: join(home, "github"),
    repositories: [
      {
        name: "app",
        files: { "README.md": "# app\n", "src/greeting.txt": "helo\n" },
        labels: ["bug", "documentation", "feature"],
      },
    ],
    people: { octocat: "write" },
  });
  const model = await startScriptedModel({ script: script(), host: "127.0.0.1", port: 0 });
  let checkout = home;
  let served: Served | null = null;

  /** What is done apart from the terminal, or instead of it. */
  const instead: Readonly<Record<string, () => unknown>> = {
    "git clone https://github.com/YOU/flotilla.git": () => {
      checkout = aCopy();
    },
    "cd flotilla": () => undefined,
    // The copy has a link to what is installed.
    "npm install": () => undefined,
    // test/journeys/setup.test.ts opens its page and presses the button.
    "npm run flotilla -- init": () => writeFileSync(join(checkout, ".env"), dotEnv(github)),
    "npm start": async () => {
      served = await serve(checkout);
      github.setWebhook({ url: `${served.url}/api/github/webhooks`, secret: SECRET });
      // GitHub has told of the installation before, and is asked for it again at the start.
      github.installationEvent("created", "octocat");
    },
  };
  /** What is done in a browser just before a command. */
  const before: Readonly<Record<string, () => unknown>> = {
    "chmod 600 .env": () => configure(checkout, configured, model),
    "npm run flotilla -- agents list": () =>
      github.as("octocat").openIssue({
        title: "The greeting is misspelt",
        body: "src/greeting.txt says helo. It should say hello.",
        labels: ["bug"],
      }),
    "npm run flotilla -- tasks --state MERGED": async () => {
      await until("the work is approved", () => github.state().labels(1).includes("flotilla:approved"));
      const pull = github.state().pulls()[0];
      await github.as("octocat").merge(pull?.number ?? 0, "squash");
    },
  };
  return {
    async types(command, isShown) {
      await before[command]?.();
      if (Object.hasOwn(instead, command)) {
        await instead[command]?.();
        return { code: 0, printed: command === "npm start" ? (served?.said() ?? "") : shownAnyway(command) };
      }
      const run = async () => {
        const { code, output } = await runLine(command, { cwd: checkout });
        return { code, printed: output };
      };
      if (!/ (agents list|tasks|explain|transcript)\b/.test(command)) return run();
      let last = await run();
      await until(
        "it shows that",
        async () => {
          if (isShown(last.printed)) return true;
          last = await run();
          return false;
        },
        60,
      ).catch(() => undefined);
      return last;
    },
    async goHome() {
      await served?.stop();
      await model.close();
      await github.close();
      rmSync(home, { recursive: true, force: true });
      if (checkout !== home) rmSync(checkout, { recursive: true, force: true });
    },
  };
}

/** `init` runs until it is stopped; its page is another test's. */
function shownAnyway(command: string): string {
  return command.endsWith(" init") ? "its page" : "";
}

/** What `init` writes, with this GitHub for an Enterprise server and any free port; the model's key comes by hand. */
function dotEnv({ app, host }: LocalGitHub): string {
  return [
    `APP_ID=${app.id}`,
    `PRIVATE_KEY="${app.privateKey.trim()}"`,
    `WEBHOOK_SECRET=${SECRET}`,
    `GHE_HOST=${host}`,
    "GHE_PROTOCOL=http",
    "PORT=0",
    "MODEL_API_KEY=key-of-the-model",
    "",
  ].join("\n");
}

/** The page's lines in the place of the example's, with the scripted model for the provider. */
function configure(checkout: string, configured: string, model: ScriptedModel): void {
  const path = join(checkout, "config.yaml");
  const example = record.parse(parse(readFileSync(path, "utf8")));
  const lines = configured.replace(/base_url: [^,}]+/, `base_url: "${model.url}"`);
  const unconfined = BUBBLEWRAP_IS_HERE ? {} : { sandbox: { mode: "none" } };
  writeFileSync(path, stringify({ ...example, ...record.parse(parse(lines)), ...unconfined }));
}

/** The demo's model, with its story of the second issue told of the first; triage leaves the label as it is. */
function script() {
  const { model } = readScenario(MAIN_SCENARIO);
  const conversations = model.conversations
    .filter(({ match }) => /bug-fix|reviewer/.test(match))
    .map((conversation) => ({ ...conversation, match: conversation.match.replace("#2", "#1") }));
  const sorted = { tool: "report_complete", args: { summary: "It carries its label already." } };
  return {
    ...model,
    conversations: [{ match: "You are triage", steps: [{ call: [sorted] }] }, ...conversations],
  };
}

interface Served {
  readonly url: string;
  readonly said: () => string;
  stop(): Promise<void>;
}

/** `npm start`, in a process group of its own. */
async function serve(cwd: string): Promise<Served> {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn("npm", ["start"], {
    cwd,
    env: { PATH, HOME },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit");
  let said = "";
  let complained = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complained += text;
  });
  const url = await until("it listens", () => /listens on (http:\S+)/.exec(said)?.[1], 60).catch(
    (error: unknown) => {
      throw new Error(complained, { cause: error });
    },
  );
  await until("it says where the dashboard is", () => said.includes("Dashboard: "), 10);
  return {
    url,
    said: () => said,
    async stop() {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGTERM");
      await exited;
    },
  };
}
