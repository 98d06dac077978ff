import { expect, it } from "vitest";
import { labeled, said, tell } from "./people.ts";
import { aRig } from "./rig.ts";
import { escalate, on } from "./scripts.ts";

it("asks in a person's name for the comments that a command brings, and for no others", async () => {
  const rig = await aRig({ script: [on(1, escalate)] });
  const asked: (readonly [key: string, forPerson: boolean | undefined])[] = [];
  const { putComment } = rig.github;
  rig.github.putComment = (repository, number, comment) => {
    asked.push([comment.key.replace(/:.*$/, ""), comment.forPerson]);
    return putComment(repository, number, comment);
  };
  await tell(rig, labeled(rig, 1));
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter(([, forPerson]) => forPerson !== false)).toEqual([]);
  asked.length = 0;
  await rig.pass(60_000);
  await tell(rig, said(rig, 1, "/flotilla pause"));
  expect(asked).toContainEqual(["status", true]);
});
