import { expect, test } from "vitest";
import { configSchema } from "../../../src/domain/settings/config-schema.ts";

test.each(["effects", "details"])(
  "retention.%s is not shorter than the payloads that can be replayed",
  (key) => {
    const { error } = configSchema.safeParse({ retention: { payloads: "30d", [key]: "29d" } });
    expect(error?.issues).toMatchObject([
      { path: ["retention", key], message: expect.stringContaining("retention.payloads") },
    ]);
    expect(configSchema.safeParse({ retention: { payloads: "30d", [key]: "30d" } }).success).toBe(true);
  },
);
