import { chmodSync } from "node:fs";
import { join } from "node:path";
import { vi } from "vitest";
import { readManifest } from "../../../src/cli/doctor/check-app.ts";
import { PRIVATE_KEY } from "../../adapters/github/mocked-github.ts";
import { app, config, env, hook, ROLE, repositoryConfig, type SetUp } from "./spoil.ts";

/** What is wrong between GitHub and us, each a small change of a set-up that is in order. */
export const SETUPS_OF_GITHUB: readonly SetUp[] = [
  {
    name: "a permission that the App lacks",
    spoil: app({ permissions: { ...readManifest().default_permissions, checks: "read" } }),
    says: /^the App: has the permission checks: read, and needs write\. .*App's settings/,
    also: /^acme\/app: .*permissions requested are not granted/,
  },
  {
    name: "events that the App is not told of",
    spoil: app({ events: ["issues", "push"] }),
    says: /^the App: is not told of the events issue_comment, .*\. Change it in the App's settings/,
  },
  {
    name: "an installation that is suspended",
    spoil: ({ ground: { github }, undo }) => {
      const { suspendedAt } = github.installation;
      github.installation.suspendedAt = "2026-01-01T00:00:00Z";
      undo.push(() => void (github.installation.suspendedAt = suspendedAt));
    },
    says: /^the installation on acme: is suspended: nothing is done there\. Unsuspend it/,
  },
  {
    name: "a repository where the App is not installed",
    spoil: config('repositories: ["acme/*", "acme/other"]'),
    says: /^acme\/other: is named in `repositories`, but the App is not installed there.*Add it on the page/,
  },
  {
    name: "a label that starts a role and does not exist",
    spoil: config(`roles: { feat-dev: { prompt: feat-dev.md, ${ROLE} } }`),
    says: /^acme\/app: has no label "wish", which starts the role feat-dev.*Make it on the page/,
  },
  {
    name: "a faulty file of a repository's own",
    spoil: repositoryConfig(["review.requird: unknown key."]),
    says: /^acme\/app: \.github\/flotilla\.yml .* is faulty.* last version .*9f8e7d6 .*: review\.requird: unknown key\. Correct it there; check it with `flotilla check --file/,
  },
  {
    name: "a webhook without an address",
    spoil: hook({ url: "" }),
    says: /^the App's webhook: (?:has no address|goes to \S+, which does not end in)/,
  },
  {
    name: "a webhook that goes to another path",
    spoil: ({ ground: { github }, undo }) => {
      const { url, secret } = github.app.hook;
      github.setWebhook({ url: url.replace("/api/github/webhooks", "/"), secret });
      undo.push(() => github.setWebhook({ url, secret }));
    },
    says: /^the App's webhook: goes to \S+, which does not end in \/api\/github\/webhooks\. Change it/,
  },
  {
    name: "a webhook without a secret",
    spoil: hook({ secret: "" }),
    says: /^the App's webhook: has no secret: every delivery will be refused\. Change it/,
  },
  {
    name: "a webhook with another secret than ours",
    spoil: hook({ answer: 401 }),
    says: /^the App's webhook: lost the last delivery \(401 .*its secret is not WEBHOOK_SECRET.*Set the same secret/,
  },
  {
    name: "a webhook that a broken proxy takes",
    spoil: hook({ answer: 503 }),
    says: /^the App's webhook: lost the last delivery \(503 .*the tunnel or proxy at .* does not reach Flotilla.*lead to 127\.0\.0\.1:0 .*HOST=0\.0\.0\.0.*flotilla deliveries sweep/,
  },
  {
    name: "a webhook that something else answers",
    spoil: hook({ answer: 404 }),
    says: /^the App's webhook: lost the last delivery \(404 .*something else than Flotilla answers.*Correct the webhook's address/,
  },
  {
    name: "a webhook that goes where nobody listens",
    spoil: hook({ url: "http://127.0.0.1:1/api/github/webhooks" }),
    says: /^the App's webhook: lost the last delivery \(502 failed to connect to host\): nobody listens at .*Start the tunnel or proxy, let it lead to 127\.0\.0\.1:0 /,
  },
  {
    name: "a webhook that nobody answers in time",
    spoil: hook({ answer: 504 }),
    says: /^the App's webhook: lost the last delivery \(504 .*no answer within ten seconds.*no firewall drops/,
  },
  {
    name: "a webhook secret that can be guessed",
    spoil: env({ WEBHOOK_SECRET: "secret" }),
    says: /^configuration: WEBHOOK_SECRET is shorter than 32 bytes: make one/,
  },
  {
    name: "the key of another App",
    spoil: ({ put }) => void put("app.pem", PRIVATE_KEY),
    says: /^GitHub: .*401.*Check that APP_ID and PRIVATE_KEY belong to the same App/,
  },
  {
    name: "another App's number",
    spoil: env({ APP_ID: "999999" }),
    says: /^GitHub: .*40[14].*APP_ID/,
  },
  {
    name: "a key that is not there",
    spoil: env({ PRIVATE_KEY_PATH: "gone.pem" }),
    says: /^configuration: PRIVATE_KEY_PATH: gone\.pem cannot be read \(ENOENT\): correct the path/,
  },
  {
    name: "a key that others may read",
    spoil: ({ home }) => chmodSync(join(home, "app.pem"), 0o644),
    says: /app\.pem: is open to others \(mode 0644\): whoever reads the key is the App\. Close it: chmod 600/,
  },
  {
    name: "a .env that others may read",
    spoil: ({ put }) => void put(".env", "WEBHOOK_SECRET=abc\n", 0o644),
    says: /\.env: is open to others \(mode 0644\).*chmod 600/,
  },
  {
    name: "a clock that is off",
    spoil: ({ undo }) => {
      const { now } = Date;
      const off = vi.spyOn(Date, "now").mockImplementation(() => now() + 600_000);
      undo.push(() => off.mockRestore());
    },
    says: /^clock: this machine is (?:599|600|601) s ahead of GitHub, which then refuses.*timedatectl/,
    also: /^GitHub: .*401.*this machine's clock is right/,
  },
  {
    name: "a GitHub that does not answer",
    spoil: env({ GHE_HOST: "127.0.0.1:1" }),
    says: /^GitHub: No answer to GET \/.*Check that this machine reaches GitHub \(network, proxy, GHE_HOST\)/,
  },
  {
    name: "an address of GitHub that is another server's",
    spoil: (place) => void (place.env["GHE_HOST"] = `127.0.0.1:${place.ground.port}`),
    says: /^GitHub: .*GHE_HOST/,
  },
  {
    name: "an address of GitHub with its scheme",
    spoil: env({ GHE_HOST: "https://github.example.com" }),
    says: /^configuration: GHE_HOST is not a host: write only its name/,
  },
];
