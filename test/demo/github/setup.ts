import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import {
  type LocalGitHub,
  type LocalGitHubOptions,
  startLocalGitHub,
} from "../../../src/demo/github/start.ts";
import { watchGitHub } from "../../github-descriptions/watch.ts";
import { startReceiver } from "./receiver.ts";

export const secret = "a-secret-of-the-webhook-that-is-long-enough";

export interface Ground {
  github: LocalGitHub;
  receiver: Awaited<ReturnType<typeof startReceiver>>;
  /** A temporary directory of this test file. */
  directory: string;
  /** Waits until all webhooks so far have arrived, and returns their names since the last call. */
  heard: () => Promise<string[]>;
}

/**
 * One local GitHub for a test file, with a real receiver of its webhooks. After each test everything that went in and
 * out must have been valid by GitHub's descriptions.
 */
export function useGitHub(options: Partial<LocalGitHubOptions> = {}): Ground {
  const watch = watchGitHub();
  const ground = {} as Ground;
  let read = 0;
  beforeAll(async () => {
    ground.directory = await mkdtemp(join(tmpdir(), "local-github-"));
    ground.receiver = await startReceiver();
    ground.github = await startLocalGitHub({
      directory: join(ground.directory, "repositories"),
      people: { octocat: "write", boss: "admin", triager: "triage", reader: "read" },
      repositories: [
        { name: "app", files: { "README.md": "# app\n", "src/a.txt": "one\ntwo\nthree\n" } },
        { name: "lib" },
      ],
      observe: watch.observe,
      ...options,
    });
    ground.github.setWebhook({ url: ground.receiver.url, secret });
    ground.heard = async () => {
      await ground.github.webhooks.idle();
      const names = ground.receiver.names().slice(read);
      read = ground.receiver.received.length;
      return names;
    };
  });
  beforeEach(async () => {
    ground.github.webhooks.filter = () => "send";
    await ground.heard();
  });
  afterEach(() => {
    expect(watch.violations.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await ground.github.close();
    await ground.receiver.close();
    await rm(ground.directory, { recursive: true });
  });
  return ground;
}
