import { expect, it } from "vitest";
import { webhookHealth } from "../../../src/cli/doctor/check-webhooks.ts";
import type { AppSettings } from "../../../src/domain/ports/github-app.ts";
import { AT, HOUR } from "../../factories/moment.ts";

const OK = { statusCode: 200, status: "OK" };
const REFUSED = { statusCode: 0, status: "failed to connect to host" };
const GATEWAY = { statusCode: 502, status: "Bad Gateway" };

function said(latest: AppSettings["hook"]["latest"], installedAt = AT): string {
  const settings: AppSettings = {
    permissions: {},
    events: [],
    hook: {
      url: "https://flotilla.example.com",
      hasSecret: true,
      contentType: "json",
      verifiesTls: true,
      latest,
    },
    installations: [{ account: "acme", installedAt, suspended: false, permissions: {}, events: [] }],
  };
  const found = webhookHealth(settings, AT, { host: "0.0.0.0", port: 3000 });
  return found.map(({ what }) => what).join("\n");
}

it("says nothing where the newest delivery arrived, whatever was lost before", () => {
  expect(said([OK, REFUSED])).toBe("");
  expect(said([{ statusCode: 202, status: "Accepted" }])).toBe("");
});

it("counts those lost since the last that arrived, and says how the newest ended", () => {
  expect(said([GATEWAY, OK])).toMatch(/^lost the last delivery \(502 Bad Gateway\): the tunnel/);
  expect(said([REFUSED, GATEWAY, OK, REFUSED])).toMatch(
    /^lost the last 2 deliveries \(failed to connect to host\): nobody listens/,
  );
  expect(said([GATEWAY, GATEWAY, GATEWAY])).toMatch(/^lost the last 3 deliveries/);
  expect(said([{ statusCode: 300, status: "Multiple Choices" }])).toMatch(/^lost the last delivery/);
});

it("finds a silent App in an installation that GitHub must have told of, and not in an older one", () => {
  expect(said([], AT - HOUR)).toContain("not even that the App was installed on acme");
  expect(said([], AT - 72 * HOUR)).toBe("");
});
