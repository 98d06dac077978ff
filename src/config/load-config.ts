import { resolve } from "node:path";
import { StartupRefused } from "../core/errors.ts";
import type { ModelProvider } from "../core/ports/agent-runtime.ts";
import type { Settings } from "../core/settings.ts";
import type { Collector } from "./collector.ts";
import { type Environment, type EnvironmentSecrets, readEnvironment, type Variables } from "./environment.ts";
import { freeze } from "./freeze.ts";
import { type Label, readLabels, withEscalationLabel } from "./labels.ts";
import { readSettings } from "./read-settings.ts";

/** Everything that configuration says, frozen. */
export interface Config extends Settings {
  readonly environment: Environment;
  /** Labels that Flotilla makes where they are missing. */
  readonly labels: readonly Label[];
  /** Not enumerable: printing, logging or copying a Config leaves them out. */
  readonly secrets: Secrets;
}

/** Keys and tokens. */
interface Secrets extends EnvironmentSecrets {
  /** With its key; undefined where GitHub Copilot is used. */
  readonly provider: ModelProvider | undefined;
  /** Set where no provider is. */
  readonly copilotToken: string | undefined;
  /** With its key where it asks for one; undefined where traces go nowhere. */
  readonly collector: Collector | undefined;
}

/**
 * Reads the environment, the configuration file and the role files.
 * `notices` say what is set and does not do what one might think. Throws `StartupRefused` with all faults at once.
 */
export function loadConfig(options: {
  readonly env: Variables;
  /** Absolute; relative paths are seen from here. */
  readonly cwd: string;
  /** Names of our tools, which a role file may list. */
  readonly knownTools: readonly string[];
}): { readonly config: Config; readonly notices: readonly string[] } {
  const { environment, secrets, faults } = readEnvironment(options.env, options.cwd);
  const read = readSettings({
    path: environment?.configPath ?? resolve(options.cwd, options.env["FLOTILLA_CONFIG"] || "config.yaml"),
    cwd: options.cwd,
    variables: options.env,
    knownTools: options.knownTools,
  });
  const { settings, access, collector } = read;
  if (environment === undefined || settings === undefined || access === undefined) {
    throw new StartupRefused([...faults, ...read.faults]);
  }
  const config: Config = {
    ...settings,
    environment,
    labels: withEscalationLabel(readLabels(), settings.escalation.label),
    secrets: { ...secrets, provider: access.provider, copilotToken: access.copilotToken, collector },
  };
  freeze(config.secrets);
  Object.defineProperty(config, "secrets", { enumerable: false });
  return { config: freeze(config), notices: read.notices };
}
