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
  readonly github: LocalGitHub;
  readonly receiver: Awaited<ReturnType<typeof startReceiver>>;
  /** A temporary directory of this test file. */
  readonly directory: string;
  /** Waits until all webhooks so far have arrived. Returns their names since the last call. */
  readonly heard: () => Promise<string[]>;
}

/**
 * Starts one local GitHub for a test file, with a real receiver of its webhooks. After each test, everything sent and
 * received must be valid according to GitHub's descriptions.
 */
export function useGitHub(options: Partial<LocalGitHubOptions> = {}): Ground {
  const watch = watchGitHub();
  let started: Omit<Ground, "heard"> | undefined;
  let read = 0;
  const running = (): Omit<Ground, "heard"> => {
    if (started === undefined) throw new Error("The local GitHub runs only while tests do.");
    return started;
  };
  const heard = async (): Promise<string[]> => {
    const { github, receiver } = running();
    await github.webhooks.idle();
    const names = receiver.names().slice(read);
    read = receiver.received.length;
    return names;
  };
  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), "local-github-"));
    const receiver = await startReceiver();
    const github = await startLocalGitHub({
      directory: join(directory, "repositories"),
      people: { octocat: "write", boss: "admin", triager: "triage", reader: "read" },
      repositories: [
        { name: "app", files: { "README.md": "# app\n", "src/a.txt": "one\ntwo\nthree\n" } },
        { name: "lib" },
      ],
      observe: watch.observe,
      ...options,
    });
    github.setWebhook({ url: receiver.url, secret });
    started = { github, receiver, directory };
  });
  beforeEach(async () => {
    running().github.webhooks.filter = () => "send";
    await heard();
  });
  afterEach(() => {
    expect(watch.violations.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    const { github, receiver, directory } = running();
    await github.close();
    await receiver.close();
    await rm(directory, { recursive: true });
  });
  return {
    get github() {
      return running().github;
    },
    get receiver() {
      return running().receiver;
    },
    get directory() {
      return running().directory;
    },
    heard,
  };
}
