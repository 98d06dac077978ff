import type { SettingInForce } from "../domain/settings/setting-in-force.ts";
import { type Variables, withoutEmpty } from "./environment.ts";

/** What is shown of a variable. */
interface Shown {
  readonly about: string;
  /** What applies where it is not set; null where nothing does. */
  readonly otherwise: string | null;
  /** True for a secret: of it only that it is set is shown. */
  readonly isSecret?: true;
}

/** The variables of Flotilla itself. Those of runtimes and databases may hold passwords, and are not listed. */
const VARIABLES: Readonly<Record<string, Shown>> = {
  APP_ID: { about: "The App's number.", otherwise: null },
  PRIVATE_KEY: { about: "The App's private key.", otherwise: null, isSecret: true },
  PRIVATE_KEY_PATH: { about: "The file with the App's private key.", otherwise: null },
  WEBHOOK_SECRET: { about: "The secret that signs webhooks.", otherwise: null, isSecret: true },
  WEBHOOK_SECRET_PREVIOUS: { about: "The secret before.", otherwise: null, isSecret: true },
  GHE_HOST: { about: "Host of a GitHub Enterprise Server.", otherwise: "github.com" },
  GHE_PROTOCOL: { about: "How that host is reached.", otherwise: "https" },
  HOST: { about: "Address to listen on.", otherwise: "127.0.0.1" },
  PORT: { about: "Port to listen on.", otherwise: "3000" },
  PUBLIC_URL: { about: "Address under which people open the dashboard.", otherwise: null },
  FLOTILLA_HOSTS: { about: "More host names of the dashboard.", otherwise: null },
  FLOTILLA_CONFIG: { about: "The configuration file.", otherwise: "config.yaml" },
  FLOTILLA_DATA_DIR: { about: "The data directory.", otherwise: "./data" },
  FLOTILLA_NODE: { about: "Name of this machine among several.", otherwise: null },
  FLOTILLA_ROLE: { about: "The parts of the work that this process has.", otherwise: "all" },
  FLOTILLA_MARKER_SECRET: {
    about: "Signs the marks in Flotilla's comments.",
    otherwise: null,
    isSecret: true,
  },
  DASHBOARD_TOKEN: { about: "The operator's token.", otherwise: null, isSecret: true },
  GITHUB_CLIENT_ID: { about: "The App's client id, for signing in with GitHub.", otherwise: null },
  GITHUB_CLIENT_SECRET: { about: "The App's client secret.", otherwise: null, isSecret: true },
  LOG_LEVEL: { about: "What is logged.", otherwise: "info" },
  LOG_FORMAT: { about: "`text` or `json`.", otherwise: "text on a terminal, otherwise json" },
};

/** Returns the variables of Flotilla's own, in the order of docs/configuration.md. */
export function variablesInForce(variables: Variables): readonly SettingInForce[] {
  const set = withoutEmpty(variables);
  return Object.entries(VARIABLES).map(([key, { about, otherwise, isSecret = false }]) => {
    const value = set[key];
    const isSet = value !== undefined;
    return {
      key,
      value: isSet ? (isSecret ? null : value) : otherwise,
      source: isSet ? "environment" : otherwise === null ? "not set" : "default",
      where: null,
      isHidden: isSet && isSecret,
      isForRepositories: false,
      about,
    };
  });
}
