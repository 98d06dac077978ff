import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { check } from "../../src/cli/commands/check.ts";
import { init } from "../../src/cli/commands/init.ts";
import { readManifest } from "../../src/cli/doctor/check-app.ts";
import { checkFirstDelivery } from "../../src/cli/setup/first-delivery.ts";
import { type LocalGitHub, startLocalGitHub } from "../../src/demo/github/start.ts";

const root = mkdtempSync(join(tmpdir(), "flotilla-init-"));
let github: LocalGitHub;
let home: string;

beforeAll(async () => {
  github = await startLocalGitHub({ directory: join(root, "github") });
});
afterAll(async () => {
  await github.close();
  rmSync(root, { recursive: true, force: true });
});
beforeEach(() => {
  home = mkdtempSync(join(root, "home-"));
});

interface Started {
  readonly lines: readonly string[];
  readonly code: Promise<number>;
  /** Where the page is, as it was said. */
  readonly page: Promise<URL>;
}

function started(options: Record<string, string | boolean> = {}, more: Record<string, string> = {}): Started {
  const lines: string[] = [];
  const { promise: page, resolve: open } = Promise.withResolvers<URL>();
  const print = (line: string): void => {
    lines.push(line);
    const [, address] = /(?:Open |"open":")(http:[^ "]+)/.exec(line) ?? [];
    if (address !== undefined) open(new URL(address));
  };
  const env = { HOST: "127.0.0.1", PORT: "0", GHE_HOST: github.host, GHE_PROTOCOL: "http", ...more };
  return { lines, page, code: init.run({ env, cwd: home, print, complain: print, options, args: [] }) };
}

const unescaped = (html: string) =>
  html.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");

/** The form that leads to GitHub, as a browser reads it. */
function formOf(html: string): { readonly action: string; readonly manifest: string } {
  const [, action = ""] = /<form method="post" action="([^"]+)"/.exec(html) ?? [];
  const [, manifest = ""] = /name="manifest" value="([^"]+)"/.exec(html) ?? [];
  return { action: unescaped(action), manifest: unescaped(manifest) };
}

/** What a browser does: the person says the address, presses the button, and is sent back with a code. */
async function pressed(
  page: URL,
  choices: Record<string, string>,
): Promise<{ back: URL; manifest: unknown; action: URL }> {
  const asked = new URL(page);
  for (const [name, value] of Object.entries(choices)) asked.searchParams.set(name, value);
  const answer = await fetch(asked);
  expect(answer.headers.get("content-security-policy")).toContain(`form-action 'self' ${github.origin}`);
  const { action, manifest } = formOf(await answer.text());
  const sent = await fetch(action, {
    method: "POST",
    body: new URLSearchParams({ manifest }),
    redirect: "manual",
  });
  return {
    back: new URL(sent.headers.get("location") ?? ""),
    manifest: JSON.parse(manifest),
    action: new URL(action),
  };
}

const env = () => parseEnv(readFileSync(join(home, ".env"), "utf8"));
const modeOf = (name: string) => statSync(join(home, name)).mode & 0o777;

test("GitHub makes the App that app.yml says, its keys are written for us alone, and its first webhook is looked for", async () => {
  const { page, code, lines } = started();
  const address = await page;
  // Nothing can be made before it is said where webhooks go.
  const bare = await (await fetch(address)).text();
  expect(formOf(bare)).toEqual({ action: "", manifest: "" });
  expect(bare).toContain("Write where GitHub reaches this server");
  const { back, manifest, action } = await pressed(address, {
    address: address.origin,
    name: "our-fleet",
    organization: "acme",
  });
  expect(action.pathname).toBe("/organizations/acme/settings/apps/new");
  const written: unknown = parse(readFileSync("app.yml", "utf8"));
  const { default_events, default_permissions } = z
    .looseObject({ default_events: z.unknown(), default_permissions: z.unknown() })
    .parse(written);
  expect(manifest).toMatchObject({
    name: "our-fleet",
    public: false,
    default_events,
    default_permissions,
    hook_attributes: { url: `${address.origin}/api/github/webhooks`, active: true },
    callback_urls: [`${address.origin}/sign-in/github/done`],
  });
  const done = await (await fetch(back)).text();
  expect(done).toContain("/apps/flotilla/installations/new");
  expect(await code).toBe(0);

  expect(env()).toMatchObject({
    APP_ID: String(github.app.id),
    PRIVATE_KEY_PATH: "./private-key.pem",
    WEBHOOK_SECRET: github.app.hook.secret,
    GITHUB_CLIENT_ID: github.app.clientId,
    GITHUB_CLIENT_SECRET: github.app.clientSecret,
    GHE_HOST: github.host,
    GHE_PROTOCOL: "http",
    MODEL_API_KEY: "",
  });
  expect(readFileSync(join(home, "private-key.pem"), "utf8")).toBe(github.app.privateKey);
  expect([modeOf(".env"), modeOf("private-key.pem")]).toEqual([0o600, 0o600]);
  const said = lines.join("\n");
  expect(said).toContain("ssh -L ");
  expect(said).toContain("GitHub's first webhook arrived.");
  expect(said).toContain("/apps/flotilla/installations/new");
  expect(said).not.toContain(github.app.hook.secret);
  expect(said).not.toContain(github.app.clientSecret);
  const faults: string[] = [];
  const checked = {
    env: { MODEL_API_KEY: "k" },
    cwd: home,
    print: (line: string) => faults.push(line),
    complain: (line: string) => faults.push(line),
    options: {},
    args: [],
  };
  // The keys that GitHub gave are in the .env file beside it, which the way of starting Flotilla reads.
  expect([await check.run(checked), faults]).toEqual([
    0,
    [expect.stringMatching(/^notice: not set yet/), expect.stringContaining("is in order")],
  ]);
});

