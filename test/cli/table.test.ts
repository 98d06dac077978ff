import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { printerTo } from "../../src/cli/printer.ts";
import { working } from "../../src/cli/progress.ts";
import { printTable } from "../../src/cli/table.ts";

const HEAD = ["AGENT", "STATE", "REASON"];
const ROWS = [
  [
    "acme/shop:feat-dev-issue-42",
    "SLEEPING",
    "waits for #7, which somebody has to close before anything else can continue",
  ],
  ["acme/shop:triage-issue-1", "ACTIVE", ""],
];

function table(
  ...[head, rows, page]: Parameters<typeof printTable> extends [unknown, ...infer R] ? R : never
) {
  const lines: string[] = [];
  printTable(
    printerTo((line) => lines.push(line)),
    head,
    rows,
    page,
  );
  return lines;
}

beforeEach(() => {
  vi.stubEnv("FORCE_COLOR", undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
});

describe("a table", () => {
  test("is one uncut line for each row where no terminal is", () => {
    expect(table(HEAD, ROWS, {})).toEqual([
      "acme/shop:feat-dev-issue-42  SLEEPING  waits for #7, which somebody has to close before anything else can continue",
      "acme/shop:triage-issue-1     ACTIVE",
    ]);
    expect(table(HEAD, [], {})).toEqual([]);
  });

  test("aligns its columns by what is printed of characters that a terminal obeys", () => {
    expect(table(HEAD, [["a\u001b[2J\nb", "ACTIVE", ""], ROWS[0] ?? []], {})).toEqual([
      String.raw`a\u001b[2J b                 ACTIVE`,
      "acme/shop:feat-dev-issue-42  SLEEPING  waits for #7, which somebody has to close before anything else can continue",
    ]);
  });

  test("has a head on a terminal, and what does not fit stands below, wrapped", () => {
    expect(table(HEAD, ROWS, { isTTY: true, columns: 60 })).toEqual([
      "AGENT                        STATE",
      "    REASON",
      "acme/shop:feat-dev-issue-42  SLEEPING",
      "    waits for #7, which somebody has to close before",
      "    anything else can continue",
      "acme/shop:triage-issue-1     ACTIVE",
    ]);
  });

  test.each([20, 40, 80, 200])(
    "is never wider than a terminal of %i columns, and loses nothing",
    (columns) => {
      const rows = [...ROWS, ["x".repeat(100), "ACTIVE", "y".repeat(100)]];
      const lines = table(HEAD, rows, { isTTY: true, columns });
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
      expect(squeezed(lines.join(""))).toBe(squeezed([HEAD, ...rows].flat().join("")));
    },
  );

  test("counts what stands between columns, and its head is bold", () => {
    vi.stubEnv("FORCE_COLOR", "1");
    expect(table(["A", "B"], [["1234", "5678"]], { isTTY: true, columns: 10 })).toEqual([
      "\u001b[1mA     B\u001b[22m",
      "1234  5678",
    ]);
    expect(table(["A", "B"], [["1234", "5678"]], { isTTY: true, columns: 9 })).toHaveLength(4);
  });

  test("counts on 80 columns where the terminal does not say", () => {
    const lines = table(HEAD, ROWS, { isTTY: true });
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(lines).toHaveLength(5);
  });
});

function screen(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, columns: 60, written, write: (text: string) => written.push(text) };
}

describe("progress", () => {
  test("is one line of a terminal with a bar, gone at the end, also of work that fails", async () => {
    const here = screen(true);
    const done = working(
      "beginning",
      async ({ show }) => {
        show("deliveries are handed in", 1, 4);
        show("x".repeat(100));
        show("a\u001b[2J\nb");
        throw new Error("no");
      },
      here,
    );
    await expect(done).rejects.toThrow("no");
    expect(here.written).toEqual([
      "\r\u001b[Kbeginning …",
      "\r\u001b[K[#####               ] 1/4 deliveries are handed in",
      `\r\u001b[K${"x".repeat(59)}`,
      String.raw`${"\r\u001b[K"}a\u001b[2J b …`,
      "\r\u001b[K",
    ]);
  });

  test("is not there where no terminal is", async () => {
    const here = screen(false);
    expect(await working("beginning", async ({ show }) => show("more", 1, 2) ?? "done", here)).toBe("done");
    expect(here.written).toEqual([]);
  });
});

function squeezed(text: string): string {
  return text.replaceAll(/\s/g, "");
}
