import { expect, test } from "vitest";
import { createSweeper } from "../../../src/webhooks/queue/sweeper.ts";
import { proved } from "../../proved.ts";
import { strictRig } from "./limits-rig.ts";
import { SILENT } from "./mocked-github.ts";

const WAYS = [
  ["429 with retry-after", { status: 429, retryAfter: 90 }, 90],
  ["429 without retry-after", { status: 429 }, 60],
  ["a secondary 403 with retry-after", { status: 403, retryAfter: 120 }, 120],
  ["a secondary 403 without retry-after", { status: 403 }, 60],
  ["a 403 of an hour that is used up", { status: 403, resetIn: 1800 }, 1800],
  ["a 429 of an hour that is used up", { status: 429, resetIn: 1800 }, 1800],
] as const;

test.each(WAYS)(
  "after %s nobody asks before GitHub allows it, a new process neither",
  async (name, how, s) => {
    const { clock, local, ref, start } = await strictRig();
    const issue = await local.as("octocat").openIssue({ title: "One", body: "Please." });
    const before = start();
    await before.issue(ref, issue);
    local.refuseNext(how);
    const at = clock.now();
    await expect(before.pullRequests(ref, {})).rejects.toMatchObject({
      code: "rate_limited",
      consequence: "park",
      retryAt: at + s * 1000,
      message: expect.stringMatching(/; it continues in about \d+ min$/),
    });
    const taken = local.taken();
    // The App's own calls have an hour of their own, and continue where only an installation's is used up.
    const alsoApp = !("resetIn" in how);
    let kept = 0;
    for (const github of [before, start()]) {
      const newest = { last: async () => at - 60_000, done: async () => {} };
      const sweeper = createSweeper({
        github,
        deliveries: { known: async () => new Set() },
        sweeps: newest,
        newest: null,
        onLost: async () => {},
        clock,
        log: SILENT,
      });
      const asks = [
        () => github.issue(ref, issue),
        () => github.permission(ref, { login: "octocat", id: null }),
        () => github.react(ref, 1, "+1"),
        () => github.putComment(ref, issue, { key: "k", body: "Word.", knownId: undefined }),
        ...(alsoApp ? [() => github.gitToken(ref), () => sweeper.now(), () => github.appSettings()] : []),
      ];
      for (const [moment, ask] of asks.flatMap((one) => [[0, one] as const, [1, one] as const])) {
        // At once, and a moment before the end.
        if (moment === 1) clock.move(at + s * 1000 - 1 - clock.now());
        await expect(ask()).rejects.toMatchObject({ code: "rate_limited" });
        kept += 1;
        if (moment === 1) clock.move(at - clock.now());
      }
      const account = alsoApp ? "*" : `installation ${ref.installationId}`;
      expect(github.limitWaits()).toEqual([{ account, what: "everything", until: at + s * 1000 }]);
    }
    expect(local.violations()).toEqual([]);
    expect(alsoApp ? local.taken() : taken).toBe(taken);
    clock.move(s * 1000);
    await before.issue(ref, issue);
    expect([local.violations(), before.limitWaits()]).toEqual([[], []]);
    proved({
      promise: `after ${name} nobody asks GitHub before it allows it`,
      test: "test/adapters/github/told-to-wait.test.ts",
      figure: `${kept} calls wanted in the forbidden time, ${local.violations().length} made`,
    });
  },
);
