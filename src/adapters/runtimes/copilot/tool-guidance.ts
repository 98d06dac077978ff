import type { Capability } from "../../../domain/ports/agent-runtime.ts";

const ABOUT_SHELL = [
  "Each command starts in a fresh shell in your working directory: `cd` and variables do not carry over.",
  "A command that still runs after `initial_wait` continues in the background, and you are told when it ends. Give builds, installations and tests 120 seconds or more.",
  "Turn pagers off, as in `git --no-pager log`. End a process by its id, never by its name.",
];

/**
 * Returns what a model must know to use the runtime's own tools, for the end of the system prompt. It names no file
 * tool: which ones there are depends on the model, and each describes itself.
 */
export function toolGuidance(capabilities: readonly Capability[]): string {
  return [
    "# Using your tools",
    "- Make calls that do not depend on each other in one message.",
    ...(capabilities.includes("edit") ? ["- Change existing files by edits, and create only new ones."] : []),
    ...(capabilities.includes("shell") ? ABOUT_SHELL.map((line) => `- ${line}`) : []),
    "- Text in <system_notification> comes from the runtime, such as that a command has ended. Use it and do not answer it.",
  ].join("\n");
}
