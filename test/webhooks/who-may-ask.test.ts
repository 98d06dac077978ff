import { expect, it } from "vitest";
import { GitHubError } from "../../src/domain/kernel/errors.ts";
import { createWhoMayAsk } from "../../src/webhooks/who-may-ask.ts";
import { someSettings } from "../factories/some-settings.ts";
import { createMemoryLog } from "./memory-log.ts";
import { BOT, rowOf, WRITER } from "./reading-rig.ts";

function asking(error: Error) {
  const unread: string[] = [];
  const mayAsk = createWhoMayAsk({
    settings: someSettings(),
    github: {
      permission: async () => {
        throw error;
      },
    },
    identity: { botId: BOT.id },
    log: createMemoryLog(),
    unread: (_, why) => unread.push(why),
  });
  return { unread, asked: () => mayAsk(rowOf(), WRITER) };
}

it("waits while GitHub's limits put off the question who may", async () => {
  const limit = new GitHubError("rate_limited", "in a minute", 403, { consequence: "park", retryAt: 60_000 });
  const { unread, asked } = asking(limit);
  await expect(asked()).rejects.toBe(limit);
  expect(unread).toEqual([]);
});

it.each(["retry", "tell", "stop"] as const)(
  "counts as no where GitHub does not say who may, with consequence %s",
  async (consequence) => {
    const { unread, asked } = asking(new GitHubError("unavailable", "it is down", 502, { consequence }));
    expect(await asked()).toBe(false);
    expect(unread).toEqual(["it is down"]);
  },
);
