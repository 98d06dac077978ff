import { createGitHub } from "../../adapters/github/api/create-github.ts";
import { appFromManifest, type MadeApp } from "../../adapters/github/app/from-manifest.ts";
import { splitNames } from "../../config/environment.ts";
import { OutsideError } from "../../domain/kernel/errors.ts";
import { createLog } from "../../observability/log/log.ts";
import { environmentRedactor } from "../../server/environment-redactor.ts";
import { serverUrls } from "../../server/server-urls.ts";
import { sentence } from "../../server/start-checks/finding.ts";
import { systemClock } from "../../server/system-clock.ts";
import type { Command, CommandContext } from "../command.ts";
import type { Listens } from "../doctor/lost-delivery.ts";
import { refused } from "../refused.ts";
import { checkFirstDelivery, type FirstDelivery } from "../setup/first-delivery.ts";
import { type AppChoices, addressFault, defaultChoices } from "../setup/manifest.ts";
import { type SetupServer, startSetupServer } from "../setup/setup-server.ts";
import { inTheWay, writeFiles } from "../setup/write-files.ts";

export const init: Command = {
  name: "init",
  summary: "create the GitHub App, and write its keys and a configuration",
  usage: "flotilla init [--url address] [--org login] [--name name]",
  details: [
    "Serves a page with one button on http://HOST:PORT and prints a secret link to it. When you press the button, GitHub creates the App from app.yml and sends its keys back. init writes them to .env and private-key.pem (0600 each), and writes a config.yaml if there is none. It overwrites nothing and opens no browser. Then it says whether GitHub's first webhook arrived and what the App lacks.",
    "On a machine without a browser, forward the port: ssh -L 3000:127.0.0.1:3000 that-machine. Or press the button on another machine: the browser then ends at an address that it cannot open. Copy the code from that address and run `flotilla init --code CODE`.",
    "For an Enterprise server set GHE_HOST (and GHE_PROTOCOL). Stop init with Ctrl-C.",
  ],
  options: {
    url: {
      type: "string",
      value: "address",
      says: "the address at which GitHub reaches this server; without it the page asks for it",
    },
    name: { type: "string", says: "the App's name, unique on GitHub; the default is the name in app.yml" },
    org: {
      type: "string",
      value: "login",
      says: "the organization that owns the App; the default is your own account",
    },
    code: { type: "string", says: "serve no page: exchange this code from GitHub for the keys" },
  },
  examples: [
    "flotilla init --url https://flotilla.example.com --org acme",
    "GHE_HOST=github.example.com flotilla init",
    "flotilla init --code 8f0c2e --json",
  ],
  async run(context) {
    const { env, cwd, options } = context;
    const file = defaultChoices();
    const choices: AppChoices = {
      name: String(options["name"] ?? file.name),
      address: String(options["url"] ?? file.address),
      organization: String(options["org"] ?? file.organization),
    };
    const fault = options["url"] === undefined ? undefined : addressFault(choices.address);
    if (fault !== undefined) return refused(context, `--url: ${fault}`);
    const way = env["APP_ID"] ? "APP_ID is set, so there is an App already." : inTheWay(cwd);
    if (way !== undefined)
      return refused(context, way, "Move it away, or start in another folder: nothing is overwritten.");
    const { code } = options;
    if (typeof code === "string") return finished(context, await exchangeCode(context, code), undefined);
    return createByPage(context, choices);
  },
};

/** The App, and the paths of the files written for it. */
type Made = MadeApp & { readonly files: readonly string[] };

/** Serves the page until the App is created. Ctrl-C before that is a refusal, and nothing is written. */
async function createByPage(context: CommandContext, choices: AppChoices): Promise<number> {
  const { promise: app, resolve: made } = Promise.withResolvers<Made | undefined>();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => made(undefined));
  const server = await startSetupServer({
    ...listensOf(context),
    hosts: splitNames(`${context.env["HOST"] ?? ""},${context.env["FLOTILLA_HOSTS"] ?? ""}`),
    gitUrl: serverUrls(serverOf(context)).gitUrl,
    choices,
    log: quiet(context),
    made: async (code) => {
      const one = await exchangeCode(context, code);
      made(one);
      return installUrl(one);
    },
  });
  try {
    printLink(context, server);
    const one = await app;
    return one === undefined ? 1 : await finished(context, one, server);
  } finally {
    await server.close();
  }
}

function printLink({ options, print }: CommandContext, { url }: SetupServer): void {
  if (options["json"] === true) return print(JSON.stringify({ open: url }));
  const { port } = new URL(url);
  print(`Open ${url} in a browser. Ctrl-C ends this.`);
  print(`On another machine: ssh -L ${port}:127.0.0.1:${port} <this machine>, then open it there.`);
}

/** Exchanges the code and writes the files at once, because GitHub gives the key only once. */
async function exchangeCode(context: CommandContext, code: string): Promise<Made> {
  const server = serverOf(context);
  const app = await appFromManifest({
    baseUrl: serverUrls(server).apiUrl,
    code,
    clock: systemClock,
    log: quiet(context),
  });
  try {
    return { ...app, files: writeFiles(context.cwd, app, server) };
  } catch (cause) {
    throw new OutsideError("not_written", `the App ${app.url} is made, and its keys could not be written`, {
      consequence: "tell",
      advice:
        "Make a private key and a webhook secret in the App's settings, and fill in .env by .env.example.",
      cause,
    });
  }
}

async function finished(
  context: CommandContext,
  app: Made,
  server: SetupServer | undefined,
): Promise<number> {
  const github = createGitHub({
    appId: app.id,
    privateKey: app.privateKey,
    baseUrl: serverUrls(serverOf(context)).apiUrl,
    markerSecret: "",
    labels: [],
    clock: systemClock,
    log: quiet(context),
    minted: () => {},
  });
  const delivery = await checkFirstDelivery(github, server?.received, app.webhookSecret, {
    now: () => systemClock.now(),
    listens: listensOf(context),
  });
  printResult(context, app, delivery);
  return 0;
}

function printResult({ options, print }: CommandContext, app: Made, delivery: FirstDelivery): void {
  const { id, slug, url, files } = app;
  const { reached, findings } = delivery;
  if (options["json"] === true)
    return print(
      JSON.stringify({
        app: { id, slug, url, install_url: installUrl(app) },
        files,
        webhook_reached: reached,
        findings,
      }),
    );
  print(`The App ${slug} (${id}) is made. Written: ${files.join(", ")}.`);
  print(reached ? "GitHub's first webhook arrived." : "GitHub's first webhook has not arrived here.");
  for (const finding of findings) print(sentence(finding));
  print("Next:");
  print(`  1. Install it on your repositories: ${installUrl(app)}`);
  print("  2. Name your model provider in config.yaml, and put its key into .env");
  print("  3. flotilla doctor, then flotilla serve (from a checkout: npm start)");
}

function installUrl({ url }: MadeApp): string {
  return `${url}/installations/new`;
}

function listensOf({ env }: CommandContext): Listens {
  return { host: env["HOST"] || "127.0.0.1", port: Number(env["PORT"] || 3000) };
}

function serverOf({ env }: CommandContext): {
  readonly gheHost: string | undefined;
  readonly gheProtocol: string;
} {
  return { gheHost: env["GHE_HOST"] || undefined, gheProtocol: env["GHE_PROTOCOL"] || "https" };
}

function quiet({ env, cwd }: CommandContext) {
  return createLog("error", environmentRedactor(env, cwd));
}
