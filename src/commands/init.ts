import type { Command } from "./command.ts";
import { refused } from "./refused.ts";

export const init: Command = {
  name: "init",
  summary: "make the GitHub App from app.yml, and write its keys to .env",
  usage: "flotilla init",
  details: [
    "Serves a page on http://HOST:PORT/probot with one button: GitHub makes the App from app.yml and sends its keys back, which are written to .env. Before it, put your public address into hook_attributes.url of app.yml.",
    "Afterwards: install the App on your repositories, cp config.example.yaml config.yaml, npm start.",
    "GHE_HOST (and GHE_PROTOCOL) name an Enterprise server. Ctrl-C ends it.",
  ],
  options: {},
  examples: ["flotilla init", "GHE_HOST=github.example.com flotilla init"],
  async run(context) {
    const { env, print } = context;
    if (env["APP_ID"] !== undefined && env["APP_ID"] !== "")
      return refused(
        context,
        "APP_ID is set, so there is an App already.",
        "Take it out of .env to make another one.",
      );
    // No tunnel of Probot's own: the address of the webhook is the operator's to choose.
    process.env["NO_SMEE_SETUP"] = "true";
    // What is written here is the App's key.
    process.umask(0o077);
    // Loaded late: no other command needs it.
    const { run } = await import("probot");
    const server = await run(() => undefined, {
      env: {
        ...(env["HOST"] === undefined ? {} : { HOST: env["HOST"] }),
        ...(env["PORT"] === undefined ? {} : { PORT: env["PORT"] }),
        ...(env["GHE_HOST"] === undefined ? {} : { GHE_HOST: env["GHE_HOST"] }),
        ...(env["GHE_PROTOCOL"] === undefined ? {} : { GHE_PROTOCOL: env["GHE_PROTOCOL"] }),
        LOG_LEVEL: "warn",
      },
    });
    print(`Open http://${server.host}:${server.port}/probot in a browser. Ctrl-C ends this.`);
    await new Promise((stopped) => {
      process.once("SIGINT", stopped);
      process.once("SIGTERM", stopped);
    });
    await server.stop();
    return 0;
  },
};
