import { join } from "node:path";
import { createLog } from "../../observability/log/log.ts";
import { configuredSecrets, KnownSecrets } from "../../server/known-secrets.ts";
import { systemClock } from "../../server/system-clock.ts";
import { endByWhatIsUnhandled } from "../../server/unhandled.ts";
import { checkedConfig } from "../checked-config.ts";
import type { Command } from "../command.ts";

/** The time after which a stop ends the process, whatever still runs. */
const STOP_LIMIT_MS = 20_000;

export const serve: Command = {
  name: "serve",
  summary: "run Flotilla (the same as `npm start`)",
  usage: "flotilla serve",
  details: [
    "Reads the environment, .env and config.yaml from the current directory, listens for webhooks and runs until you stop it. If something is wrong it lists every fault and does not start; `flotilla doctor` checks more.",
    "Stop it with SIGTERM or Ctrl-C: it aborts turns and keeps conversations; the agents continue at the next start.",
    "With --json it prints one line that says where it listens; the log goes to standard error.",
  ],
  options: {},
  examples: ["flotilla serve", "PORT=8080 LOG_LEVEL=debug flotilla serve --json"],
  async run({ print, env, cwd, options }) {
    const { config, notices } = await checkedConfig({ env, cwd });
    const known = new KnownSecrets(configuredSecrets(config), systemClock);
    const log = createLog(config.environment.logLevel, known.redact);
    // Logged at any LOG_LEVEL, because otherwise the process could end without a reason in its log.
    endByWhatIsUnhandled(createLog("error", known.redact));
    for (const notice of notices) log.warn({ notice }, "configuration warning");
    const signal = stopSignal();
    // Loaded late, because it loads everything else, and neither a refused start nor another command needs
    // that.
    const { startFlotilla } = await import("../../server/start-flotilla.ts");
    const flotilla = await startFlotilla(config, log, known);
    const { url } = flotilla;
    const tokenFile = flotilla.madeToken ? join(config.environment.dataDir, "dashboard-token") : null;
    const webhooks = `${url}/api/github/webhooks`;
    if (options["json"] === true) print(JSON.stringify({ url, webhooks, token_file: tokenFile }));
    else {
      print(`Flotilla listens on ${url}`);
      print(`Webhooks: ${webhooks}`);
      // After the #, so that no server and no server's log ever sees it. A token from the environment is not
      // printed.
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

function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.once("SIGTERM", resolve);
    process.once("SIGINT", resolve);
  });
}
