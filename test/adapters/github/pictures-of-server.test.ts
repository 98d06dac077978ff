import { createServer, type RequestListener } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { mockedGitHub, NOON, REPOSITORY, stoppedClock } from "./mocked-github.ts";

const asset = "0a1b2c3d-0000-4000-8000-00000000000f";
const place = { kind: "issue", number: 3 } as const;

/** A server of one's own with an issue that shows a picture; `picture` answers for the picture. */
async function serverWith(picture: RequestListener) {
  const tokens: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/1/")) {
      tokens.push(request.headers.authorization);
      picture(request, response);
      return;
    }
    response.setHeader("content-type", "application/json");
    response.statusCode = request.method === "POST" ? 201 : 200;
    const token = { token: "one", expires_at: new Date(NOON + 3_600_000).toISOString(), permissions: {} };
    const issue = { body_html: `<img src="http://${request.headers.host}/1/2-${asset}.png?jwt=x">` };
    response.end(JSON.stringify(request.method === "POST" ? token : issue));
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const clock = stoppedClock();
  return { clock, tokens, github: mockedGitHub(clock, `http://127.0.0.1:${port}/api/v3`) };
}

it("an attachment that an Enterprise Server keeps is read there, without our token", async () => {
  const { github, tokens } = await serverWith((_, response) => {
    response.setHeader("content-type", "image/png");
    response.end("pixels");
  });
  const read = await github.picture(REPOSITORY, { place, asset });
  expect("bytes" in read && Buffer.from(read.bytes).toString()).toBe("pixels");
  expect(tokens).toEqual([undefined]);
});

it("a picture that does not end in time is given up", async () => {
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const { github, clock } = await serverWith((_, response) => {
    response.writeHead(200, { "content-type": "image/png" });
    response.write("pix", () => resolve());
  });
  const reading = github.picture(REPOSITORY, { place, asset });
  await begun;
  clock.move(10_001);
  expect(await reading).toEqual({ fault: "GitHub did not send it (it took too long)" });
});
