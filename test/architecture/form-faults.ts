import { roomOf } from "./import-faults.ts";
import { codeOnly, type Source } from "./source.ts";

const MAX_LINES = 350;
const MAX_README_LINES = 30;
const MAX_MAP_LINES = 80;

const KEBAB = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.test)?\.ts$/;
const NO_IDEA = /^(?:utils?|helpers?|types|index|common|misc)$/;

/** What is wrong with a file's name, size or shape. */
export function formFaults(source: Source): readonly string[] {
  const { path, text } = source;
  const lines = text.trimEnd().split("\n").length;
  const most = mostLines(path);
  return [
    ...(path.endsWith(".ts") ? codeFaults(source) : []),
    ...(lines > most ? [`${path}: ${lines} lines, at most ${most}`] : []),
  ];
}

function mostLines(path: string): number {
  if (!path.endsWith("README.md")) return MAX_LINES;
  return path === "src/README.md" ? MAX_MAP_LINES : MAX_README_LINES;
}

function codeFaults({ path, text }: Source): readonly string[] {
  const faults: string[] = [];
  const parts = path.split("/");
  const file = parts.at(-1) ?? "";
  if (!KEBAB.test(file)) faults.push(`${path}: ${file} is not kebab-case`);
  const vague = [...parts.slice(1, -1), file.replace(/(\.test)?\.ts$/, "")].find((part) =>
    NO_IDEA.test(part),
  );
  if (vague !== undefined) faults.push(`${path}: ${vague} names no idea`);
  const code = codeOnly(text);
  if (/^\s*export\s+default\b|\bas\s+default\b/m.test(code)) faults.push(`${path}: has a default export`);
  if (/^\s*export\s*\*/m.test(code)) faults.push(`${path}: re-exports whatever another file has`);
  return faults;
}

/** Rooms that do not say what they are for. */
export function readmeFaults(paths: readonly string[]): readonly string[] {
  const rooms = new Set(paths.filter((path) => path.split("/").length > 2).map(roomOf));
  return ["src", ...[...rooms].map((room) => `src/${room}`)]
    .map((folder) => `${folder}/README.md`)
    .filter((readme) => !paths.includes(readme))
    .map((readme) => `${readme}: is missing`);
}
