import { isSource, isTestPath, type TestPlaces } from "./test-places.ts";

/** What a changed file is, as its path says: the first of `KINDS` that fits. */
export interface PathKind {
  /** What a person reads: `it changes <words> <path>`. */
  readonly words: string;
  readonly points: number;
}

/** In the order of their points, so that a file that fits several counts as the riskiest. */
const KINDS: readonly (PathKind & { readonly paths: RegExp })[] = [
  {
    words: "what changes data for good, in",
    points: 40,
    paths:
      /(?:^|\/)(?:migrations?|migrate|alembic|flyway|liquibase)\/|\.sql$|(?:^|\/)schema\.(?:rb|prisma)$/i,
  },
  {
    words: "what CI or a deployment runs, in",
    points: 40,
    paths:
      /^\.(?:github|gitlab|circleci|buildkite|woodpecker|azure-pipelines|ci)\/|^ci\/|^(?:\.gitlab-ci|azure-pipelines|bitbucket-pipelines|\.travis|\.?appveyor|\.drone|\.cirrus)[^/]*\.ya?ml$|(?:^|\/)(?:Jenkinsfile|Dockerfile|Containerfile|Procfile)[^/]*$|(?:^|\/)(?:docker-)?compose[^/]*\.ya?ml$|\.(?:tf|tfvars|bicep)$|(?:^|\/)(?:helm|k8s|kubernetes|terraform|ansible|deploy(?:ment)?s?)\//i,
  },
  {
    words: "dependencies, in",
    points: 35,
    paths:
      /(?:^|\/)(?:package\.json|package-lock\.json|npm-shrinkwrap\.json|pnpm-(?:lock|workspace)\.yaml|yarn\.lock|bun\.lockb?|deno\.lock|Cargo\.(?:toml|lock)|go\.(?:mod|sum|work)|pyproject\.toml|setup\.(?:py|cfg)|Pipfile(?:\.lock)?|poetry\.lock|uv\.lock|[^/]*(?:requirements|constraints)[^/]*\.(?:txt|in)|requirements\/[^/]+\.(?:txt|in)|conanfile\.txt|Gemfile(?:\.lock)?|[^/]+\.gemspec|composer\.(?:json|lock)|pom\.xml|[^/]+\.(?:csproj|fsproj)|packages\.lock\.json|mix\.(?:exs|lock)|pubspec\.(?:yaml|lock)|Package\.(?:swift|resolved)|flake\.(?:nix|lock)|\.npmrc|\.yarnrc(?:\.yml)?|\.gitmodules)$|(?:^|\/)(?:vendor|node_modules|third_party)\//i,
  },
  {
    words: "the build, in",
    points: 30,
    paths:
      /(?:^|\/)(?:GNUmakefile|[Mm]akefile|[Jj]ustfile|Taskfile\.ya?ml|CMakeLists\.txt|meson\.build|BUILD(?:\.bazel)?|WORKSPACE|build\.rs|gradlew|mvnw)$|\.(?:mk|cmake|bzl|gradle|gradle\.kts)$|(?:^|\/)(?:webpack|rollup|vite|esbuild|babel|tsup|turbo|nx|gulpfile|Gruntfile)(?:\.[\w-]+)*\.(?:[cm]?[jt]s|json)$|(?:^|\/)tsconfig[^/]*\.json$|(?:^|\/)\.gitattributes$/i,
  },
];

const DOCUMENT = /\.(?:md|markdown|rst|adoc|asciidoc|txt)$/i;
const DOCUMENT_FILE = /(?:^|\/)(?:README|CHANGELOG|CHANGES|LICENSE|LICENCE|NOTICE|AUTHORS|CONTRIBUTORS)$/i;

const CODE: PathKind = { words: "code, in", points: 15 };
const OTHER: PathKind = { words: "a file that is neither code, a test nor a text,", points: 15 };
const TEST: PathKind = { words: "tests, in", points: 5 };
const TEXT: PathKind = { words: "texts, in", points: 0 };

/** Returns what a file is by its path, and where tests were; a path that fits nothing counts like code. */
export function kindOfPath(path: string, places: TestPlaces): PathKind {
  const found = KINDS.find(({ paths }) => paths.test(path));
  if (found !== undefined) return found;
  if (isTestPath(path, places)) return TEST;
  if (DOCUMENT.test(path) || DOCUMENT_FILE.test(path)) return TEXT;
  return isSource(path) ? CODE : OTHER;
}

export const isCode = (kind: PathKind): boolean => kind === CODE;
