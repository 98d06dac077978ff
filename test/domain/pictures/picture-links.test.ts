import { describe, expect, it } from "vitest";
import { assetOf, commentPlace, pictureLinks } from "../../../src/domain/pictures/picture-links.ts";

const ID = "0a1b2c3d-0000-4000-8000-00000000000f";
const OTHER = "ffffffff-0000-4000-8000-00000000000f";
const address = `https://github.com/user-attachments/assets/${ID}`;
const place = { kind: "comment", number: 3, id: 9 } as const;
const found = (text: string) =>
  pictureLinks({ place, text }).attachments.map(({ asset, alternative }) => [asset, alternative]);

describe("the pictures of a text", () => {
  it("are found in Markdown and in HTML, in their order, with what their author says", () => {
    const html = `<img width="400" alt="The  error\nin red" src='https://github.com/user-attachments/assets/${OTHER}' />`;
    expect(found(`See ${html}\n\n![It works](${address} "Title")`)).toEqual([
      [OTHER, "The error in red"],
      [ID, "It works"],
    ]);
    expect(pictureLinks({ place, text: `![](${address})` })).toEqual({
      attachments: [{ place, asset: ID, alternative: "" }],
      elsewhere: 0,
    });
  });

  it.each([
    ["a fenced block", `\`\`\`\n![a](${address})\n\`\`\``],
    ["code in a line", `Write \`![a](${address})\` there.`],
    ["a comment", `<!-- ![a](${address}) --> Text.`],
    ["a comment without an end", `Text. <!-- ![a](${address})`],
    ["a link", `[a](${address})`],
  ])("are not those in %s", (_, text) => {
    expect(found(text)).toEqual([]);
  });

  it("elsewhere are only counted", () => {
    for (const other of [
      "https://example.com/a.png",
      `https://example.com/x/${ID}`,
      `https://github.com/user-attachments/files/${ID}`,
      "https://github.com/user-attachments/assets/../../settings",
      "javascript:alert(1)",
      "no-address",
    ])
      expect(pictureLinks({ place, text: `![a](${other})` })).toEqual({ attachments: [], elsewhere: 1 });
  });

  it("of a long text take no long time, and words about one are cut", () => {
    expect(found(`![${"a".repeat(900)}](${address})`)).toEqual([[ID, "a".repeat(200)]]);
    expect(found("![".repeat(50_000))).toEqual([]);
    expect(found("<img ".repeat(50_000))).toEqual([]);
    expect(found("<!--".repeat(50_000))).toEqual([]);
  });
});

it.each([
  address,
  `https://github.com/acme/shop/assets/583231/${ID}`,
  `https://user-images.githubusercontent.com/583231/12345-${ID}.png`,
  `https://private-user-images.githubusercontent.com/583231/12345-${ID.toUpperCase()}.png?jwt=a.b.c`,
])("the attachment at %s has its name in all its addresses", (written) => {
  expect(assetOf(written)).toBe(ID);
});

describe("the place of a comment", () => {
  it("is read from its address, on an issue and on a pull request", () => {
    const shop = "https://github.test/octo/shop";
    expect(commentPlace(`${shop}/issues/3#issuecomment-9`)).toEqual(place);
    expect(commentPlace(`${shop}/pull/3#issuecomment-9`)).toEqual(place);
  });

  it.each([
    "",
    "https://github.test/octo/shop/issues/3",
    "/issues/3#issuecomment-9",
    "https://github.test/a/b/pull/3#discussion_r9",
  ])("is not in %j", (other) => {
    expect(commentPlace(other)).toBeNull();
  });
});
