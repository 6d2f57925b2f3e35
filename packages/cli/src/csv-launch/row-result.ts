import type { RunListItem } from '@runward/sdk';
import type { LaunchRow } from './rows.ts';

/** What happened to a row of the file. */
export type RowResult = {
  readonly line: number;
  readonly key: string;
} & (
  | {
      readonly outcome: 'launched' | 'already launched';
      readonly runId: string;
      readonly publicId: string;
      readonly title: string;
    }
  | { readonly outcome: 'failed' | 'unclear'; readonly messages: readonly string[] }
  | { readonly outcome: 'skipped' | 'not tried' }
);

/** All outcomes, in the order of the summary. */
export const outcomes = ['launched', 'already launched', 'skipped', 'failed', 'unclear', 'not tried'] as const;

/** The fields of a result. */
export const resultFields = ['line', 'outcome', 'runId', 'publicId', 'title', 'messages', 'key'] as const;

/** The result of a row with a run. */
export function launched(
  { line, key }: LaunchRow,
  outcome: 'launched' | 'already launched',
  { runId, publicId, title }: { runId: string; publicId: string; title: string },
): RowResult {
  return { line, key, outcome, runId, publicId, title };
}

/** The result of a row that may have a run. `candidates` are the possible runs. */
export function unclear({ line, key }: LaunchRow, reason: string, candidates: readonly RunListItem[]): RowResult {
  const runs = candidates.map(({ id, publicId, title, createdAt }) => `${publicId} ${id} "${title}", ${createdAt}`);
  return {
    line,
    key,
    outcome: 'unclear',
    messages: [
      `An earlier launch of this row was interrupted, and it is unknown whether its run exists: ${reason}.`,
      ...(runs.length > 0 ? ['Runs it may have launched:', ...runs] : []),
      'Check, then use --resolve retry to launch the row again, or --resolve skip to leave it out.',
    ],
  };
}
