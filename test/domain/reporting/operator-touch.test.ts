import { expect, it } from "vitest";
import { operatorTouch } from "../../../src/domain/reporting/operator-touch.ts";

it("counts a request of the operator's once, however often it is made", () => {
  const of = { repositoryId: 7, issue: 4 };
  const touch = { repositoryId: 7, issue: 4, kind: "command", key: "operator:a1", at: 5 };
  expect(operatorTouch(of, "command", { act: "a1", at: 5 })).toEqual(touch);
});
