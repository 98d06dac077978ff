import { argumentOf, type Completions } from "./completion-words.ts";

/** Builds the completion scripts of shells. Only names of `[a-z-]` are unquoted in them. */
export const SCRIPTS: Readonly<Record<"bash" | "zsh" | "fish", (all: readonly Completions[]) => string>> = {
  bash,
  zsh,
  fish,
};

const HEAD = "# Made by `flotilla completion`; its help says where it goes.";

function bash(all: readonly Completions[]): string {
  const names = all.map(({ name }) => name).join(" ");
  const cases = all.flatMap(({ name, verbs, options }) => {
    const after = options.flatMap(([option, about]) => {
      const kind = argumentOf(about);
      const flags = {
        words: `-W "${(about.values ?? []).join(" ")}"`,
        file: "-f",
        directory: "-d",
        free: "",
        none: "",
      }[kind];
      if (kind === "none") return [];
      return [`        --${option}) ${flags === "" ? "COMPREPLY=()" : fill(flags)}; return ;;`];
    });
    const words = [...verbs.map(([verb]) => verb), ...options.map(([option]) => `--${option}`)].join(" ");
    return [
      `    ${name})`,
      ...(after.length === 0 ? [] : ['      case "$before" in', ...after, "      esac"]),
      `      ${fill(`-W "${words}"`)} ;;`,
    ];
  });
  return [
    HEAD,
    "_flotilla() {",
    '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"',
    `  if [ "$COMP_CWORD" -eq 1 ]; then ${fill(`-W "${names} --help"`)}; return; fi`,
    '  case "${COMP_WORDS[1]}" in',
    ...cases,
    "  esac",
    "}",
    "complete -F _flotilla flotilla",
  ].join("\n");
}

function fill(flags: string): string {
  return `COMPREPLY=($(compgen ${flags} -- "$word"))`;
}

function zsh(all: readonly Completions[]): string {
  const cases = all.flatMap(({ name, verbs, options }) => {
    const specs = options.map(([option, about]) => {
      const taken = {
        none: "",
        words: `:${option}:(${(about.values ?? []).join(" ")})`,
        file: ":file:_files",
        directory: ":directory:_files -/",
        free: `:${option}: `,
      }[argumentOf(about)];
      return quoted(`--${option}[${about.says.replaceAll(/[[\]:]/g, "\\$&")}]${taken}`);
    });
    return [
      `    ${name})`,
      `      words_of=(${described(verbs)})`,
      `      _arguments ${[...specs, quoted("1: :{ _describe verb words_of }"), quoted("*: : ")].join(" ")} ;;`,
    ];
  });
  return [
    "#compdef flotilla",
    HEAD,
    "_flotilla() {",
    "  local -a commands_of words_of",
    `  commands_of=(${described(all.map(({ name, says }) => [name, says]))})`,
    "  if (( CURRENT == 2 )); then _describe command commands_of; return; fi",
    '  local typed="${words[2]}"',
    "  shift words; (( CURRENT-- ))",
    '  case "$typed" in',
    ...cases,
    "  esac",
    "}",
    // When zsh finds this file in a directory of $fpath, it runs the file as the function itself for the
    // first completion, which needs an answer, too.
    'if [[ "${funcstack[1]}" == _flotilla ]]; then _flotilla "$@"; else compdef _flotilla flotilla; fi',
  ].join("\n");
}

function fish(all: readonly Completions[]): string {
  return [
    HEAD,
    // Completes by position: `flotilla agents pause` is not `flotilla pause`, and a command has one verb.
    "function __flotilla_in",
    "  set -l typed (commandline -opc)",
    '  test "$typed[2]" = "$argv[1]"',
    "end",
    "function __flotilla_verb",
    "  test (count (string match -v -- '-*' (commandline -opc))) -eq 2; and __flotilla_in $argv[1]",
    "end",
    "complete -c flotilla -f",
    ...all.flatMap(({ name, says, verbs, options }) => [
      line("__fish_use_subcommand", `-a ${name}`, says),
      ...verbs.map(([verb, about]) => line(`__flotilla_verb ${name}`, `-a ${verb}`, about)),
      ...options.map(([option, about]) => {
        const taken = {
          none: "",
          words: ` -x -a ${quoted((about.values ?? []).join(" "))}`,
          file: " -r -F",
          directory: " -x -a '(__fish_complete_directories)'",
          free: " -x",
        }[argumentOf(about)];
        return line(`__flotilla_in ${name}`, `-l ${option}${taken}`, about.says);
      }),
    ]),
  ].join("\n");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function described(rows: readonly (readonly [string, string])[]): string {
  return rows.map(([name, says]) => quoted(`${name}:${says.replaceAll(":", "\\:")}`)).join(" ");
}

function line(when: string, what: string, says: string): string {
  return `complete -c flotilla -n ${quoted(when)} ${what} -d ${quoted(says)}`;
}
