import { expect, it } from "vitest";
import { promptBlocks } from "../../../../src/adapters/runtimes/acp/host-side.ts";

const picture = { mediaType: "image/jpeg", bytes: Buffer.from("picture") } as const;
const image = { type: "image", mimeType: "image/jpeg", data: "cGljdHVyZQ==" };

it.each([
  [true, false, "Look.", [image]],
  [true, true, "Look.\n\nYou see the pictures of this message only until you are started again.", [image]],
  [false, true, "Look.\n\nYou cannot be shown the pictures of this message", []],
])("an agent that takes pictures: %s, and loses them: %s", (takesPictures, losesPictures, begin, shown) => {
  const [text, ...images] = promptBlocks("Look.", [picture], { takesPictures, losesPictures });
  expect(text).toEqual({ type: "text", text: expect.stringContaining(begin) });
  expect(images).toEqual(shown);
});

it("a message without pictures stays as it is", () => {
  const agent = { takesPictures: false, losesPictures: true };
  expect(promptBlocks("Look.", [], agent)).toEqual([{ type: "text", text: "Look." }]);
});
