import type { LocalGitHub } from "../../src/demo/github/start.ts";

/** As programs do that are told of a proxy. */
export const ASKS_THE_PROXY =
  "node -e \"require('node:http').request(process.env.HTTPS_PROXY, { method: 'CONNECT', path: 'registry.npmjs.org:443' }).on('connect', ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).end()\"";

/** YAML of a provider that answers nothing; no trial of commands asks a model. */
export const PROVIDER = '{ type: openai, base_url: "http://127.0.0.1:9/v1", api_key_env: MODEL_API_KEY }';

/** The environment of a host whose App is that of the local GitHub. */
export function hostEnvironment(github: LocalGitHub, dataDir: string) {
  return {
    APP_ID: String(github.app.id),
    PRIVATE_KEY: github.app.privateKey,
    WEBHOOK_SECRET: "0123456789abcdef0123456789abcdef",
    GHE_HOST: github.host,
    GHE_PROTOCOL: "http",
    MODEL_API_KEY: "key-of-the-model",
    FLOTILLA_DATA_DIR: dataDir,
    PORT: "0",
  };
}
