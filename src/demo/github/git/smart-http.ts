import { spawn } from "node:child_process";
import type { IncomingMessage } from "node:http";
import type { Writable } from "node:stream";
import { createGunzip } from "node:zlib";
import { gitEnvironment } from "./run.ts";

/** What serving git requires of a response. */
export interface GitAnswer extends Writable {
  writeHead(status: number, headers: Readonly<Record<string, string>>): unknown;
}

export type Service = "upload-pack" | "receive-pack";

/** Returns the repository and service of a git request; undefined if it is not a git request. */
export function readGitPath(
  method: string,
  url: URL,
): { name: string; service: Service; advertise: boolean } | undefined {
  const [, name = "", rest = ""] =
    /^\/([^/]+\/[^/]+?)(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack)$/.exec(url.pathname) ?? [];
  const asked = rest === "info/refs" ? (url.searchParams.get("service") ?? "") : rest;
  const service =
    asked === "git-upload-pack" ? "upload-pack" : asked === "git-receive-pack" ? "receive-pack" : undefined;
  if (service === undefined || method !== (rest === "info/refs" ? "GET" : "POST")) return undefined;
  return { name: decodeURIComponent(name), service, advertise: rest === "info/refs" };
}

/** Serves a request with git's own smart HTTP backend. Resolves when git has ended; the caller ends the response. */
export async function serveGit(
  request: IncomingMessage,
  response: GitAnswer,
  directory: string,
  asked: { service: Service; advertise: boolean },
): Promise<void> {
  const { service, advertise } = asked;
  const protocol = String(request.headers["git-protocol"] ?? "");
  const args = [service, "--stateless-rpc", ...(advertise ? ["--advertise-refs"] : []), directory];
  const env = { ...gitEnvironment(), ...(protocol === "" ? {} : { GIT_PROTOCOL: protocol }) };
  const child = spawn("git", args, { env, stdio: ["pipe", "pipe", "ignore"] });
  response.writeHead(200, {
    "content-type": `application/x-git-${service}-${advertise ? "advertisement" : "result"}`,
    "cache-control": "no-cache, max-age=0, must-revalidate",
  });
  if (advertise && !protocol.includes("version=2")) {
    const line = `# service=git-${service}\n`;
    response.write(`${(line.length + 4).toString(16).padStart(4, "0")}${line}0000`);
  }
  // git may close its input before the client has sent everything.
  child.stdin.on("error", () => undefined);
  if (advertise) child.stdin.end();
  else if (request.headers["content-encoding"] === "gzip") request.pipe(createGunzip()).pipe(child.stdin);
  else request.pipe(child.stdin);
  child.stdout.pipe(response, { end: false });
  response.on("close", () => child.stdin.destroy());
  await new Promise<void>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", () => resolve());
  });
}
