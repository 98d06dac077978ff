import type { IncomingMessage, ServerResponse } from "node:http";
import type { GitHubSignIns } from "./github-sign-in.ts";
import { type PageFile, type PageFiles, readPageFiles } from "./page-files.ts";
import type { Sessions } from "./session-cookie.ts";

/** Scripts and styles of our own alone, no other host, no frame, and no form that leaves the page. */
const SECURITY = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-frame-options": "DENY",
} as const;

/** Paths that show the page; what it shows is read from the API, so the page itself tells nothing and needs no token. */
const VIEW = /^\/(?:queues|agents\/[^/]+|repositories\/[^/]+\/[^/]+|goals\/[^/]+\/[^/]+\/\d+)?$/;

/** Signing in by GitHub, where the App's client id and secret are set. */
export interface PageSignIn {
  readonly signIns: GitHubSignIns;
  readonly sessions: Sessions;
}

/** Serves the dashboard's page; true when the request was for it. */
export function createPageRoute(
  byGitHub: PageSignIn | null,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  let read: PageFiles | undefined;
  return (request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const { pathname } = url;
    if (byGitHub !== null && pathname.startsWith("/sign-in/github") && request.method === "GET") {
      void sendToGitHub(byGitHub, request, response, url);
      return true;
    }
    const isFile = pathname.startsWith("/page/");
    if (!isFile && !VIEW.test(pathname)) return false;
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, { ...SECURITY, allow: "GET" }).end();
      return true;
    }
    read ??= readPageFiles();
    if (!isFile)
      send(response, { type: "text/html; charset=utf-8", body: shell(read, byGitHub !== null) }, "no-store");
    else {
      const file = pathname.startsWith(read.base)
        ? read.files.get(pathname.slice(read.base.length))
        : undefined;
      if (file === undefined) response.writeHead(404, SECURITY).end("Not found\n");
      else send(response, file, "public, max-age=31536000, immutable");
    }
    return true;
  };
}

async function sendToGitHub(
  { signIns, sessions }: PageSignIn,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const back = url.pathname === "/sign-in/github/done";
  const { status, headers, body } = back ? await signIns.end(request, url, sessions) : signIns.begin(request);
  response.writeHead(status, { ...SECURITY, "cache-control": "no-store", ...headers }).end(body);
}

function send(response: ServerResponse, { type, body }: PageFile, cached: string): void {
  response.writeHead(200, { ...SECURITY, "content-type": type, "cache-control": cached }).end(body);
}

/** Nothing of what people or agents wrote is in it. */
function shell({ base, files, main }: PageFiles, byGitHub: boolean): string {
  const modules = [...files.keys()].filter((name) => !name.endsWith(".css"));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Flotilla</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}style.css">
${modules.map((name) => `<link rel="modulepreload" href="${base}${name}">`).join("\n")}
<script type="module" src="${base}${main}"></script>
</head>
<body>
<div id="app" data-sign-in="${byGitHub ? "github" : "token"}"><noscript>The dashboard needs JavaScript. The same is told by \`flotilla agents\` and \`flotilla tasks\`.</noscript></div>
</body>
</html>
`;
}
