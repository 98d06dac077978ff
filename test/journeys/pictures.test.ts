import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MOST_FETCHED } from "../../src/domain/pictures/picture.ts";
import { expectContinued } from "../continued-requests.ts";
import { after, aScenario, call, makes, saysOn } from "./a-scenario.ts";
import { type Journey, startJourney } from "./journey.ts";

const BLOCKER = 1;
const SEEN = 2;
/** The pull request of the other is #3. */
const UNSEEN = 4;
/** Stands in the head of each file, where no model may see it. */
const CANARY = "Taken at 35.3 S 149.1 E by Mallory";

const PRICE = { in: 2, cached: 0.5, out: 8 };

function aPicture(background: string): Promise<Buffer> {
  return sharp({ create: { width: 40, height: 20, channels: 3, background } })
    .png()
    .withExif({ IFD0: { ImageDescription: CANARY } })
    .toBuffer();
}

/** A small file that says that it has billions of pixels. */
async function aBomb(): Promise<Buffer> {
  const file = await aPicture("red");
  file.writeUInt32BE(60_000, 16);
  file.writeUInt32BE(60_000, 20);
  file.writeUInt32BE(crc32(file.subarray(12, 29)), 29);
  return file;
}

const png = (bytes: Uint8Array) => ({ type: "image/png", bytes });
const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex").slice(0, 7);

/** Returns what the model's requests about an issue hold, in order. */
function requestsAbout(issue: number) {
  return journey.model.requests.filter(({ body }) => body.includes(`Work on issue #${issue} of`));
}

/** Returns the pictures in a request, as bytes. */
function picturesIn({ body }: { readonly body: string }): readonly Buffer[] {
  const urls = body.match(/"image_url":\{[^{}]*\}/g) ?? [];
  return urls.map((part) =>
    Buffer.from(/"url":"data:image\/jpeg;base64,([^"]+)"/.exec(part)?.[1] ?? "", "base64"),
  );
}

/** Returns the colour in the middle of a picture, and what its file holds beside the pixels. */
async function lookedAt(bytes: Buffer) {
  const { format, width, height, exif, icc, xmp } = await sharp(bytes).metadata();
  const [red = 0, green = 0] = await sharp(bytes)
    .extract({ left: 20, top: 10, width: 1, height: 1 })
    .raw()
    .toBuffer();
  return { format, width, height, beside: [exif, icc, xmp], colour: red > green ? "red" : "green" };
}

const fetched = (address: string) =>
  journey.github.requests().filter(({ path }) => path.includes(address.split("/").at(-1) ?? address));

let journey: Journey;

beforeAll(async () => {
  journey = await startJourney({
    scenario: aScenario({
      config: {
        runtime: { vision: ["gpt-4.1"], models: ["blind"], prices: { "gpt-4.1": PRICE, blind: PRICE } },
      },
      conversations: [
        saysOn(SEEN, [
          call("report_blocked", { blocker_issue: BLOCKER, reason: "That comes first." }),
          ...after("#1", makes("made.md")),
        ]),
        saysOn(UNSEEN, makes("unseen.md")),
      ],
    }),
  });
}, 180_000);
afterAll(() => journey.close());

