import { describe, expect, it } from "vitest";
import { botClient } from "./client.ts";
import { useGitHub } from "./setup.ts";

let clock = Date.parse("2026-03-01T00:00:00Z");
const ground = useGitHub({ now: () => clock });
const repo = "/repos/acme/app";
const PNG = Buffer.from("iVBORw0KGgo=", "base64");
const FULL = { accept: "application/vnd.github.full+json" };

const attached = (type = "image/png") => ground.github.as("octocat").attach({ type, bytes: PNG });
const uuid = (address: string) => address.split("/").at(-1);
const addressIn = (html: unknown) => /\ssrc="([^"]+)"/.exec(String(html))?.[1] ?? "";

/** Returns the full form of a new issue with this text. */
async function full(body: string) {
  const number = await ground.github.as("octocat").openIssue({ title: "Look", body });
  const bot = await botClient(ground.github, undefined, clock);
  return { number, bot, ...(await bot("GET", `${repo}/issues/${number}`, undefined, FULL)) };
}

describe("attachments", () => {
  it("stand in the HTML of a text at a signed address, in each form that a text may show them, and in it as they were written", async () => {
    const [one, two] = [attached(), attached("image/jpeg")];
    const body = `Red:\n\n![A "red" page](${one})\n\n<img width="9" height="7" alt="B & C" src="${two}" />\n\n<!-- ${one} -->`;
    const { json, headers, number, bot } = await full(body);
    expect(headers.get("x-github-media-type")).toBe("github.v3; param=full; format=json");
    expect(json["body"]).toBe(body);
    expect(json["body_text"]).toBe("Red:");
    const html = String(json["body_html"]);
    expect(html).not.toContain("/user-attachments/");
    const owner = ground.github.state().issue(number).author.id;
    expect(html.replaceAll(/\?jwt=[\w-]+\.[\w-]+\.[\w-]+"/g, '"').replaceAll(/\/\d+-/g, "/ID-")).toBe(
      [
        "<p>Red:</p>",
        `<p><a target="_blank" rel="noopener noreferrer" href="${ground.github.origin}/${owner}/ID-${uuid(one)}.png"><img alt="A &quot;red&quot; page" src="${ground.github.origin}/${owner}/ID-${uuid(one)}.png" style="max-width: 100%;"></a></p>`,
        `<a target="_blank" rel="noopener noreferrer" href="${ground.github.origin}/${owner}/ID-${uuid(two)}.jpg"><img width="9" height="7" alt="B &amp; C" src="${ground.github.origin}/${owner}/ID-${uuid(two)}.jpg" style="max-width: 100%;"></a>`,
      ].join("\n"),
    );
    const plain = await bot("GET", `${repo}/issues/${number}`);
    expect(Object.keys(plain.json).filter((key) => key.startsWith("body"))).toEqual(["body"]);
  });

  it("of a comment are rendered with it, and other pictures are at the server that hides who reads them", async () => {
    const { number, bot } = await full("Nothing.");
    const id = await ground.github
      .as("octocat")
      .comment(number, `![a](${attached()}) ![b](https://evil.example.com/b.png) <b onclick="c">d</b>`);
    const { json } = await bot("GET", `${repo}/issues/comments/${id}`, undefined, FULL);
    expect(json["body_html"]).toMatch(
      /\.png\?jwt=[^"]+" style.*<img alt="b" src="https:\/\/camo\.githubusercontent\.com\/[0-9a-f]{64}\/[0-9a-f]+" data-canonical-src="https:\/\/evil\.example\.com\/b\.png" style.* &lt;b onclick/,
    );
  });

  it("can be read by anybody for five minutes, there alone", async () => {
    const [one, two] = [attached(), attached("text/html")];
    const { json } = await full(`![a](${one})`);
    const address = addressIn(json["body_html"]);
    const read = await fetch(address);
    expect([read.status, read.headers.get("content-type"), read.headers.get("content-length")]).toEqual([
      200,
      "image/png",
      String(PNG.length),
    ]);
    expect(Buffer.from(await read.arrayBuffer()).equals(PNG)).toBe(true);
    const other = addressIn((await full(`![a](${two})`)).json["body_html"]);
    const token = new URL(address).search;
    for (const wrong of [one, address.replace(/\?.*/, ""), other.replace(/\?.*/, token), `${address}x`])
      expect((await fetch(wrong)).status).toBe(404);
    expect((await fetch(other)).headers.get("content-type")).toBe("text/html");
    clock += 300_000;
    expect((await fetch(address)).status).toBe(404);
  });
});
