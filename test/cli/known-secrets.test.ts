import { expect, it } from "vitest";
import { configuredSecrets, KnownSecrets } from "../../src/server/known-secrets.ts";
import { AT, HOUR, MINUTE } from "../factories/moment.ts";
import { createFakeClock } from "../fakes/clock.ts";

const TOKEN = "v1-9f8e7d6c5b4a3f2e1d0c9b8a7f6e5d4c";

it("knows what the configuration brings, and what is found later", () => {
  const secrets = { privateKey: "a-private-key", webhookSecret: "a-webhook-secret", accountKey: undefined };
  const provider = { apiKey: "a-provider-key" };
  const others = {
    webhookSecretPrevious: "the-one-before",
    dashboardToken: "a-dashboard-token",
    markerSecret: "a-secret-of-markers",
    database: [undefined, "the-password-of-a-database"],
    mcpServers: new Map([
      ["docs", { env: { TOKEN: "the-token-of-a-server" }, header: undefined }],
      ["desk", { env: {}, header: { name: "Authorization", value: "Bearer of-the-header" } }],
    ]),
    noticeAddresses: new Map([
      ["team", { url: "https://hooks.example.com/of-a-channel", secret: "the-key-of-a-receiver" }],
      ["chat", { url: "https://hooks.example.com/of-another", secret: null }],
    ]),
    registries: [{ token: "user:password-of-a-registry" }, { token: "a-token-of-a-registry" }],
    collector: { url: "http://h/v1/traces", headers: { authorization: "Bearer of-the-collector" } },
  };
  const providers = new Map([["acme", { apiKey: "a-key-of-another-provider" }]]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of a provider only its key is read
  const config = { secrets: { ...secrets, ...others, provider, providers } } as unknown as Parameters<
    typeof configuredSecrets
  >[0];
  const known = new KnownSecrets(configuredSecrets(config), createFakeClock(AT));
  const all = [
    "a-private-key",
    "a-webhook-secret",
    "the-one-before",
    "a-provider-key",
    "a-key-of-another-provider",
    "a-dashboard-token",
    "a-secret-of-markers",
    "of-the-collector",
    "the-token-of-a-server",
    "of-the-header",
    "password-of-a-registry",
    "a-token-of-a-registry",
    "the-password-of-a-database",
    "https://hooks.example.com/of-a-channel",
    "the-key-of-a-receiver",
  ];
  expect(known.redact(all.join(" "))).toBe(all.map(() => "[redacted]").join(" "));
  expect(known.redact("the-markers-secret")).toBe("the-markers-secret");
  known.keep("the-markers-secret");
  expect(known.redact("the-markers-secret")).toBe("[redacted]");
});

it("knows each token from its minting until some time after its end, whoever was given `redact` before", () => {
  const clock = createFakeClock(AT);
  const known = new KnownSecrets([undefined], clock);
  const { redact } = known;
  known.minted(TOKEN, AT + HOUR);
  expect(redact(`it is ${TOKEN.slice(3, 20)}`)).toBe("it is [redacted]");
  clock.advance(HOUR + 4 * MINUTE);
  known.minted("another-token-that-is-new", AT + 2 * HOUR);
  expect(redact(TOKEN)).toBe("[redacted]");
  clock.advance(2 * MINUTE);
  known.minted("one-more-token-that-is-new", AT + 2 * HOUR);
  expect(redact(TOKEN)).toBe(TOKEN);
});
