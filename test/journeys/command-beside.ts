import type { Journey } from "./journey.ts";

/** Returns the environment of a command that runs beside the serving process of a journey. */
export function commandBeside({ github, dataDir }: Journey): Readonly<Record<string, string>> {
  const { app, host } = github;
  return {
    APP_ID: String(app.id),
    PRIVATE_KEY: app.privateKey,
    WEBHOOK_SECRET: "0123456789abcdef0123456789abcdef",
    GHE_HOST: host,
    GHE_PROTOCOL: "http",
    MODEL_API_KEY: "key-of-the-model",
    FLOTILLA_DATA_DIR: dataDir,
  };
}
