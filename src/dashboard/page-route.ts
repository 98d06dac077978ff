import type { ServerResponse } from "node:http";
import { type Asked, afterUnread, type Route } from "../http/http-server.ts";
import type { GitHubSignIns, Moved } from "./auth/github-sign-in.ts";
import type { SignInCookies } from "./auth/sign-in-cookies.ts";
import { PLACES } from "./page/places.ts";
import { type PageFile, type PageFiles, readPageFiles } from "./page-files.ts";

/** Allows only our own scripts and styles: no other host, no frames, and no form that submits elsewhere. */
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

/**
 * Paths besides the places of the navigation that show the page. The page itself holds no data and needs no token: it
 * reads the data from the API.
 */
const VIEW =
  /^\/(?:queues|token|tasks\/[A-Z_]+|agents\/[^/]+|repositories\/[^/]+\/[^/]+|goals\/[^/]+\/[^/]+\/\d+)$/;

/** Sign-in with GitHub; used if the App's client id and secret are set. */
export interface PageSignIn {
  readonly signIns: GitHubSignIns;
  readonly cookies: SignInCookies;
}

/** Serves the dashboard's page and the sign-in with GitHub. */
export function createPageRoute(byGitHub: PageSignIn | null): Route {
  let read: PageFiles | undefined;
  return (asked) => {
    const { path } = asked.target;
    if (byGitHub !== null && asked.request.method === "GET") {
      if (path === "/sign-in/github") return leave(asked, byGitHub);
      if (path === "/sign-in/github/done") return comeBack(asked, byGitHub);
    }
    const isFile = path.startsWith("/page/");
    const isView = VIEW.test(path) || PLACES.some(([place]) => place === path);
    // A person who follows a wrong link gets the page with its navigation; programs get a line of text.
    if (!isFile && !isView && !(isLookedAt(asked) && asksForPage(asked))) return null;
    read ??= readPageFiles();
    return isFile ? giveFile(asked, read) : show(asked, read, { byGitHub: byGitHub !== null, isView });
  };
}

function isLookedAt({ request: { method } }: Asked): boolean {
  return method === "GET" || method === "HEAD";
}

function asksForPage({ request: { headers }, target: { path } }: Asked): boolean {
  return headers.accept?.includes("text/html") === true && !path.startsWith("/api/");
}

async function giveFile(asked: Asked, page: PageFiles) {
  const { path } = asked.target;
  const file = path.startsWith(page.base) ? page.files.get(path.slice(page.base.length)) : undefined;
  if (!isLookedAt(asked)) return refuseMethod(asked);
  if (file === undefined) return void asked.response.writeHead(404, SECURITY).end("Not found\n");
  send(asked.response, 200, file, "public, max-age=31536000, immutable");
}

async function show(
  asked: Asked,
  page: PageFiles,
  { byGitHub, isView }: { readonly byGitHub: boolean; readonly isView: boolean },
) {
  if (!isLookedAt(asked)) return refuseMethod(asked);
  const body = shell(page, byGitHub);
  send(asked.response, isView ? 200 : 404, { type: "text/html; charset=utf-8", body }, "no-store");
}

function refuseMethod({ request, response }: Asked): void {
  response.writeHead(405, { ...SECURITY, allow: "GET", ...afterUnread(request) }).end();
}

async function leave({ request, response }: Asked, { signIns }: PageSignIn) {
  move(response, signIns.begin(request));
}

async function comeBack({ request, response, target }: Asked, { signIns, cookies }: PageSignIn) {
  move(response, await signIns.end(request, target.query, cookies));
}

function move(response: ServerResponse, { status, headers, body }: Moved): void {
  response.writeHead(status, { ...SECURITY, "cache-control": "no-store", ...headers }).end(body);
}

function send(response: ServerResponse, status: number, { type, body }: PageFile, cached: string): void {
  response.writeHead(status, { ...SECURITY, "content-type": type, "cache-control": cached }).end(body);
}

/** Builds the page's HTML. It contains nothing that people or agents wrote. */
function shell({ base, files, main, first }: PageFiles, byGitHub: boolean): string {
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
<script type="module" blocking="render" src="${base}${first}"></script>
${modules.map((name) => `<link rel="modulepreload" href="${base}${name}">`).join("\n")}
<script type="module" src="${base}${main}"></script>
</head>
<body>
<div id="app" data-sign-in="${byGitHub ? "github" : "token"}"><noscript>The dashboard needs JavaScript. \`flotilla agents list\` and \`flotilla tasks list\` show the same.</noscript></div>
</body>
</html>
`;
}
