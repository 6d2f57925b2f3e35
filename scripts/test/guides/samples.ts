import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contract, errorBody } from '@runward/contract';
import type { ExecutionContext } from 'ava';
import type * as z from 'zod';

/** JSON bodies, by page and beginning, each with the schema of the contract that it must fit; "…" stands for an id. */
export const bodies: readonly (readonly [page: string, start: string, schema: z.ZodType])[] = [
  ['docs/guides/data-sources.md', '{ "runTaskId"', contract.execution.submitForm.body],
  ['docs/guides/errors.md', '{ "statusCode"', errorBody],
  ['docs/guides/templates.md', '{ "taskIds"', contract['templates.dependencies'].set.body],
  ['docs/guides/templates.md', '{ "approverIds"', contract['templates.tasks'].update.body.shape.approval],
  ['docs/guides/templates.md', '{ "from"', contract['templates.versions'].diff.response],
];

/** What a command printed, and the folder that it wrote to. */
interface Printed {
  readonly stdout: string;
  readonly stderr: string;
  readonly cwd: string;
}

/** Output that a page shows. */
interface Output {
  readonly page: string;
  /** How the block begins. */
  readonly start: string;
  /** How the command begins that prints it. */
  readonly command: string;
  compare(t: ExecutionContext, shown: string, printed: Printed): void;
}

const read = ({ cwd }: Printed, name: string) => readFileSync(join(cwd, name), 'utf8');

/** The section and the metric of the lines of a CSV of analytics. */
const figures = (csv: string) =>
  csv
    .trim()
    .split(/\r?\n/)
    .map((line) => line.replace(/^([^,]*),.*,([^,]*),[^,]*$/, '$1 $2'));

/** Output that is compared with the real output of the command. Ids, times and numbers may differ. */
export const outputs: readonly Output[] = [
  {
    page: 'docs/guides/analytics.md',
    start: 'section,name',
    command: 'runward analytics -o csv',
    compare: (t, shown, printed) => {
      const real = figures(read(printed, 'analytics.csv'));
      for (const figure of figures(shown)) t.true(real.includes(figure), figure);
    },
  },
  {
    page: 'docs/guides/audit.md',
    start: '{ "count"',
    command: 'runward audit export',
    compare: (t, shown, printed) => {
      const [header = ''] = read(printed, 'run.jsonl').split('\n');
      t.deepEqual(Object.keys(JSON.parse(header) as object), Object.keys(JSON.parse(shown) as object));
    },
  },
  {
    page: 'packages/cli/README.md',
    start: '{ "error"',
    command: 'runward runs complete RUN -o json',
    compare: (t, shown, { stderr }) => {
      const { requestId: _, ...error } = JSON.parse(shown) as { requestId: string };
      t.like(JSON.parse(stderr), error);
    },
  },
  // Another test prints the plan.
  { page: 'packages/cli/README.md', start: '~ task Review', command: 'none', compare: () => {} },
];
