import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type LocalGitHub, startLocalGitHub } from "../../src/demo/github/start.ts";
import { until } from "./until.ts";

const ROOT = join(import.meta.dirname, "../..");

describe("making the App", () => {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-init-"));
  let github: LocalGitHub;
  let manifest: Record<string, unknown> = {};
  let ended: number | null = null;
  let made: NodeJS.Dict<string> = {};

  beforeAll(async () => {
    github = await startLocalGitHub({ directory: mkdtempSync(join(directory, "github-")) });
    copyFileSync(join(ROOT, "app.yml"), join(directory, "app.yml"));
    const child = spawn(process.execPath, [join(ROOT, "src/main.ts"), "init"], {
      cwd: directory,
      env: {
        PATH: process.env["PATH"],
        HOST: "127.0.0.1",
        PORT: "0",
        GHE_HOST: github.host,
        GHE_PROTOCOL: "http",
      },
    });
    try {
      let said = "";
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding("utf8").on("data", (text: string) => {
          said += text;
        });
      const page = await until("the page's address", () => /Open (http:\S+)/.exec(said)?.[1], 30).catch(
        () => {
          throw new Error(`init said: ${said}`);
        },
      );
      manifest = await pressTheButton(page);
      made = await until(
        "the keys",
        () => {
          const env = readEnv(join(directory, ".env"));
          return env["WEBHOOK_SECRET"] !== undefined && env;
        },
        30,
      );
    } finally {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
      ended = child.exitCode;
    }
  }, 90_000);
  afterAll(async () => {
    await github.close();
    rmSync(directory, { recursive: true, force: true });
  });

  /** What a browser does: sends the page's form to GitHub and follows where it leads. Returns the manifest that was sent. */
  async function pressTheButton(page: string): Promise<Record<string, unknown>> {
    const html = await (await fetch(page)).text();
    const action = unescaped(/<form[^>]*action="([^"]+)"/.exec(html)?.[1] ?? "");
    const value = unescaped(/name="manifest"[^>]*value='([^']+)'/.exec(html)?.[1] ?? "");
    expect(new URL(action).host).toBe(github.host);
    const answer = await fetch(action, {
      method: "POST",
      body: new URLSearchParams({ manifest: value }),
      redirect: "manual",
    });
    expect(answer.status).toBe(302);
    const back = new URL(answer.headers.get("location") ?? "", page);
    expect(back.host).toBe(new URL(page).host);
    await fetch(back, { redirect: "manual" });
    return Object.fromEntries(Object.entries(JSON.parse(value)));
  }

  it("asks GitHub for exactly what app.yml says", () => {
    const written: unknown = parse(readFileSync(join(ROOT, "app.yml"), "utf8"));
    const { hook_attributes, default_events, default_permissions, public: open } = manifest;
    expect(written).toMatchObject({ hook_attributes, default_events, default_permissions, public: open });
    expect(hook_attributes).toMatchObject({ url: expect.stringMatching(/\/api\/github\/webhooks$/) });
    expect(github.app.hook.url).toMatch(/\/api\/github\/webhooks$/);
  });

  it("writes the App's number and keys to .env", () => {
    expect(made["APP_ID"]).toBe(String(github.app.id));
    expect(made["PRIVATE_KEY"]?.replaceAll("\\n", "\n").trim()).toBe(github.app.privateKey.trim());
    expect(made["WEBHOOK_SECRET"]).toBe(github.app.hook.secret);
    expect(statSync(join(directory, ".env")).mode & 0o777).toBe(0o600);
    expect(made["WEBHOOK_SECRET"]?.length).toBeGreaterThanOrEqual(32);
  });

  it("ends when it is told to", () => {
    expect(ended).toBe(0);
  });
});

function readEnv(path: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(path, "utf8"));
  } catch {
    return {};
  }
}

function unescaped(html: string): string {
  return html.replaceAll("&quot;", '"').replaceAll("&#x27;", "'").replaceAll("&amp;", "&");
}
