import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Bench, Size } from "../../bench/bench.ts";
import { runBenches } from "../../bench/run-benches.ts";

let directory: string;
let page: string;
let ran: string[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "flotilla-page-"));
  page = join(directory, "page.md");
  writeFileSync(page, "# Page\n\n<!-- begin figures -->\n\nold\n\n<!-- end figures -->\n\nMore.\n");
  ran = [];
});
afterEach(() => rmSync(directory, { recursive: true }));

function aBench(name: string): Bench {
  return {
    name,
    about: `what ${name} takes`,
    run(size: Size) {
      ran.push(`${name} ${size}`);
      return Promise.resolve([
        { what: "it", unit: "ms", ours: [4], reference: { name: "bare", rounds: [2] } },
      ]);
    },
  };
}

async function run(...args: readonly string[]): Promise<{ code: number; printed: string; noted: string }> {
  const printed: string[] = [];
  const noted: string[] = [];
  const code = await runBenches(args, {
    benches: [aBench("one"), aBench("two")],
    page,
    print: (text) => printed.push(text),
    note: (text) => noted.push(text),
  });
  return { code, printed: printed.join("\n"), noted: noted.join("\n") };
}

describe("npm run bench", () => {
  it("runs all of them and prints one table under the machine that they ran on", async () => {
    const { code, printed } = await run();
    expect([code, ran]).toEqual([0, ["one full", "two full"]]);
    expect(printed).toContain(`Node ${process.versions.node}, git `);
    expect(printed).toMatch(/\none\n {2}it, ms +4\.00 +2\.00 bare +2\.00\ntwo\n/);
    expect(readFileSync(page, "utf8")).toContain("old");
  });

  it("runs those that are named, in miniature when asked, and prints JSON", async () => {
    const { printed } = await run("--only", "two", "--small", "--json");
    expect(ran).toEqual(["two small"]);
    expect(JSON.parse(printed)).toMatchObject({
      machine: expect.stringContaining("cores"),
      parts: [{ bench: { name: "two" }, rows: [{ what: "it", ours: [4], reference: { rounds: [2] } }] }],
    });
  });

  it("names those that there are when one is asked for that there is not", async () => {
    const { code, noted } = await run("--only", "one", "--only", "three");
    expect([code, ran]).toEqual([2, []]);
    expect(noted).toBe(
      "there is no bench three; there are\n  one       what one takes\n  two       what two takes",
    );
  });

  it("prints how it is used, with the benches, and runs none", async () => {
    const { code, printed } = await run("--help", "--small");
    expect([code, ran]).toEqual([0, []]);
    expect(printed).toMatch(/^Usage: npm run bench -- \[options\]\n/);
    expect(printed).toContain(`renew the table of ${page}\n`);
    expect(printed).toMatch(/\n {2}one {7}what one takes\n {2}two {7}what two takes$/);
  });

  it.each([
    ["--nope", "Unknown option '--nope'. See npm run bench -- --help."],
    ["nope", "Unexpected argument 'nope'. See npm run bench -- --help."],
    ["--small=yes", "Option '--small' does not take an argument. See npm run bench -- --help."],
    ["--only", "Option '--only <value>' argument missing. See npm run bench -- --help."],
  ])("answers %s by one line", async (wrong, noted) => {
    expect(await run(wrong)).toEqual({ code: 2, printed: "", noted });
    expect(ran).toEqual([]);
  });

  it("renews the table of the page and nothing else of it", async () => {
    const { printed } = await run("--write", "--markdown");
    expect(readFileSync(page, "utf8")).toBe(
      `# Page\n\n<!-- begin figures -->\n\n${printed}\n\n<!-- end figures -->\n\nMore.\n`,
    );
    expect(printed).toContain("| it, ms | 4.00 | 2.00 bare | 2.00 |");
  });

  it.each([["--small"], ["--only=one"]])("does not write figures of %s into the page", async (option) => {
    expect(await run("--write", option)).toMatchObject({ code: 2, printed: "" });
    expect(ran).toEqual([]);
  });
});
