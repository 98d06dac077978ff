import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { formsOf } from "../../src/domain/access/secret-forms.ts";
import { type LocalRegistry, startRegistry } from "../adapters/sandbox/a-registry.ts";
import { describeConfined } from "../adapters/sandbox/bubblewrap-here.ts";
import { putCrates, putGoModules, putNpmPackage } from "../adapters/sandbox/packages.ts";
import { aScenario, call, saysOn } from "./a-scenario.ts";
import { filesHolding } from "./files-holding.ts";
import { startJourney } from "./journey.ts";

const ISSUE = 1;
const TOKEN = "npm_Tq7ZxW2mR9vKc4LbYh3Ns8Df";

/** A language with packages of its own, and a project that needs them. */
interface Story {
  readonly kind: "npm" | "go" | "cargo";
  /** The registry's path. */
  readonly path: string;
  /** What the registry wants as `Authorization`. */
  readonly credential: string;
  readonly setup: readonly string[];
  readonly cache?: string;
  /** What the repository sets of its own. */
  readonly environment?: Readonly<Record<string, string>>;
  /** A command that prints SAID by what is in the registry, after the project's own tests. */
  readonly required: string;
  /** The agent's own use of the registry, which prints `1.0.0`. */
  readonly asks: string;
  /** Part of what shows the tool the way, in the environment or a file. */
  readonly shown: string;
  /** Fills the registry at this address, and returns the project's files. */
  readonly put: (registry: LocalRegistry, root: string, url: string) => Readonly<Record<string, string>>;
}

const RECIPE = z.object({ setup: z.object({ cache: z.array(z.string()), commands: z.array(z.string()) }) });

/** The setup commands that the documentation recommends with a cache of this name. */
function recipe(cache: string): readonly string[] {
  const page = readFileSync("docs/repository-file.md", "utf8");
  const blocks = [...page.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, text = ""]) =>
    RECIPE.safeParse(parse(text)),
  );
  const found = blocks.flatMap(({ data }) => data?.setup ?? []).find((setup) => setup.cache.includes(cache));
  return z.array(z.string()).parse(found?.commands);
}

const NPM: Story = {
  kind: "npm",
  path: "/npm/",
  credential: `Bearer ${TOKEN}`,
  setup: ["npm ci"],
  required: `node -p "require('@acme/left')"`,
  asks: "npm view @acme/left version",
  shown: "npm_config_registry=http://127.0.0.1:3129/npm/",
  put: (registry, root, url) => ({
    ".gitignore": "node_modules\n",
    "package.json": '{"name":"project","version":"1.0.0","dependencies":{"@acme/left":"1.0.0"}}',
    "package-lock.json": putNpmPackage(registry, root, url),
  }),
};

const goMod = (path: string, ...needs: string[]) =>
  `module ${path}\n\ngo 1.17\n${needs.map((need) => `\nrequire ${need} v1.0.0\n`).join("")}`;

const GO: Story = {
  kind: "go",
  path: "/api/go/all/",
  credential: `Bearer ${TOKEN}`,
  setup: recipe("go"),
  cache: "go",
  // Without more, go would ask the modules' own servers.
  environment: { GOPRIVATE: "corp.example/*" },
  required: "go test ./... > /dev/null && go run .",
  asks: "go list -m -versions corp.example/acme/left",
  shown: "GOPROXY=http://127.0.0.1:3129/api/go/all",
  put(registry, root, url) {
    const [left, middle, right] = ["left", "Middle", "right"].map((name) => `corp.example/acme/${name}`);
    const sums = putGoModules(registry, root, url, [
      {
        path: `${left}`,
        version: "v1.0.0",
        files: {
          "go.mod": goMod(`${left}`, `${right}`),
          "left.go": `package left\n\nimport "${right}"\n\nfunc Says() string { return "left of " + right.Name }\n`,
        },
      },
      {
        path: `${middle}`,
        version: "v1.0.0",
        files: { "go.mod": goMod(`${middle}`), "middle.go": "package middle\n\nconst Nothing = 0\n" },
      },
      {
        path: `${right}`,
        version: "v1.0.0",
        files: { "go.mod": goMod(`${right}`), "right.go": 'package right\n\nconst Name = "acme"\n' },
      },
    ]);
    return {
      "go.mod": goMod("project", `${left}`, `${middle}`, `${right}`),
      "go.sum": sums,
      "main.go": `package main\n\nimport (\n\t"fmt"\n\n\t"${left}"\n\t"${middle}"\n)\n\nfunc main() { fmt.Println(left.Says()[middle.Nothing:]) }\n`,
      "main_test.go": `package main\n\nimport (\n\t"testing"\n\n\t"${left}"\n)\n\nfunc TestSays(t *testing.T) {\n\tif left.Says() != "left of acme" {\n\t\tt.Fatal(left.Says())\n\t}\n}\n`,
    };
  },
};

