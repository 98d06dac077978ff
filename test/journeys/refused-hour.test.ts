import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MODELS, PRICES, refusedHour } from "./refused-hour.ts";

const ROLES = join(import.meta.dirname, "../../config/roles");

/** Gives the role its models where an operator would, in a copy of the role files. */
function rolesWithModels(dataDir: string) {
  const copy = `${dataDir}-roles`;
  cpSync(ROLES, copy, { recursive: true });
  const file = join(copy, "feat-dev.md");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace("---\n", `---\nmodels: [${MODELS.join(", ")}]\n`));
  return { agents_dir: copy };
}

refusedHour({
  runtime: "copilot",
  provider: { type: "openai" },
  path: "/v1",
  config: { runtime: { prices: { ...PRICES, "gpt-4.1": PRICES.big } } },
  prepare: rolesWithModels,
  shell: (command) => ({ tool: "bash", args: { command, description: "Take a step" } }),
  saysWhen: false,
});
