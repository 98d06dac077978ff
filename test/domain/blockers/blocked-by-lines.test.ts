import { expect, it } from "vitest";
import { blockedByLines, readBlockedByLines } from "../../../src/domain/blockers/blocked-by-lines.ts";

const blockers = [
  { repository: "acme/shop", number: 7, open: true },
  { repository: "acme/lib.js", number: 12, open: false },
];

it("are a task list that is read back as it was written", () => {
  const lines = blockedByLines(blockers);
  expect(lines).toEqual(["- [ ] blocked by acme/shop#7", "- [x] blocked by acme/lib.js#12"]);
  expect(readBlockedByLines(`### Flotilla\n\n${lines.join("\n")}\n\nrest`)).toEqual([
    { repository: "acme/shop", number: 7, ticked: false },
    { repository: "acme/lib.js", number: 12, ticked: true },
  ]);
});

it("are read with the ends of lines that a browser sends, and nothing else is taken for one", () => {
  expect(readBlockedByLines("- [X] blocked by acme/shop#7\r\n")).toMatchObject([{ ticked: true }]);
  const others = ["blocked by acme/shop#7", "- [ ] blocked by #7", "> - [ ] blocked by acme/shop#7"];
  expect(readBlockedByLines([...others, "- [ ] blocked by acme/shop#7 soon"].join("\n"))).toEqual([]);
});
