import { expect, test } from "vitest";
import { z } from "zod";
import { object, section, setting, sparse } from "../../../src/domain/settings/keys.ts";

const pump = section(
  "pump",
  "A pump.",
  {
    maxFlow: setting("max_flow", z.int().min(1), { description: "Litres.", default: 5 }),
    sign: setting("sign", z.string().optional(), { description: "What stands on it." }),
  },
  ({ maxFlow }, context) => {
    if (maxFlow === 13) context.addIssue({ code: "custom", path: ["max_flow"], message: "brings bad luck" });
  },
);

test("a section takes the words of the file and gives the names of the code, with its defaults", () => {
  expect(pump.schema.parse(undefined)).toEqual({ maxFlow: 5 });
  expect(pump.schema.parse({ max_flow: 7, sign: "wet" })).toEqual({ maxFlow: 7, sign: "wet" });
  expect(object({ pump }).parse({ pump: {} })).toEqual({ pump: { maxFlow: 5 } });
});

test("a name of the code is no word of the file", () => {
  expect(pump.schema.safeParse({ maxFlow: 7 }).error?.issues).toMatchObject([
    { code: "unrecognized_keys", keys: ["maxFlow"] },
  ]);
});

test("a section checks its values together, and says where in the words of the file", () => {
  expect(pump.schema.safeParse({ max_flow: 13 }).error?.issues).toMatchObject([
    { path: ["max_flow"], message: "brings bad luck" },
  ]);
});

test("of a sparse mapping only what is written has a value, be it undefined", () => {
  const off = setting(
    "max",
    z.literal("off").transform(() => undefined),
    { description: "Most.", default: "off" },
  );
  expect(sparse({ off, ...pump.keys }).parse({ max: "off" })).toStrictEqual({ off: undefined });
  expect(sparse({ off, ...pump.keys }).parse({})).toStrictEqual({});
});
