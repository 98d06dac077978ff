import { onTestFinished } from "vitest";
import { describeMcpServers } from "../../contracts/mcp-servers.ts";
import { serveHttp } from "../../fixtures/mcp/serve-http.ts";
import { confinedRunner, describeConfined } from "../sandbox/bubblewrap-here.ts";
import { aCommand, someServers } from "./some-servers.ts";

describeMcpServers("a command, unconfined", async (clock) => someServers(aCommand("stdio.ts"), clock));

describeConfined("in the sandbox", () => {
  describeMcpServers("a command, confined", async (clock) =>
    someServers(aCommand("stdio.ts"), clock, { runner: confinedRunner(clock) }),
  );
});

describeMcpServers("an address", async (clock) => {
  const { url, close } = await serveHttp();
  onTestFinished(close);
  return someServers({ url, env: {}, hosts: [], readable: [], tools: ["echo"] }, clock);
});
