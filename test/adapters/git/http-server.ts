import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** A git server over smart HTTP: real `git http-backend` on bare repositories, with the token check of GitHub. */
export interface GitServer {
  readonly url: string;
  /** Requests that passed the token check, as `METHOD /path?query`. */
  readonly requests: string[];
  /** Every update of a ref that a client sent, taken or not, in order. */
  received(): Promise<readonly Received[]>;
  /** Runs git on the bare repository `owner/name`, as the server's own administrator; returns stdout without the last newline. */
  git(repository: string, ...args: string[]): Promise<string>;
  /** Makes a repository whose branch `main` holds the given files. */
  createRepository(repository: string, files: Record<string, string>): Promise<void>;
  /** Puts a commit on top of a branch (made from `main` when missing) and returns it. */
  commit(repository: string, branch: string, files: Record<string, string>): Promise<string>;
  /** Answers every request with this status until called with null. */
  answerWith(status: number | null): void;
  /** Carries the next push out; its answer is a 502 or none. */
  loseAnswer(how: LostAnswer): void;
  /** Called with each request before it is answered. */
  onRequest: ((request: IncomingMessage) => void) | null;
  close(): Promise<void>;
}

export type LostAnswer = "502" | "reset";

interface Received {
  /** Of zeros where the ref is new. */
  readonly before: string;
  /** Of zeros where it is deleted. */
  readonly after: string;
  readonly ref: string;
}

const IDENTITY = {
  GIT_AUTHOR_NAME: "A person",
  GIT_AUTHOR_EMAIL: "person@example.com",
  GIT_COMMITTER_NAME: "A person",
  GIT_COMMITTER_EMAIL: "person@example.com",
};

/** The content of a directory's files, by path. */
type Files = ReadonlyMap<string, Buffer>;

/** New repositories by what their `main` holds, made once in a process and written again: to make one takes four processes. */
const made = new Map<string, Promise<Files>>();

