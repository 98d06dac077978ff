import { createServer, type RequestListener, type Server } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { issueAnswer } from "./answers.ts";
import { mockedGitHub, NOON, REPOSITORY, stoppedClock } from "./mocked-github.ts";

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A real server that mints tokens and treats every other request as the test wants. */
async function serverThat(treats: RequestListener): Promise<string> {
  const token = { token: "one", expires_at: new Date(NOON + 3_600_000).toISOString() };
  server = createServer((request, response) => {
    if (!request.url?.endsWith("/access_tokens")) return treats(request, response);
    response.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify(token));
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return `http://127.0.0.1:${address.port}/api/v3`;
}

const lost = { code: "unavailable", status: 0, consequence: "retry" };

describe("an answer that never comes whole", () => {
  it("is a lost connection, after which a write is uncertain and a read is not", async () => {
    const github = mockedGitHub(stoppedClock(), await serverThat((request) => request.socket.destroy()));
    await expect(github.issue(REPOSITORY, 3)).rejects.toMatchObject({ ...lost, uncertain: false });
    await expect(github.react(REPOSITORY, 8, "+1")).rejects.toMatchObject({ ...lost, uncertain: true });
  });

  it("is an error too when it breaks off in its middle", async () => {
    const base = await serverThat((_request, response) => {
      const text = JSON.stringify(issueAnswer(3));
      response.writeHead(200, { "content-type": "application/json", "content-length": text.length });
      response.write(text.slice(0, 20), () => response.destroy());
    });
    await expect(mockedGitHub(stoppedClock(), base).issue(REPOSITORY, 3)).rejects.toMatchObject(lost);
  });

  it.each(["before its head", "in its body"])(
    "is given up after ten seconds when it hangs %s",
    async (where) => {
      const arrived = Promise.withResolvers<void>();
      const clock = stoppedClock();
      const base = await serverThat((_request, response) => {
        if (where === "before its head") return arrived.resolve();
        response.writeHead(201, { "content-type": "application/json" });
        response.write("{", () => arrived.resolve());
      });
      const reaction = mockedGitHub(clock, base).react(REPOSITORY, 8, "+1");
      await arrived.promise;
      clock.move(10_000);
      await expect(reaction).rejects.toMatchObject({
        ...lost,
        uncertain: true,
        message: expect.stringContaining("10 s"),
      });
    },
  );

  it("is said when nobody listens", async () => {
    const base = await serverThat(() => {});
    server?.close();
    await expect(mockedGitHub(stoppedClock(), base).issue(REPOSITORY, 3)).rejects.toMatchObject({
      ...lost,
      message: expect.stringContaining("ECONNREFUSED"),
    });
  });

  it("does not keep the request's text in the error", async () => {
    const base = await serverThat((request) => request.socket.destroy());
    const error: unknown = await mockedGitHub(stoppedClock(), base)
      .react(REPOSITORY, 8, "confused")
      .catch((caught: unknown) => caught);
    expect(JSON.stringify(error) + String(error)).not.toContain("confused");
    expect(error).not.toHaveProperty("cause.request");
  });
});
