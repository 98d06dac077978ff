import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { z } from "zod";
import { startLocalGitHub } from "../../src/demo/github/start.ts";
import { type ScriptedModel, startScriptedModel } from "../../src/demo/model/scripted-model.ts";
import { MAIN_SCENARIO, readScenario } from "../../src/demo/read-scenario.ts";
import { BUBBLEWRAP_IS_HERE } from "../adapters/sandbox/bubblewrap-here.ts";
import { until } from "../journeys/until.ts";
import { aCopy, runLine } from "./a-copy.ts";
import { makeApp } from "./make-app.ts";

/** Somebody who types what docs/first-agent.md shows, and does in a browser what it says between. */
export interface Newcomer {
  /** Runs one command; those that only look are run again until `isShown`, a minute at most. */
  types(
    command: string,
    isShown: (printed: string) => boolean,
  ): Promise<{ code: number | null; printed: string }>;
  goHome(): Promise<void>;
}

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
    "npm start": async () => {
      served = await serve(checkout);
      github.setWebhook({ url: `${served.url}/api/github/webhooks`, secret: github.app.hook.secret });
      // GitHub has told of the installation before, and is asked for it again at the start.
      github.installationEvent("created", "octocat");
    },
  };
  /** What is done in a browser just before a command. */
  const before: Readonly<Record<string, () => unknown>> = {
    "npm run flotilla -- check": () => configure(checkout, configured, model),
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
      if (command.includes(" init ")) return { code: 0, printed: await makeApp(command, checkout, github) };
      if (Object.hasOwn(instead, command)) {
        await instead[command]?.();
        return { code: 0, printed: command === "npm start" ? (served?.said() ?? "") : "" };
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

/** The page's lines in the place of those that `init` wrote, with the scripted model for the provider. */
function configure(checkout: string, configured: string, model: ScriptedModel): void {
  const path = join(checkout, "config.yaml");
  const example = record.parse(parse(readFileSync(path, "utf8")));
  const lines = configured.replace(/base_url: [^,}]+/, `base_url: "${model.url}"`);
  const unconfined = BUBBLEWRAP_IS_HERE ? {} : { sandbox: { mode: "none" } };
  writeFileSync(path, stringify({ ...example, ...record.parse(parse(lines)), ...unconfined }));
  // The key comes by hand; the port is any free one, since the tests share the machine.
  const env = join(checkout, ".env");
  const written = readFileSync(env, "utf8").replace(/^MODEL_API_KEY=$/m, "MODEL_API_KEY=key-of-the-model");
  writeFileSync(env, `${written}PORT=0\n`);
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