export async function startGitServer(root: string, token: string): Promise<GitServer> {
  const environment = {
    PATH: process.env["PATH"] ?? "",
    HOME: root,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    ...IDENTITY,
  };
  let forced: number | null = null;
  let lost: LostAnswer | null = null;
  const receivedFile = join(root, "received");
  await mkdir(join(root, "hooks"), { recursive: true });
  await writeFile(
    join(root, "hooks", "pre-receive"),
    `#!/bin/sh\ncat >>'${receivedFile}'\n[ ! -x hooks/pre-receive ] || exec hooks/pre-receive\n`,
    {
      mode: 0o755,
    },
  );

  const git = async (repository: string, ...args: string[]) => {
    const directory = join(root, `${repository}.git`);
    const { stdout } = await execute("git", [`--git-dir=${directory}`, ...args], { env: environment });
    return stdout.trimEnd();
  };

  const server = createServer((request, response) => {
    self.onRequest?.(request);
    if (forced !== null) {
      response.writeHead(forced).end();
      return;
    }
    const expected = `Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`;
    if (request.headers.authorization !== expected) {
      response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end();
      return;
    }
    self.requests.push(`${request.method} ${request.url}`);
    const push = request.method === "POST" && request.url?.endsWith("/git-receive-pack") === true;
    serve(root, environment, request, push && lost !== null ? unheard(request, response, lost) : response);
    if (push) lost = null;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");

  const self: GitServer = {
    url: `http://127.0.0.1:${address.port}`,
    requests: [],
    async received() {
      const lines = (await readFile(receivedFile, "utf8").catch(() => "")).trim().split("\n");
      return lines.filter(Boolean).map((line) => {
        const [before = "", after = "", ref = ""] = line.split(" ");
        return { before, after, ref };
      });
    },
    git,
    async createRepository(repository, files) {
      const key = JSON.stringify(files);
      const original = made.get(key) ?? makeRepository(environment, files);
      made.set(key, original);
      const directory = join(root, `${repository}.git`);
      // An empty one too: git takes a directory for a repository only when it has all of these.
      for (const own of ["objects", "refs"]) await mkdir(join(directory, own), { recursive: true });
      for (const [path, content] of await original) {
        await mkdir(dirname(join(directory, path)), { recursive: true });
        await writeFile(join(directory, path), content);
      }
    },
    async commit(repository, branch, files) {
      const heads = await git(repository, "for-each-ref", "--format=%(refname) %(objectname)", "refs/heads");
      const tipOf = (name: string) =>
        heads
          .split("\n")
          .find((line) => line.startsWith(`refs/heads/${name} `))
          ?.split(" ")[1];
      const parent = tipOf(branch) ?? tipOf("main") ?? null;
      await importCommit(join(root, `${repository}.git`), environment, { branch, parent, files });
      return git(repository, "rev-parse", `refs/heads/${branch}`);
    },
    answerWith(status) {
      forced = status;
    },
    loseAnswer(how) {
      lost = how;
    },
    onRequest: null,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return self;
}

/** A bare repository with one commit on `main`. */
async function makeRepository(env: NodeJS.ProcessEnv, files: Record<string, string>): Promise<Files> {
  const directory = await mkdtemp(join(tmpdir(), "flotilla-original-"));
  try {
    await execute("git", ["init", "--bare", "--quiet", "--template=", "--initial-branch=main", directory], {
      env,
    });
    await importCommit(directory, env, { branch: "main", parent: null, files });
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    return new Map(
      await Promise.all(
        paths.map(async (path) => [relative(directory, path), await readFile(path)] as const),
      ),
    );
  } finally {
    await rm(directory, { recursive: true });
  }
}

interface NewCommit {
  readonly branch: string;
  readonly parent: string | null;
  readonly files: Record<string, string>;
}

async function importCommit(
  directory: string,
  env: NodeJS.ProcessEnv,
  { branch, parent, files }: NewCommit,
): Promise<void> {
  const script = [
    `commit refs/heads/${branch}`,
    "committer A person <person@example.com> 1700000000 +0000",
    "data 4\nwork",
    ...(parent === null ? [] : [`from ${parent}`]),
    ...Object.entries(files).map(
      ([path, text]) => `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}`,
    ),
    "",
  ].join("\n");
  const stdio = ["pipe", "ignore", "inherit"] as const;
  const child = spawn("git", [`--git-dir=${directory}`, "fast-import", "--quiet"], {
    env,
    stdio: [...stdio],
  });
  child.stdin?.end(script);
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`fast-import ended with ${String(code)}`);
}

/** Takes the answer's place: when it has all come, the client gets a 502 or a closed connection for it. */
function unheard(request: IncomingMessage, response: ServerResponse, how: LostAnswer): ServerResponse {
  const instead = new ServerResponse(request);
  instead.write = () => true;
  instead.end = () => {
    if (how === "502") response.writeHead(502).end();
    else request.socket.resetAndDestroy();
    return instead;
  };
  return instead;
}

/** One request through the CGI program; its head gives the status and the headers. */
function serve(
  root: string,
  environment: Record<string, string>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const url = new URL(request.url ?? "/", "http://localhost");
  const header = (name: string) => String(request.headers[name] ?? "");
  const child = spawn("git", ["http-backend"], {
    env: {
      ...environment,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? "GET",
      CONTENT_TYPE: header("content-type"),
      HTTP_CONTENT_ENCODING: header("content-encoding"),
      HTTP_GIT_PROTOCOL: header("git-protocol"),
      GIT_CONFIG_COUNT: "2",
      GIT_CONFIG_KEY_0: "http.receivepack",
      GIT_CONFIG_VALUE_0: "true",
      GIT_CONFIG_KEY_1: "core.hooksPath",
      GIT_CONFIG_VALUE_1: join(root, "hooks"),
      REMOTE_USER: "x-access-token",
      REMOTE_ADDR: "127.0.0.1",
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.on("error", () => undefined);
  request.pipe(child.stdin);
  let head = Buffer.alloc(0);
  child.stdout.on("data", function read(chunk: Buffer) {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf("\r\n\r\n");
    if (end < 0) return;
    child.stdout.off("data", read);
    let status = 200;
    for (const line of head.subarray(0, end).toString().split("\r\n")) {
      const [name = "", value = ""] = line.split(/: (.*)/s);
      if (name.toLowerCase() === "status") status = Number.parseInt(value, 10);
      else response.setHeader(name, value);
    }
    response.writeHead(status);
    response.write(head.subarray(end + 4));
    child.stdout.pipe(response);
  });
}
