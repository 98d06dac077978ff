import { readFileSync } from "node:fs";

/** The secrets that a Flotilla process was started with, read from its environment; of the private key one line. */
export function secretsOf(pid: number): string[] {
  const environment = new Map(
    readFileSync(`/proc/${pid}/environ`, "utf8")
      .split("\0")
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  return ["MODEL_API_KEY", "WEBHOOK_SECRET", "DASHBOARD_TOKEN", "PRIVATE_KEY"].map((name) => {
    const secret = environment.get(name)?.split("\n").at(name === "PRIVATE_KEY" ? 1 : 0);
    if (secret === undefined || secret.length < 8) throw new Error(`the process has no ${name}`);
    return secret;
  });
}
