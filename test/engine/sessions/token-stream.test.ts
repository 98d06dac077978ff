import { expect, it } from "vitest";
import { redactor } from "../../../src/domain/access/redact.ts";
import { TokenStream } from "../../../src/engine/sessions/session-record.ts";
import { AT } from "../../factories/moment.ts";
import { createFakeClock } from "../../fakes/clock.ts";
import { OUR_KEY } from "../rig.ts";

it("takes out a secret that comes in pieces, a moment apart, before any of it is passed on", () => {
  const clock = createFakeClock(AT);
  const passed: string[] = [];
  const stream = new TokenStream({ clock, redact: redactor([OUR_KEY]), emit: (text) => passed.push(text) });
  for (const piece of [
    "It is ",
    OUR_KEY.slice(0, 10),
    OUR_KEY.slice(10, 20),
    OUR_KEY.slice(20),
    " there. ",
  ]) {
    stream.add(piece);
    clock.advance(60_000);
  }
  expect(passed.join("")).toBe("It is [redacted] there. ");
});
