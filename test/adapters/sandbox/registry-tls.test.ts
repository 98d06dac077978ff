import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { askRegistry } from "../../../src/adapters/sandbox/egress/ask-registry.ts";

const TOKEN = "npm_Tq7ZxW2mR9vKc4Lb";
const OPENSSL_IS_HERE = spawnSync("openssl", ["version"]).status === 0;

/** Starts a server on loopback with a certificate for npm.example.com. Returns its port and the certificate. */
async function startSecure(seen: (string | undefined)[]): Promise<{ port: number; cert: string }> {
  const root = mkdtempSync(join(tmpdir(), "flotilla-tls-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const made =
    "req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=npm.example.com -addext subjectAltName=DNS:npm.example.com";
  expect(spawnSync("openssl", made.split(" "), { cwd: root }).status).toBe(0);
  const [key, cert] = ["key.pem", "cert.pem"].map((name) => readFileSync(join(root, name), "utf8"));
  const server = createServer({ key, cert }, ({ headers }, response) => {
    seen.push(headers.authorization);
    response.end("over TLS");
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { port: typeof address === "object" ? (address?.port ?? 0) : 0, cert: cert ?? "" };
}

test.skipIf(!OPENSSL_IS_HERE)(
  "the token goes only to a server whose certificate is trusted and is for the registry's name",
  async () => {
    const seen: (string | undefined)[] = [];
    const { port, cert } = await startSecure(seen);
    const ask = async (host: string) => {
      const url = `https://${host}:${port}/npm/`;
      const registry = { kind: "npm", url, tokenEnv: "NPM_TOKEN", token: TOKEN } as const;
      const answer = await askRegistry(registry, {
        method: "GET",
        url,
        headers: {},
        signal: AbortSignal.timeout(30_000),
        privateHosts: [host],
        outside: { addresses: async () => ["127.0.0.1"] },
      });
      return text(answer);
    };
    await expect(ask("npm.example.com")).rejects.toThrow(/self-signed/);
    const before = getCACertificates("default");
    onTestFinished(() => setDefaultCACertificates(before));
    setDefaultCACertificates([...before, cert]);
    await expect(ask("other.example.com")).rejects.toThrow(/does not match certificate's altnames/);
    expect(seen).toEqual([]);
    expect(await ask("npm.example.com")).toBe("over TLS");
    expect(seen).toEqual([`Bearer ${TOKEN}`]);
  },
);
