import { expect, it } from "vitest";
import { readCall } from "../../../../src/adapters/runtimes/gateway/asked-call.ts";
import { chat } from "../../../../src/adapters/runtimes/gateway/dialects/chat.ts";
import { sentPictures } from "../../../../src/adapters/runtimes/gateway/sent-pictures.ts";

const data = "A".repeat(900_000);
const url = `data:image/jpeg;base64,${data}`;
const body = (part: object) => ({
  model: "m",
  messages: [{ role: "user", content: [{ type: "text", text: "Look." }, part] }],
});

it.each([
  ["chat completions", { type: "image_url", image_url: { url } }, url.length],
  ["responses", { type: "input_image", image_url: url }, url.length],
  ["messages", { type: "image", source: { type: "base64", media_type: "image/jpeg", data } }, data.length],
])("a picture in a request of %s counts as a picture, and not as its characters", (_, part, characters) => {
  expect(sentPictures(body(part))).toEqual({ characters, tokens: 4000 });
  const bytes = new TextEncoder().encode(JSON.stringify(body(part))).buffer;
  const asked = readCall(bytes, "m", chat);
  expect("promptTokens" in asked && asked.promptTokens).toBeGreaterThan(4000);
  expect("promptTokens" in asked && asked.promptTokens).toBeLessThan(4100);
});

it("texts count as they are, whatever they call themselves", () => {
  expect(sentPictures(body({ type: "text", text: url }))).toEqual({ characters: 0, tokens: 0 });
  expect(sentPictures(body({ type: "image_url", image_url: 5 }))).toEqual({ characters: 0, tokens: 0 });
  expect(sentPictures(null)).toEqual({ characters: 0, tokens: 0 });
});
