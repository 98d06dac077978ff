import { describe, expect, it } from "vitest";
import { codeOwners } from "../../../src/domain/merge-queue/code-owners.ts";
import { isAbove, type RiskFacts, riskOfMerge } from "../../../src/domain/merge-queue/risk.ts";
import {
  riskAboveOf,
  riskAboveWords,
  riskInCheck,
  riskWords,
} from "../../../src/domain/merge-queue/risk-above.ts";
import { kindOfPath } from "../../../src/domain/merge-queue/risk-of-path.ts";
import { testPlaces } from "../../../src/domain/merge-queue/test-places.ts";
import { randomOf } from "../../random.ts";

const SAFE: RiskFacts = {
  change: { files: [{ path: "README.md", lines: 4 }], reverted: [] },
  filesBefore: [],
  protectedPaths: [".github/workflows/**"],
  weakensTests: false,
  proved: 1,
  owners: null,
  approvedBy: [],
  failures: 0,
};

const changing = (...files: readonly (readonly [path: string, lines: number | null])[]) => ({
  files: files.map(([path, lines]) => ({ path, lines })),
  reverted: [],
});

const risk = (facts: Partial<RiskFacts>) => riskOfMerge({ ...SAFE, ...facts });

describe("the risk of a merge", () => {
  it("is nothing for a small text", () => {
    expect(risk({})).toEqual({ score: 0, reasons: [] });
    expect(riskWords(risk({}))).toBe("0 of 100 (it is small and changes only texts)");
  });

  it.each([
    ["a test", "test/a.test.ts", 5],
    ["code", "src/a.ts", 30],
    ["a file of an unknown kind", "data/model.bin", 15],
    ["the build", "Makefile", 30],
    ["dependencies", "package-lock.json", 35],
    ["a workflow", ".github/dependabot.yml", 40],
    ["a migration", "db/migrate/001_users.rb", 40],
    ["a protected path", ".github/workflows/ci.yml", 100],
  ])("counts %s by its path", (_, path, score) => {
    expect(risk({ change: changing([path, 1]) }).score).toBe(score);
  });

  it("is the highest for what could not be read, which a limit never allows", () => {
    const unread = risk({ change: null });
    expect(unread).toEqual({
      score: 100,
      reasons: ["what it changes could not be read, or is too much to read"],
    });
    expect(isAbove({ ...unread, most: 99 })).toBe(true);
  });

  it("names the largest parts first", () => {
    const { score, reasons } = risk({
      change: { ...changing(["src/a.ts", 90], ["package.json", 2]), reverted: ["src/a.ts"] },
      weakensTests: true,
      proved: 0,
      failures: 1,
    });
    expect(score).toBe(100);
    expect(reasons).toEqual([
      "it changes dependencies, in `package.json`",
      "it may weaken the tests",
      "it changes code and no test",
      "no acceptance command has succeeded on it",
      "a commit that changed `src/a.ts` was reverted not long ago",
      "it changes 92 lines",
      "its merge failed once before",
    ]);
  });

  it("is lower where a test comes with the code", () => {
    const [alone, tested] = [changing(["src/a.ts", 5]), changing(["src/a.ts", 5], ["src/a.test.ts", 5])];
    expect([risk({ change: alone }).score, risk({ change: tested }).score]).toEqual([30, 15]);
  });

  it("counts a binary file as many lines", () => {
    const { score, reasons } = risk({ change: changing(["logo.png", null], ["a.md", 1]) });
    expect(score).toBe(15 + 15);
    expect(reasons[1]).toBe("it changes 201 lines, where 1 binary file counts as 200 each");
  });

  describe("with owners", () => {
    const owners = codeOwners("*.md @Writer @acme/docs\nold.md\n");
    const text = { change: changing(["a.md", 1], ["old.md", 1]), owners };

    it("is higher until one of those that are named has approved", () => {
      expect(risk(text)).toEqual({
        score: 15,
        reasons: ["no owner of `a.md` approved it (`@Writer @acme/docs`)"],
      });
      expect(risk({ ...text, approvedBy: ["writer"] }).score).toBe(0);
      expect(risk({ ...text, approvedBy: ["docs"] }).score).toBe(15);
    });

    it("is higher where they cannot be found", () => {
      expect(risk({ owners: "too_long" }).score).toBe(15);
      const many = changing(...Array.from({ length: 301 }, (_, at) => [`${at}.txt`, 0] as const));
      expect(risk({ change: many, owners }).reasons).toContain(
        "CODEOWNERS or the list of its files is too long to find the owners",
      );
    });
  });

  it("never falls when there is more to it", () => {
    const random = randomOf(18);
    const pick = <T>(items: readonly [T, ...T[]]): T =>
      items[Math.floor(random() * items.length)] ?? items[0];
    const paths = ["a.md", "src/a.ts", "x.bin", "package.json", "Makefile", "db/migrations/1.sql"] as const;
    for (let round = 0; round < 1000; round += 1) {
      const files = Array.from({ length: Math.floor(random() * 30) }, (_, at) => ({
        path: `${at}/${pick(paths)}`,
        lines: random() < 0.1 ? null : Math.floor(random() ** 4 * 2000),
      }));
      const reverted = files.filter(() => random() < 0.05).map(({ path }) => path);
      const facts: RiskFacts = {
        ...SAFE,
        change: { files, reverted },
        weakensTests: random() < 0.2,
        proved: Math.floor(random() * 2),
        owners: random() < 0.3 ? codeOwners("*.ts @x\n*.json @y\n") : null,
        approvedBy: random() < 0.5 ? ["x"] : [],
        failures: Math.floor(random() * 3),
      };
      const grown = files.map((file, at) =>
        at === 0 && file.lines !== null ? { ...file, lines: file.lines + Math.floor(random() * 500) } : file,
      );
      const more: RiskFacts[] = [
        { ...facts, change: { files: grown, reverted } },
        { ...facts, change: { files: [...files, { path: `new/${pick(paths)}`, lines: 1 }], reverted } },
        {
          ...facts,
          change: { files, reverted: [...new Set([...reverted, ...files.map(({ path }) => path)])] },
        },
        { ...facts, change: null },
        { ...facts, failures: facts.failures + 1 },
        { ...facts, weakensTests: true },
        { ...facts, proved: 0 },
        { ...facts, approvedBy: [] },
        { ...facts, protectedPaths: ["**"] },
      ];
      const { score } = riskOfMerge(facts);
      expect(score).toBeGreaterThanOrEqual(0);
      expect(riskOfMerge(facts)).toEqual(riskOfMerge(structuredClone(facts)));
      for (const one of more) {
        const { score: higher } = riskOfMerge(one);
        expect(higher).toBeGreaterThanOrEqual(score);
        expect(higher).toBeLessThanOrEqual(100);
      }
    }
  });

  it("is words that no path can break out of", () => {
    const path = "src/`@everyone`\n</details> <!-- -->.ts";
    expect(riskWords(risk({ change: changing([path, 1]) }))).toBe(
      "30 of 100 (it changes code, in `src/'@everyone' </details> <!-- -->.ts`; it changes code and no test)",
    );
  });
});

