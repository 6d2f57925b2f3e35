import type { Part } from './harness/part.ts';
import { apart } from './parts/apart.ts';
import { consolePages } from './parts/console.ts';
import { deliveries } from './parts/deliveries.ts';
import { detection } from './parts/detection.ts';
import { files } from './parts/files.ts';
import { forms } from './parts/forms.ts';
import { latency } from './parts/latency.ts';
import { lists } from './parts/lists.ts';
import { mail } from './parts/mail.ts';
import { memory } from './parts/memory.ts';
import { mixed } from './parts/mixed.ts';
import { pdf } from './parts/pdf.ts';
import { portal } from './parts/portal.ts';
import { processes } from './parts/processes.ts';
import { runs } from './parts/runs.ts';
import { subscriber } from './parts/subscriber.ts';
import { templates } from './parts/templates.ts';
import { traces } from './parts/traces.ts';
import { values } from './parts/values.ts';
import { writes } from './parts/writes.ts';

/** What `--only` chooses from, in the order in which it is measured. */
export const parts: readonly Part[] = [
  mixed,
  runs,
  forms,
  subscriber,
  apart,
  files,
  processes,
  traces,
  templates,
  writes,
  latency,
  deliveries,
  mail,
  detection,
  pdf,
  portal,
  consolePages,
  memory,
  lists,
  values,
];