const cargoToml = (name: string, ...needs: string[]) =>
  `[package]\nname = "${name}"\nversion = "1.0.0"\nedition = "2021"\n\n[dependencies]\n${needs.join("\n")}\n`;

const CRATES: Story = {
  kind: "cargo",
  path: "/api/cargo/own/index/",
  credential: TOKEN,
  setup: recipe("cargo"),
  cache: "cargo",
  required: "cargo test --offline -q > /dev/null && cargo run --offline -q",
  asks: "CARGO_HOME=$HOME/other cargo fetch && ls $HOME/other/registry/cache/*",
  shown: "http://127.0.0.1:3129/api/cargo/own/index/",
  put(registry, root, url) {
    const own = 'version = "1", registry = "own"';
    const lock = putCrates(registry, root, url, [
      {
        name: "left",
        version: "1.0.0",
        needs: ["right"],
        files: {
          "Cargo.toml": cargoToml("left", `right = { version = "1", registry-index = "sparse+${url}" }`),
          "src/lib.rs": 'pub fn says() -> String { format!("left of {}", right::NAME) }\n',
        },
      },
      {
        name: "mid",
        version: "1.0.0",
        files: { "Cargo.toml": cargoToml("mid"), "src/lib.rs": "pub const NOTHING: usize = 0;\n" },
      },
      {
        name: "right",
        version: "1.0.0",
        files: { "Cargo.toml": cargoToml("right"), "src/lib.rs": 'pub const NAME: &str = "acme";\n' },
      },
    ]);
    return {
      ".gitignore": "target\n",
      ".cargo/config.toml": `[registries.own]\nindex = "sparse+${url}"\n`,
      "Cargo.toml": cargoToml("project", ...["left", "mid", "right"].map((name) => `${name} = { ${own} }`)),
      "Cargo.lock": lock,
      "src/main.rs": `fn main() { println!("{}", &left::says()[mid::NOTHING..]) }\n\n#[test]\nfn says() { assert_eq!(left::says(), format!("left of {}", right::NAME)) }\n`,
    };
  },
};

const SAID = "left of acme\n";

/** What an agent would look at for a token, and its own use of the registry. */
const lookAnd = (asks: string) => `env > "$HOME/seen.txt"
for p in /proc/[0-9]*; do tr '\\0' '\\n' < $p/environ; tr '\\0' '\\n' < $p/cmdline; done >> "$HOME/seen.txt" 2>&1
cp -r /run "$HOME/run" 2>/dev/null; ${asks}; cat /.cargo/config.toml 2>/dev/null; cat "$HOME/seen.txt"`;

/** Elsewhere than in CI, these are skipped by name where the toolchain is missing. */
const GO_IS_HERE = printed("go", ["version"]) !== null || process.env["FLOTILLA_TESTS_NEED_GO"] === "1";

/** The cargo of rustup's toolchain. CI has none: Debian's cargo does not know sparse registries. */
const CARGO = printed("rustup", ["which", "cargo"]);

