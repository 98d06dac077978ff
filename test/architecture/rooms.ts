/** What a room may import besides itself. zod is everywhere: whatever crosses a wall is parsed. */
export interface Room {
  /** Other rooms; "every" for those that put the parts together. */
  readonly rooms: readonly string[] | "every";
  /** Packages by name or scope; "every" likewise. */
  readonly packages: readonly string[] | "every";
  /** May use `node:` built-ins. */
  readonly node: boolean;
}

const room = (...packages: readonly string[]): Room => ({
  rooms: ["domain", "time"],
  packages: ["zod", ...packages],
  node: true,
});

/** A room that listens. */
const listens = (...packages: readonly string[]): Room => ({
  ...room(...packages),
  rooms: ["domain", "time", "http"],
});

const EVERYTHING: Room = { rooms: "every", packages: "every", node: true };

/** The rooms, by their folder under src. An adapter is a room of its own. `main` is src/main.ts. */
export const ROOMS: Readonly<Record<string, Room>> = {
  main: EVERYTHING,
  cli: EVERYTHING,
  server: EVERYTHING,
  domain: { rooms: [], packages: ["zod", "croner", "mdast-util-from-markdown"], node: false },
  time: { rooms: ["domain"], packages: [], node: false },
  http: room(),
  engine: room("p-queue"),
  webhooks: listens("probot", "p-queue"),
  "adapters/github": room("@octokit", "lru-cache"),
  "adapters/git": room("simple-git"),
  "adapters/mcp": room("@modelcontextprotocol/client"),
  "adapters/notices": room(),
  "adapters/pictures": room("sharp"),
  "adapters/runtimes": room("@modelcontextprotocol/server"),
  "adapters/sandbox": listens(),
  "adapters/screens": room(),
  "adapters/store": room("kysely", "lru-cache"),
  config: room("yaml"),
  dashboard: listens("preact", "htm"),
  observability: listens("@opentelemetry", "pino", "prom-client"),
  demo: room("emulate", "marked", "yaml"),
};

/** All that may lie at the top of the repository. */
export const TOP_LEVEL: ReadonlySet<string> = new Set(
  `src config test docs bench .ci
  app.yml config.example.yaml Dockerfile compose.yaml .env.example
  package.json package-lock.json tsconfig.json tsconfig.build.json
  README.md LICENSE SECURITY.md CONTRIBUTING.md CHANGELOG.md
  .npmrc .gitignore .github AGENTS.md .dockerignore .oxlintrc.json biome.json knip.json vitest.config.ts`.split(
    /\s+/,
  ),
);
