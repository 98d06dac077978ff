import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { dataDirectoryHolder } from "../../adapters/store/data-directory-lock.ts";
import type { Environment } from "../../config/environment.ts";
import { StartupRefused } from "../../domain/kernel/errors.ts";
import { NODE_ROLES, writtenRoles } from "../../domain/recovery/node-roles.ts";
import { createLog } from "../../observability/log/log.ts";
import { configuredSecrets, KnownSecrets } from "../../server/known-secrets.ts";
import { listenError, notListening } from "../../server/listening.ts";
import { sentence } from "../../server/start-checks/finding.ts";
import { systemClock } from "../../server/system-clock.ts";
import { endByWhatIsUnhandled } from "../../server/unhandled.ts";
import { checkedConfig } from "../checked-config.ts";
import type { Command } from "../command.ts";
import { ROLE, withRole } from "../role-option.ts";

/** The time that a start has to end after the signal to stop: then it is stopped in good order. */
const START_ENDS_MS = 3_000;

/** The time after which a stop ends the process, whatever still runs. */
const STOP_LIMIT_MS = 20_000;

export const serve: Command = {
  name: "serve",
  summary: "run Flotilla (the same as `npm start`)",
  usage: "flotilla serve [--role intake,controller,runner,web]",
  details: [
    "Reads the environment, .env and config.yaml from the current directory, listens for webhooks and runs until you stop it. If something is wrong it lists every fault and does not start; `flotilla doctor` checks more.",
    "Stop it with SIGTERM or Ctrl-C: it aborts turns and keeps conversations; the agents continue at the next start, or on another machine that shares the database.",
    "On a database server, several processes can divide the work. --role names the parts that this process has, instead of all: `intake` takes webhooks, `controller` decides and writes on GitHub, `runner` runs agents, `web` serves the page and the API. Each needs only its own secrets; only intake and web listen on a port. See docs/scale-out.md.",
    "With --json it prints one line that says where it listens; the log goes to standard error.",
  ],
  options: { role: ROLE },
  examples: [
    "flotilla serve",
    "PORT=8080 LOG_LEVEL=debug flotilla serve --json",
    "flotilla serve --role runner",
  ],
  async run({ print, env, cwd, options }) {
    const { config, notices } = await checkedConfig({ env: withRole(env, options), cwd });
    await refuseTakenAddress(config.environment);
    const known = new KnownSecrets(configuredSecrets(config), systemClock);
    const { logLevel, logFormat = process.stderr.isTTY ? "text" : "json" } = config.environment;
    const log = createLog(logLevel, known.redact, logFormat);
    // Logged at any LOG_LEVEL, because otherwise the process could end without a reason in its log.
    endByWhatIsUnhandled(createLog("error", known.redact, logFormat));
    for (const notice of notices) log.warn({ notice }, "configuration warning");
    const signal = stopSignal();
    // Loaded late, because it loads everything else, and neither a refused start nor another command needs
    // that.
    const { startFlotilla } = await import("../../server/start-flotilla.ts");
    // A start may wait for another machine, for as long as there is none.
    const early = signal.then((name) => pause(START_ENDS_MS, name, { ref: false }));
    const flotilla = await Promise.race([startFlotilla(config, log, known), early]);
    if (typeof flotilla === "string") {
      log.info({ signal: flotilla }, "stopped while starting");
      process.exit(0);
    }
    const { url } = flotilla;
    const { roles } = config.environment;
    const tokenFile = flotilla.madeToken ? join(config.environment.dataDir, "dashboard-token") : null;
    const webhooks = url !== null && roles.has("intake") ? `${url}/api/github/webhooks` : null;
    if (options["json"] === true)
      print(
        JSON.stringify({
          url,
          webhooks,
          token_file: tokenFile,
          roles: NODE_ROLES.filter((one) => roles.has(one)),
        }),
      );
    else {
      if (roles.size < NODE_ROLES.length) print(`Roles: ${writtenRoles(roles)}`);
      print(url === null ? "Flotilla runs, and listens on no port" : `Flotilla listens on ${url}`);
      if (webhooks !== null) print(`Webhooks: ${webhooks}`);
      // After the #, so that no server and no server's log ever sees it. A token from the environment is not
      // printed.
      if (roles.has("web"))
        print(
          flotilla.madeToken
            ? `Dashboard: ${url}/#token=${encodeURIComponent(flotilla.dashboardToken)}`
            : `Dashboard: ${url}/, sign in with DASHBOARD_TOKEN`,
        );
    }
    const name = await signal;
    log.info({ signal: name }, "stopping");
    const late = setTimeout(() => {
      log.error({}, "shutdown timed out");
      process.exit(2);
    }, STOP_LIMIT_MS - 1000);
    await flotilla.stop();
    clearTimeout(late);
    log.info({}, "stopped");
    return 0;
  },
};

/** Refuses the start before anything has begun. Of another Flotilla with this data directory the lock says more. */
async function refuseTakenAddress({ host, port, roles, dataDir }: Environment): Promise<void> {
  if (!(roles.has("intake") || roles.has("web")) || dataDirectoryHolder(dataDir) !== undefined) return;
  const code = await listenError({ host, port });
  if (code !== undefined) throw new StartupRefused([sentence(notListening({ host, port }, code))]);
}

function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.once("SIGTERM", resolve);
    process.once("SIGINT", resolve);
  });
}
