import { readdirSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AUTHOR, FRESH } from "../../contracts/worktrees-harness.ts";
import { plainGit } from "./plain-git.ts";
import { type RealHarness, realHarness, TOKEN } from "./real-harness.ts";

describe("The token", { timeout: 60_000 }, () => {
  let harness: RealHarness;
  const ref = () => ({ repository: harness.repository, name: "dev-issue-1", branch: "flotilla/dev/issue-1" });

  beforeEach(async () => {
    harness = await realHarness();
  });
  afterEach(() => harness.close());

  it("appears in no argument of any process and in no file", async () => {
    const commandLines = new Set<string>();
    harness.server.onRequest = () => {
      for (const line of runningCommands()) commandLines.add(line);
    };
    await harness.worktrees.prepare(ref(), FRESH);
    await harness.write("dev-issue-1", "a.txt", "a\n");
    await harness.worktrees.commit(ref(), { message: "m", author: AUTHOR });
    await harness.worktrees.push(ref());
    await harness.worktrees.checkpoint(ref());

    const all = [...commandLines].join("\n");
    expect(all).toMatch(/remote-http .*octo\/app\.git/);
    expect(all).not.toContain(TOKEN);
    const names = await readdir(harness.dataDir, { recursive: true });
    expect(names.length).toBeGreaterThan(20);
    const contents = names.map((name) => readFile(join(harness.dataDir, name), "latin1").catch(() => ""));
    expect((await Promise.all(contents)).join("\n")).not.toContain(TOKEN);
    expect(JSON.stringify(harness.logged)).not.toContain(TOKEN);
  });

  it("is asked for again for each command on the server", async () => {
    await harness.worktrees.prepare(ref(), FRESH);
    await harness.write("dev-issue-1", "a.txt", "a\n");
    await harness.worktrees.commit(ref(), { message: "m", author: AUTHOR });
    const revoked = harness.restart({ token: "revoked" });
    await expect(revoked.worktrees.push(ref())).rejects.toMatchObject({
      name: "GitError",
      code: "auth_failed",
      consequence: "tell",
    });
    expect(await harness.worktrees.push(ref())).toMatchObject({
      commit: await harness.serverHead(ref().branch),
    });
  });

  it("is not given to another server that the address is rewritten to", async () => {
    await harness.worktrees.prepare(ref(), FRESH);
    const askpass = join(harness.dataDir, "git", "askpass");
    const { port } = new URL(harness.server.url);
    const env = `FLOTILLA_GIT_ORIGIN=${harness.server.url} FLOTILLA_GIT_TOKEN=secret FLOTILLA_GIT_ASKED_AS=http://x-access-token@127.0.0.1:${port}`;
    const ask = (prompt: string) =>
      plainGit(harness.dataDir, ["-c", `alias.ask=!${env} '${askpass}' "${prompt}"`, "ask"], false);
    expect(await ask(`Username for '${harness.server.url}': `)).toBe("x-access-token");
    expect(await ask(`Password for 'http://x-access-token@127.0.0.1:${port}': `)).toBe("secret");
    expect(await ask("Username for 'http://evil.example': ")).toBe("");
    expect(await ask(`Password for 'http://x-access-token@127.0.0.1:${port}1': `)).toBe("");
    expect(await ask("Password for 'http://x-access-token@evil.example': ")).toBe("");
  });
});

function runningCommands(): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((id) => {
      try {
        return [readFileSync(`/proc/${id}/cmdline`, "utf8").replaceAll("\0", " ")];
      } catch {
        return [];
      }
    });
}
