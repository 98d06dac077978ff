import { type LocalGitHub, startLocalGitHub } from "../../src/demo/github/start.ts";

const MINUTE = 60_000;

/** A repository with closed issues of each kind, which grew over some hours before the present. */
export interface TrialRepository {
  readonly github: LocalGitHub;
  /** Numbers of the issues, by their kind. */
  readonly issues: Readonly<Record<Kind, number>>;
}

export type Kind =
  | "greeting"
  | "farewell"
  | "sum"
  | "flaky"
  | "neverFailed"
  | "failsWithChange"
  | "namesFix"
  | "noTests"
  | "onlyTests"
  | "noPull"
  | "severalIssues"
  | "openedLater";

const testOf = (name: string, body: string) =>
  `import test from "node:test";\nimport assert from "node:assert/strict";\nimport * as shop from "../shop.js";\n\ntest(${name}, () => {\n${body}\n});\n`;

const BEGIN = {
  "package.json": '{ "type": "module" }\n',
  "shop.js": [
    'export const greeting = () => "helo";',
    'export const farewell = () => "by";',
    "export const sum = (a, b) => a - b;",
    'export const price = (cents) => "$" + cents;',
    "",
  ].join("\n"),
  "test/price.test.js": testOf('"price has a dollar sign"', "  assert.match(shop.price(1), /^\\$/);"),
};

/** The real change of `shop.js` for each issue that has one. */
const CHANGED: Readonly<Partial<Record<Kind, readonly [string, string]>>> = {
  greeting: ['"helo"', '"hello"'],
  farewell: ['"by"', '"bye"'],
  sum: ["a - b", "a + b"],
};

/** Starts it. The caller closes `github`, and removes `directory`. */
export async function startTrialRepository(directory: string): Promise<TrialRepository> {
  let behind = 40 * 60 * MINUTE;
  const later = (): void => void (behind -= 10 * MINUTE);
  const github = await startLocalGitHub({
    directory,
    organization: "acme",
    repositories: [{ name: "shop", files: BEGIN }],
    people: { mona: "write", hubot: "read" },
    now: () => Date.now() - behind,
  });
  const mona = github.as("mona");
  let code = BEGIN["shop.js"];

  const open = async (title: string, body: string): Promise<number> => {
    later();
    return github.as("hubot").openIssue({ title, body });
  };
  const solve = async (kind: Kind, files: Readonly<Record<string, string>>, closes: readonly number[]) => {
    later();
    const [from, to] = CHANGED[kind] ?? ["", ""];
    const next = code.replace(from, to);
    await mona.push(
      `work/${kind}`,
      { ...files, ...(next === code ? {} : { "shop.js": next }) },
      `Work on ${kind}`,
    );
    later();
    const body = closes.map((number) => `Closes #${number}`).join("\n");
    const pull = await mona.openPull({ title: `Work on ${kind}`, head: `work/${kind}`, body });
    later();
    await mona.merge(pull, "squash");
    code = next;
    return pull;
  };

  const greeting = await open("The greeting is misspelt", "It says `helo`.");
  await github.as("hubot").comment(greeting, "/flotilla start feat-dev");
  await solve(
    "greeting",
    { "test/greeting.test.js": testOf('"greets"', '  assert.equal(shop.greeting(), "hello");') },
    [greeting],
  );
  await github.as("hubot").comment(greeting, "LATER: thanks, hello it is.");

  const farewell = await open("The farewell is cut short", "It says `by`.");
  await solve(
    "farewell",
    { "test/farewell.test.js": testOf('"parts"', '  assert.equal(shop.farewell(), "bye");') },
    [farewell],
  );
  later();
  await github.as("hubot").edit(farewell, { body: "LATER: it has to say `bye`." });

  const sum = await open("Sums are wrong", "1 and 2 give -1.");
  await solve("sum", { "test/sum.test.js": testOf('"adds"', "  assert.equal(shop.sum(1, 2), 3);") }, [sum]);

  const flaky = await open("Prices are odd", "Sometimes.");
  await solve(
    "flaky",
    {
      "notes.txt": "1\n",
      // Its name differs each time, as that of a test with a date in it.
      "test/flaky.test.js": testOf(
        "`odd ${crypto.randomUUID()}`",
        '  assert.equal(readFileSync("notes.txt", "utf8"), "1\\n");',
      ).replace("import test", 'import { readFileSync } from "node:fs";\nimport test'),
    },
    [flaky],
  );
  const neverFailed = await open("Prices need a test", "They have one too few.");
  await solve(
    "neverFailed",
    {
      "notes.txt": "2\n",
      "test/more.test.js": testOf('"more of price"', '  assert.equal(shop.price(2), "$2");'),
    },
    [neverFailed],
  );
  const failsWithChange = await open("Prices have no cents", "A price of 150 is $150.");
  await solve(
    "failsWithChange",
    {
      "notes.txt": "3\n",
      "test/cents.test.js": testOf('"cents"', '  assert.equal(shop.price(150), "$1.50");'),
    },
    [failsWithChange],
  );
  await mona.push("main", { "test/cents.test.js": null }, "Take back a test that fails");

  const namesFix = await open("The notes lack a number", "Take it from work/namesFix, where it is done.");
  await solve(
    "namesFix",
    { "notes.txt": "4\n", "test/notes.test.js": testOf('"notes"', "  assert.ok(shop);") },
    [namesFix],
  );
  const noTests = await open("The notes are short", "Make them longer.");
  await solve("noTests", { "notes.txt": "5\n" }, [noTests]);
  const onlyTests = await open("Sums are hardly tested", "Test another one.");
  await solve(
    "onlyTests",
    { "test/sums.test.js": testOf('"more sums"', "  assert.equal(shop.sum(2, 2), 4);") },
    [onlyTests],
  );
  const noPull = await open("Is this the right shop?", "I wonder.");
  await mona.close(noPull);
  const severalIssues = await open("Two things are wrong", "First one.");
  const other = await open("Another thing is wrong", "Second one.");
  await solve(
    "severalIssues",
    { "notes.txt": "6\n", "test/six.test.js": testOf('"six"', "  assert.ok(shop);") },
    [severalIssues, other],
  );
  later();
  await mona.push(
    "work/openedLater",
    { "notes.txt": "7\n", "test/seven.test.js": testOf('"seven"', "  assert.ok(shop);") },
    "Seven",
  );
  const openedLater = await open("The notes lack seven", "Written down after the work.");
  later();
  const pull = await mona.openPull({
    title: "Seven",
    head: "work/openedLater",
    body: `Closes #${openedLater}`,
  });
  await mona.merge(pull, "squash");

  behind = 0;
  return {
    github,
    issues: {
      greeting,
      farewell,
      sum,
      flaky,
      neverFailed,
      failsWithChange,
      namesFix,
      noTests,
      onlyTests,
      noPull,
      severalIssues,
      openedLater,
    },
  };
}
