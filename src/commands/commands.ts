import { agents } from "./agents.ts";
import { backup } from "./backup.ts";
import { check } from "./check.ts";
import type { Command } from "./command.ts";
import { completionOf } from "./completion.ts";
import { deliveries } from "./deliveries.ts";
import { demo } from "./demo.ts";
import { diagram } from "./diagram.ts";
import { doctor } from "./doctor.ts";
import { explain } from "./explain.ts";
import { goals } from "./goals.ts";
import { init } from "./init.ts";
import { ledger } from "./ledger.ts";
import { onboard } from "./onboard.ts";
import { pause, resume } from "./pause.ts";
import { replay } from "./replay.ts";
import { report } from "./report.ts";
import { serve } from "./serve.ts";
import { support } from "./support.ts";
import { tasks } from "./tasks.ts";

/** Every command of the command line, in the order of its help. */
export const commands: readonly Command[] = [
  serve,
  demo,
  init,
  check,
  doctor,
  agents,
  tasks,
  goals,
  explain,
  report,
  onboard,
  pause,
  resume,
  deliveries,
  replay,
  ledger,
  backup,
  support,
  diagram,
  completionOf(() => commands),
];
