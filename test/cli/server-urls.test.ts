import { expect, test } from "vitest";
import { serverUrls } from "../../src/server/server-urls.ts";

test("without GHE_HOST it is github.com", () => {
  expect(serverUrls({ gheHost: undefined, gheProtocol: "https" })).toEqual({
    apiUrl: "https://api.github.com",
    gitUrl: "https://github.com",
  });
});

test("with GHE_HOST it is that host alone, port and protocol as given", () => {
  expect(serverUrls({ gheHost: "127.0.0.1:4000", gheProtocol: "http" })).toEqual({
    apiUrl: "http://127.0.0.1:4000/api/v3",
    gitUrl: "http://127.0.0.1:4000",
  });
});
