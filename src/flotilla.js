#!/usr/bin/env node
import { existsSync } from "node:fs";

// A checkout runs its sources. An installed package has only what was compiled of them: Node strips no types there.
const source = new URL("main.ts", import.meta.url);
await import((existsSync(source) ? source : new URL("../dist/main.js", import.meta.url)).href);
