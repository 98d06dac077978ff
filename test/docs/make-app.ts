import { spawn } from "node:child_process";
import { once } from "node:events";
import type { LocalGitHub } from "../../src/demo/github/start.ts";
import { until } from "../journeys/until.ts";

const unescaped = (html: string) =>
  html.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");

/**
 * Runs `init` with this GitHub for an Enterprise server, and does what a person does in the browser: opens its page, presses
 * the button, and is sent back. The address is the page's own, so that the first webhook has somewhere to go. Returns what
 * it printed.
 */
export async function makeApp(command: string, cwd: string, github: LocalGitHub): Promise<string> {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn("bash", ["-c", `exec 2>&1; ${command}`], {
    cwd,
    env: { PATH, HOME, HOST: "127.0.0.1", PORT: "0", GHE_HOST: github.host, GHE_PROTOCOL: "http" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const closed = once(child, "close");
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  const address = await until("its page is up", () => /Open (http:\S+)/.exec(printed)?.[1], 60).catch(
    (error: unknown) => {
      child.kill();
      throw new Error(printed, { cause: error });
    },
  );
  const page = new URL(address);
  page.searchParams.set("address", page.origin);
  const html = await (await fetch(page)).text();
  const [, action = ""] = /<form method="post" action="([^"]+)"/.exec(html) ?? [];
  const [, manifest = ""] = /name="manifest" value="([^"]+)"/.exec(html) ?? [];
  const sent = await fetch(unescaped(action), {
    method: "POST",
    body: new URLSearchParams({ manifest: unescaped(manifest) }),
    redirect: "manual",
  });
  await fetch(sent.headers.get("location") ?? "");
  await closed;
  return printed;
}
