import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

interface Definition {
  readonly name: string;
  readonly examples: readonly { readonly action?: string }[];
}

/** Every payload that @octokit/webhooks-examples has of github.com, with a delivery id of its own. */
export function recordedWebhooks(): { event: string; action: string | null; guid: string; body: string }[] {
  const file = createRequire(import.meta.url).resolve("@octokit/webhooks-examples");
  const definitions: readonly Definition[] = JSON.parse(readFileSync(file, "utf8"));
  return definitions.flatMap(({ name, examples }) =>
    examples.map((payload, index) => ({
      event: name,
      action: payload.action ?? null,
      guid: `${name}-${index}`,
      body: JSON.stringify(payload),
    })),
  );
}