test("what stands in the folder is kept, and an App that exists is not overwritten", async () => {
  writeFileSync(join(home, ".env"), "MODEL_API_KEY=mine", { mode: 0o644 });
  writeFileSync(join(home, "config.yaml"), "project: { name: mine }\n");
  const first = started({ json: true });
  const { back } = await pressed(await first.page, { address: "http://127.0.0.1:1" });
  await fetch(back);
  expect(await first.code).toBe(0);
  expect(env()).toMatchObject({ MODEL_API_KEY: "mine", APP_ID: String(github.app.id) });
  expect(readFileSync(join(home, ".env"), "utf8")).toMatch(/^MODEL_API_KEY=mine\n# The App /);
  expect(modeOf(".env")).toBe(0o600);
  expect(readFileSync(join(home, "config.yaml"), "utf8")).toBe("project: { name: mine }\n");
  // Nobody listens where its webhooks go.
  const [, result = ""] = first.lines;
  expect(JSON.parse(result)).toMatchObject({
    app: { id: github.app.id, slug: "flotilla" },
    files: [join(home, "private-key.pem"), join(home, ".env")],
    webhook_reached: false,
    findings: [{ about: "the App's webhook", what: expect.stringContaining("lost the last delivery (502") }],
  });
  const again = started();
  expect(await again.code).toBe(1);
  expect(again.lines.join("\n")).toContain("private-key.pem exists.\nMove it away");
  rmSync(join(home, "private-key.pem"));
  const third = started();
  expect(await third.code).toBe(1);
  expect(third.lines.join("\n")).toContain(".env has APP_ID already.");
});

test("a code that a person brings is exchanged without a page; one that GitHub does not know writes nothing", async () => {
  const shown = started();
  const { back } = await pressed(await shown.page, { address: "http://127.0.0.1:1" });
  const code = back.searchParams.get("code") ?? "";
  const { lines, code: ended } = started({ code });
  expect(await ended).toBe(0);
  expect(lines.join("\n")).toContain(`The App flotilla (${github.app.id}) is made.`);
  rmSync(join(home, "private-key.pem"));
  rmSync(join(home, ".env"));
  await expect(started({ code }).code).rejects.toThrow("404");
  expect(() => statSync(join(home, ".env"))).toThrow("ENOENT");
  // The page that is still open makes one more.
  await fetch((await pressed(await shown.page, { address: "http://127.0.0.1:1" })).back);
  expect(await shown.code).toBe(0);
});

const LOOK = { now: () => 0, listens: { host: "127.0.0.1", port: 3000 } };

test("that the App is installed nowhere yet is no finding: it is the next step", async () => {
  const { default_permissions: permissions, default_events: events } = readManifest();
  const hook = {
    url: "https://flotilla.example.org/api/github/webhooks",
    hasSecret: true,
    contentType: "json",
    verifiesTls: true,
    latest: [{ statusCode: 202, status: "OK" }],
  };
  const appSettings = async () => ({ permissions, events, hook, installations: [] });
  expect(await checkFirstDelivery({ appSettings }, undefined, "s", LOOK)).toEqual({
    reached: true,
    findings: [],
  });
  // Something else answered there: this server heard nothing that GitHub signed.
  const forged = [{ body: Buffer.from("{}"), signature: `sha256=${"0".repeat(64)}` }];
  expect(await checkFirstDelivery({ appSettings }, forged, "s", LOOK)).toMatchObject({
    reached: false,
    findings: [{ what: expect.stringContaining("and not by this server") }],
  });
});

const under = (at: URL, host: string) =>
  new Promise<number | undefined>((resolve) => {
    request(at, { headers: { host } }, ({ statusCode }) => resolve(statusCode)).end();
  });

test("the page takes no code but of its own button, and is shown under no other name", async () => {
  const { page, code } = started({ url: "https://flotilla.example.org" });
  const address = await page;
  const forged = await fetch(new URL("made?state=guessed&code=abc", address));
  expect([forged.status, await forged.text()]).toEqual([
    400,
    expect.stringContaining("does not come from the page"),
  ]);
  expect(await under(address, "attacker.example:80")).toBe(421);
  const html = await (await fetch(new URL('?name="><script>alert(1)</script>', address))).text();
  expect(html).not.toContain("<script>");
  expect(JSON.parse(formOf(html).manifest)).toMatchObject({
    hook_attributes: { url: "https://flotilla.example.org/api/github/webhooks" },
  });
  await fetch((await pressed(address, { address: address.origin })).back);
  expect(await code).toBe(0);
  for (const name of [".env", "private-key.pem"]) rmSync(join(home, name));
  // On all addresses too, where it is opened under the name of the machine.
  const wide = started({}, { HOST: "0.0.0.0", FLOTILLA_HOSTS: "builder.example" });
  const { port, pathname } = await wide.page;
  const there = new URL(`http://127.0.0.1:${port}${pathname}`);
  expect(await under(there, "attacker.example:80")).toBe(421);
  expect(await under(there, "builder.example:80")).toBe(200);
  await fetch((await pressed(there, { address: there.origin })).back);
  expect(await wide.code).toBe(0);
  const wrong = started({ url: "flotilla.example.org" });
  expect(await wrong.code).toBe(1);
  expect(wrong.lines.join()).toContain("--url: Write where GitHub reaches this server");
});
