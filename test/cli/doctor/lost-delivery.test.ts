import { expect, test } from "vitest";
import { lostBecause } from "../../../src/cli/doctor/lost-delivery.ts";

const URL = "https://flotilla.example.com/api/github/webhooks";
const because = (statusCode: number, status: string, host = "127.0.0.1") =>
  lostBecause({ statusCode, status }, URL, { host, port: 3100 }).join(". ");

test.each([
  [401, "Unauthorized", /its secret is not WEBHOOK_SECRET.*Set the same secret/],
  [404, "Invalid HTTP Response: 404", /something else than Flotilla answers.*Correct the webhook's address/],
  [300, "Invalid HTTP Response: 300", /something else than Flotilla answers/],
  [500, "Invalid HTTP Response: 500", /the tunnel or proxy at .* does not reach Flotilla/],
  [504, "timed out", /no answer within ten seconds.*firewall.*leads to 127\.0\.0\.1:3100/],
  [0, "Timed out", /no answer within ten seconds/],
  [
    502,
    "failed to connect to host",
    /nobody listens at https:\/\/flotilla\S+: the connection is refused.*Start the tunnel.*lead to 127\.0\.0\.1:3100/,
  ],
  [0, "failed to connect to network", /nobody listens.*its name leads nowhere/],
  [
    0,
    "peer certificate cannot be authenticated with given CA certificates",
    /does not trust the certificate.*public authority/,
  ],
  [502, "Bad Gateway", /the tunnel or proxy at https:\S+ does not reach Flotilla.*lead to 127\.0\.0\.1:3100/],
  [530, "Invalid HTTP Response: 530", /the tunnel or proxy at .* does not reach Flotilla/],
])("a delivery that came to %i %s is explained, with what to do", (code, status, says) => {
  expect(because(code, status)).toMatch(says);
});

test("that only this machine reaches the address is said where it is so", () => {
  for (const host of ["127.0.0.1", "localhost", "::1"])
    expect(because(502, "failed to connect to host", host)).toContain("set HOST=0.0.0.0");
  for (const host of ["0.0.0.0", "10.1.2.3"])
    expect(because(502, "failed to connect to host", host)).not.toContain("HOST=");
});
