import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createValidator, type JsonSchema } from "./compile.ts";

interface Description {
  readonly webhooks: Readonly<
    Record<
      string,
      {
        readonly post: {
          readonly requestBody: {
            readonly content: { readonly "application/json": { readonly schema: JsonSchema } };
          };
        };
      }
    >
  >;
  readonly components: { readonly schemas: JsonSchema };
}

const file = createRequire(import.meta.url).resolve(
  "@octokit/openapi-webhooks/generated/api.github.com.json",
);
const description: Description = JSON.parse(readFileSync(file, "utf8"));
const validator = createValidator(description.components.schemas);

/** What is wrong with a webhook by GitHub's own schema for its event and action. Empty when nothing. */
export function checkWebhook(event: string, payload: Readonly<Record<string, unknown>>): string[] {
  const { action } = payload;
  const name = (typeof action === "string" ? `${event}-${action}` : event).replaceAll("_", "-");
  const schema = description.webhooks[name]?.post.requestBody.content["application/json"].schema;
  if (schema === undefined) return [`${name} is no webhook of GitHub's.`];
  const validate = validator(schema);
  if (validate(payload)) return [];
  return (validate.errors ?? [])
    .toSorted((a, b) => b.instancePath.length - a.instancePath.length)
    .slice(0, 5)
    .map(
      (error) =>
        `${name}${error.instancePath}: ${error.message ?? "invalid"} ${JSON.stringify(error.params)}`,
    );
}
