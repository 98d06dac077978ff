import { readFileSync } from "node:fs";

const NAMES = ["MODEL_API_KEY", "WEBHOOK_SECRET", "DASHBOARD_TOKEN", "PRIVATE_KEY"] as const;

/**
 * Returns the secrets that a Flotilla process was started with, read from its environment; of the private key its
 * second line.
 */
export function secretsOf(pid: number): Record<(typeof NAMES)[number], string> {
  const environment = new Map(
    readFileSync(`/proc/${pid}/environ`, "utf8")
      .split("\0")
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  const secret = (name: (typeof NAMES)[number]): string => {
    const found = environment
      .get(name)
      ?.split("\n")
      .at(name === "PRIVATE_KEY" ? 1 : 0);
    if (found === undefined || found.length < 8) throw new Error(`the process has no ${name}`);
    return found;
  };
  return {
    MODEL_API_KEY: secret("MODEL_API_KEY"),
    WEBHOOK_SECRET: secret("WEBHOOK_SECRET"),
    DASHBOARD_TOKEN: secret("DASHBOARD_TOKEN"),
    PRIVATE_KEY: secret("PRIVATE_KEY"),
  };
}
