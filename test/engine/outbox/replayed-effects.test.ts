import { expect, it } from "vitest";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import { ledgerRows } from "../../adapters/store/ledger-rows.ts";
import { commentsOn } from "../look.ts";
import { said, tell } from "../people.ts";
import { aRig } from "../rig.ts";

it("tries an act again that was given up, once, and says who asked for it", async () => {
  const rig = await aRig({});
  const stop = { consequence: "stop", advice: "Give the App the permission to write issues." } as const;
  rig.github.failNext("putComment", new GitHubError("forbidden", "no permission", 403, stop), "before");
  await tell(rig, said(rig, 1, "/flotilla why"));
  const [failed] = await rig.store.effects.find({ state: "failed" });
  if (failed === undefined) throw new Error("nothing has failed");
  expect(failed.result).toEqual({ code: "forbidden", advice: stop.advice });
  const before = commentsOn(rig).length;
  const wish = { effect: failed.id, by: "operator:dashboard" };
  const notice = rig.engine.operations.replayEffect({ ...wish, kind: "notify" });
  await expect(notice).rejects.toMatchObject({ message: `there is no failed notice ${failed.id}` });
  expect(await rig.engine.operations.replayEffect(wish)).toEqual({ kind: failed.kind });
  await rig.idle();
  expect(commentsOn(rig)).toHaveLength(before + 1);
  expect(await rig.store.effects.get(failed.id)).toMatchObject({ state: "done", uncertain: true });
  const [decision] = await rig.store.decisions.ofIssue(7, 1, 1);
  expect(decision).toMatchObject({ rule: "replayed", inputs: { by: "operator:dashboard" } });
  expect((await ledgerRows(rig.store, 0)).touches.map(({ kind }) => kind)).toEqual(["command", "command"]);
  await expect(rig.engine.operations.replayEffect(wish)).rejects.toMatchObject({ code: "not_found" });
});