describe("a risk above the limit", () => {
  const kept = { commit: "c1", score: 55, most: 30, reasons: ["one", "two", "three", "four"] };

  it("is said with its three main reasons", () => {
    expect(riskAboveWords(kept)).toBe(
      "its risk is 55 of 100 (one; two; three), and above 30 a person merges",
    );
  });

  it("is in the check with all reasons", () => {
    expect(riskInCheck(kept)).toEqual({
      title: "a person merges (risk 55)",
      summary:
        "The risk of merging this commit is 55 of 100. Above 30 a person merges:\n\n- one\n- two\n- three\n- four",
    });
  });

  it("counts for the commit that was approved, and while it is", () => {
    expect(riskAboveOf({ state: "APPROVED", reviewCommit: "c1", riskAbove: kept })).toBe(kept);
    expect(riskAboveOf({ state: "APPROVED", reviewCommit: "c2", riskAbove: kept })).toBeNull();
    expect(riskAboveOf({ state: "REJECTED", reviewCommit: "c1", riskAbove: kept })).toBeNull();
  });
});

it.each([
  ["docs/guide.md", "texts, in"],
  ["LICENSE", "texts, in"],
  ["requirements-dev.txt", "dependencies, in"],
  ["dev-requirements.txt", "dependencies, in"],
  ["requirements/prod.txt", "dependencies, in"],
  ["constraints.txt", "dependencies, in"],
  ["conanfile.txt", "dependencies, in"],
  ["docs/requirements.md", "texts, in"],
  // What it contains runs when the pages are built.
  ["docs/intro.mdx", "code, in"],
  ["src/lib.rs", "code, in"],
  ["tests/fixtures/package.json", "dependencies, in"],
  ["ci/run.sh", "what CI or a deployment runs, in"],
  ["Dockerfile", "what CI or a deployment runs, in"],
  ["vendor/github.com/x/y.go", "dependencies, in"],
  ["a.sql", "what changes data for good, in"],
])("%s is %s", (path, words) => {
  expect(kindOfPath(path, testPlaces([path], [])).words).toBe(words);
});
