import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { ALWAYS_SENT, EVENT_NAMES } from "../../src/webhooks/events/table.ts";
import { flotillaApp } from "../../src/webhooks/probot-receiver.ts";
import { WEBHOOK_PATH } from "../../src/webhooks/receive/webhook-route.ts";
import { createReadingRig } from "./reading-rig.ts";

interface Manifest {
  readonly name: string;
  readonly url: string;
  readonly public: boolean;
  readonly hook_attributes: { readonly url: string };
  readonly default_events: readonly string[];
}

const manifest: Manifest = parse(readFileSync("app.yml", "utf8"));

describe("app.yml", () => {
  it("subscribes to exactly the events that have a handler and are not sent to every App", () => {
    const used = EVENT_NAMES.map((name) => name.split(".")[0]).filter(
      (event) => !ALWAYS_SENT.includes(event ?? ""),
    );
    expect(new Set(manifest.default_events)).toEqual(new Set(used));
    expect(manifest.default_events).toHaveLength(new Set(used).size);
  });

  it("sends webhooks to the route, of a private App", () => {
    expect(new URL(manifest.hook_attributes.url).pathname).toBe(WEBHOOK_PATH);
    expect(manifest.hook_attributes.url).toBe(`${manifest.url}${WEBHOOK_PATH}`);
    expect(manifest.public).toBe(false);
    expect(manifest.name).toBe("flotilla");
  });
});

describe("Flotilla's Probot app", () => {
  it("registers a handler for each event of the table", () => {
    const registered: unknown[] = [];
    const { tools } = createReadingRig();
    const app = { on: (name: unknown) => void registered.push(name) };
    const load = flotillaApp({ ...tools, handle: async () => undefined, ignore: async () => undefined });
    Reflect.apply(load, undefined, [app]);
    expect(registered).toEqual(EVENT_NAMES);
  });
});