function printed(file: string, args: readonly string[]): string | null {
  const { status, stdout } = spawnSync(file, args, { encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
}

/** The sandbox shows nothing of a home, where rustup puts the toolchain. Returns the environment with one elsewhere. */
function cargoToolchain(): Readonly<Record<string, string>> {
  const place = mkdtempSync(join(tmpdir(), "flotilla-cargo-"));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  for (const part of ["bin", "lib"]) spawnSync("cp", ["-al", join(dirname(CARGO ?? ""), "..", part), place]);
  return { PATH: `${join(place, "bin")}:${process.env["PATH"]}` };
}

describeConfined("a repository whose packages are in a private registry", { timeout: 300_000 }, () => {
  it("of npm is set up, worked on and proven, and its token is in nothing that Flotilla keeps or says", async () => {
    expect(await completed(NPM)).toMatchObject({ tokenIn: [] });
  });

  it.skipIf(!GO_IS_HERE)("of Go modules, which come from the cache the second time", async () => {
    expect(await completed(GO)).toEqual({ tokenIn: [], downloads: 1 });
  });

  it.skipIf(CARGO === null)("of crates, which come from the cache the second time", async () => {
    // Once more by the agent itself.
    expect(await completed(CRATES, cargoToolchain())).toEqual({ tokenIn: [], downloads: 2 });
  });
});

/**
 * Takes the story from its label to COMPLETED. Returns where the token is found afterwards, and how often the registry
 * handed out the package `left`.
 */
async function completed(
  { kind, path, credential, setup, cache, environment = {}, required, asks, shown, put }: Story,
  env: Readonly<Record<string, string>> = {},
): Promise<{ tokenIn: readonly string[]; downloads: number }> {
  const root = mkdtempSync(join(tmpdir(), "flotilla-registry-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const registry = await startRegistry(credential);
  const url = `http://127.0.0.1:${registry.port}${path}`;
  const files = put(registry, root, url);
  const journey = await startJourney({
    confined: true,
    env: { ...env, REGISTRY_TOKEN: TOKEN },
    scenario: aScenario({
      config: {
        sandbox: { mode: "bubblewrap", network: "proxy", private_hosts: ["127.0.0.1"] },
        registries: [{ kind, url, token_env: "REGISTRY_TOKEN" }],
        setup: { commands: setup, environment, cache: cache === undefined ? [] : [cache] },
        evidence: { commands: [required] },
      },
      conversations: [
        saysOn(ISSUE, [
          call("bash", { command: lookAnd(asks), description: "Look" }),
          call("bash", { command: `(${required}) > made.txt`, description: "Make it", initial_wait: 120 }),
          call("commit", { message: "Add made.txt" }),
          call("open_pr", { title: "Add made.txt", body: "As asked." }),
          call("report_complete", { summary: "It is there." }),
        ]),
      ],
    }),
  });
  onTestFinished(() => journey.close());
  const octocat = journey.github.as("octocat");
  await octocat.push("main", files, "A project");
  await octocat.openIssue({ title: "Make it", body: "Please." });
  await octocat.label(ISSUE, "feature");
  await journey.reached(ISSUE, "COMPLETED");

  const ran = journey.rows("SELECT kind, command, exit_code, output FROM evidence ORDER BY id");
  const twice = [...setup, ...setup].map((command) => ({ kind: "setup", command, exit_code: 0 }));
  expect(ran.filter((row) => row["kind"] !== "missing")).toMatchObject([
    ...twice,
    { kind: "command", exit_code: 0, output: SAID },
  ]);
  const shell = JSON.stringify(journey.rows("SELECT output FROM tool_call WHERE tool = 'bash'"));
  expect(shell).toContain("1.0.0");
  expect(shell).toContain(shown);

  expect(await journey.violationsAfterStop()).toEqual([]);
  const forms = [TOKEN, credential].flatMap(formsOf);
  const log = journey.served().log();
  const left = /left\/(?:@v\/.*zip|.*download)$/;
  return {
    // The data directory holds the transcript, the conversation, what the model was sent, home and worktree.
    tokenIn: [...filesHolding(journey.dataDir, forms), ...forms.filter((form) => log.includes(form))],
    downloads: registry.seen.filter((seen) => left.test(seen.url)).length,
  };
}
