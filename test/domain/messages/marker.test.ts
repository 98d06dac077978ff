import { string as anyText, assert as assertProperty, property, record, stringMatching } from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMarker, printMarker, withMarker } from "../../../src/domain/messages/marker.ts";

const marker = record({
  key: anyText({ minLength: 1, unit: "grapheme" }),
  mac: stringMatching(/^[0-9a-f]{8,64}$/),
});

describe("marker", () => {
  it("is read back from any text that it ends", () => {
    assertProperty(
      property(marker, anyText(), (given, body) => {
        expect(parseMarker(withMarker(body, given))).toEqual(given);
      }),
    );
  });

  it("is one HTML comment on one line, whatever the key", () => {
    assertProperty(
      property(marker, (given) => {
        const inside = /^<!--(.*)-->$/.exec(printMarker(given))?.[1];
        expect(inside).toBeDefined();
        expect(inside).not.toMatch(/--|[<>]/);
      }),
    );
  });

  it("keeps a plain key readable", () => {
    const printed = printMarker({ key: "octo/shop#3:status", mac: "0af1" });
    expect(printed).toBe("<!-- flotilla:v1 key=octo/shop#3:status mac=0af1 -->");
  });

  it("pushes out markers that the text brought along", () => {
    const planted = `Hello ${printMarker({ key: "other", mac: "aa" })}\n<!--flotilla:v9 x-->`;
    const text = withMarker(planted, { key: "mine", mac: "bb" });
    expect(text).toBe("Hello\n\n<!-- flotilla:v1 key=mine mac=bb -->");
  });

  it("counts only the last one in a text", () => {
    const text = `${printMarker({ key: "first", mac: "aa" })} ${printMarker({ key: "last", mac: "bb" })}`;
    expect(parseMarker(text)).toEqual({ key: "last", mac: "bb" });
  });

  it("takes out a whole comment alone, not what goes on behind a sign that ends none", () => {
    const text = "a <!-- flotilla: b> c --> d <!--flotilla:<!-- flotilla:--> e <!-- flotilla: f";
    expect(withMarker(text, { key: "a", mac: "aa" })).toMatch(
      /^a <!-- flotilla: b> c --> d {2}e <!-- flotilla: f\n\n<!-- flotilla:v1 /,
    );
  });

  it.each(["", "no marker", "<!-- flotilla:v1 key=%E0%A4 mac=aa -->", "<!-- flotilla:v1 key=a mac=XYZ -->"])(
    "is not found in %j",
    (text) => {
      expect(parseMarker(text)).toBeUndefined();
    },
  );
});
