// Runs at the end of `npm install` in a checkout. npm may run on an older Node than ours; .npmrc keeps its warning for
// each package off the screen, and this says the one thing that matters.
import { readFileSync } from "node:fs";

const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const [major, minor] = engines.node.replace(">=", "").split(".").map(Number);
const own = /node\/v((\d+)\.(\d+)\S*)/.exec(process.env.npm_config_user_agent ?? "");
if (own !== null && (Number(own[2]) < major || (Number(own[2]) === major && Number(own[3]) < minor)))
  process.stderr.write(
    `You have Node ${own[1]}; Flotilla needs ${major}.${minor} or newer. The npm commands of this checkout work all the same: they use the Node that npm just installed here.\n`,
  );