describe("the pictures of people", () => {
  it("reach the model written anew, survive a kill to the byte, and those that are none are told", async () => {
    const { github } = journey;
    const [octocat, hubot] = [github.as("octocat"), github.as("hubot")];
    const [redFile, greenFile] = [await aPicture("red"), await aPicture("green")];
    const red = octocat.attach(png(redFile));
    const green = octocat.attach(png(greenFile));
    const page = octocat.attach({
      type: "text/html; charset=utf-8",
      bytes: Buffer.from("<html>Sign in</html>"),
    });
    const bomb = octocat.attach(png(await aBomb()));
    const large = octocat.attach(png(Buffer.alloc(MOST_FETCHED + 1)));
    const gone = octocat.attach(png(await aPicture("red")));
    const strange = hubot.attach(png(await aPicture("red")));
    github.faults.add({ path: new RegExp(gone.split("/").at(-1) ?? ""), kind: "status", status: 404 });

    await octocat.openIssue({ title: "First", body: "Please." });
    const body = [
      `Make it so:\n\n<img width="40" height="20" alt="The red page" src="${red}" />\n`,
      `![A page](${page}) ![A bomb](${bomb}) ![A film](${large}) ![Gone](${gone})`,
      "![Elsewhere](https://evil.example.com/a.png)",
    ].join("\n");
    await octocat.openIssue({ title: "Then", body });
    await octocat.label(SEEN, "feature");
    await journey.reached(SEEN, "SLEEPING");

    const [first] = requestsAbout(SEEN);
    const shown = first === undefined ? [] : picturesIn(first);
    expect(await Promise.all(shown.map(lookedAt))).toEqual([
      { format: "jpeg", width: 40, height: 20, beside: [undefined, undefined, undefined], colour: "red" },
    ]);
    const told = String(first?.messages.find(({ role }) => role === "user")?.content);
    expect(told).toMatch(
      /Picture 1 of this message is the one in the issue that its author calls <<([\w-]+)<< The red page >>\1>>\./,
    );
    for (const [name, fault] of [
      ["A page", "GitHub sent no picture but a page"],
      ["A bomb", "it has more than 50 million pixels"],
      ["A film", "it has more than 10 MiB"],
      ["Gone", "GitHub does not have it any more \\(404\\)"],
    ])
      expect(told).toMatch(
        new RegExp(`The picture <<[\\w-]+<< ${name} >>[\\w-]+>> in the issue could not be read: ${fault}\\.`),
      );
    expect(told).toContain("Pictures left out because only GitHub's own attachments are fetched: 1.");

    await octocat.comment(SEEN, `Rather like this: ![The green page](${green})`);
    await hubot.comment(SEEN, `No, like this: ![Mallory's page](${strange})`);
    await journey.quiet();
    await journey.restart("SIGKILL");
    await octocat.close(BLOCKER);
    await journey.reached(SEEN, "COMPLETED");

    const all = requestsAbout(SEEN);
    expectContinued(all);
    const woken = all.map(picturesIn).findIndex(({ length }) => length === 2);
    expect(woken).toBeGreaterThan(0);
    const [again, later] = all[woken] === undefined ? [] : picturesIn(all[woken]);
    expect(again?.equals(shown[0] ?? Buffer.alloc(0))).toBe(true);
    expect(await lookedAt(later ?? Buffer.alloc(0))).toMatchObject({ colour: "green" });
    const last = JSON.stringify(all.at(-1)?.messages);
    expect(last).toMatch(
      /Picture 1 of this message is the one in a comment that its author calls <<([\w-]+)<< The green page >>/,
    );
    expect(last).not.toMatch(/Mallory/);
    const [pull] = github.state().pulls();
    expect(pull?.body).toMatch(
      new RegExp(
        `- Pictures that the agent was shown, with the SHA-256 of their files:\n  - \`The red page\` ${hash(redFile)}, in #2\n  - \`The green page\` ${hash(greenFile)}, in \\[a comment\\]\\(/acme/app/issues/2#issuecomment-\\d+\\)\n- Commands`,
      ),
    );
    expect([fetched(red).length, fetched(green).length, fetched(strange).length]).toEqual([1, 1, 0]);
    expect(picturesIn(all.at(-1) ?? { body: "" }).some((bytes) => bytes.includes("Mallory"))).toBe(false);
  }, 240_000);

  it("are their alternative texts for a model that does not see, and are not fetched", async () => {
    const octocat = journey.github.as("octocat");
    const blue = octocat.attach({ type: "image/png", bytes: await aPicture("blue") });
    await octocat.openIssue({ title: "Describe it", body: `![A blue page](${blue})` });
    await octocat.comment(UNSEEN, "/flotilla start feat-dev model=blind");
    await journey.reached(UNSEEN, "COMPLETED");
    const all = requestsAbout(UNSEEN);
    expect(new Set(all.map(({ model }) => model))).toEqual(new Set(["blind"]));
    expect(all.flatMap(picturesIn)).toEqual([]);
    expect(JSON.stringify(all[0]?.messages)).toMatch(
      /A picture in the issue\. Your model cannot be shown pictures; the author describes this one as: <<([\w-]+)<< A blue page >>\1>>\./,
    );
    expect(fetched(blue)).toEqual([]);
    expect(await journey.violationsAfterStop()).toEqual([]);
  }, 120_000);
});
