import { expect, it } from "vitest";
import { fileReason, OPERATOR_FILES } from "../../../src/domain/breakers/operator-file.ts";

it("names the file because of which a goal or a sprint stops", () => {
  expect(OPERATOR_FILES.map(fileReason)).toEqual([
    "the operator created the file PAUSE in the data directory",
    "the operator created the file CHECKPOINT in the data directory",
    "the operator created the file ABORT in the data directory",
  ]);
});
