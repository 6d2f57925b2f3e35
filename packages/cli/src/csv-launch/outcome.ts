import type { RunLine } from './find-launched.ts';
import type { LaunchRow } from './rows.ts';

/** How a row ended up. */
export type Outcome = {
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

/** The kinds of outcomes in the order a summary lists them. */
export const outcomes = ['launched', 'already launched', 'skipped', 'failed', 'unclear', 'not tried'] as const;

/** The parts of an outcome. */
export const outcomeFields = ['line', 'outcome', 'runId', 'publicId', 'title', 'messages', 'key'] as const;

/** The outcome of a row whose run exists. */
export function launched(
  { line, key }: LaunchRow,
  outcome: 'launched' | 'already launched',
  { runId, publicId, title }: { runId: string; publicId: string; title: string },
): Outcome {
  return { line, key, outcome, runId, publicId, title };
}

/** What to tell about a row of which nobody knows whether its run exists. */
export function unclear({ line, key }: LaunchRow, reason: string, candidates: readonly RunLine[]): Outcome {
  const runs = candidates.map(({ id, publicId, title, createdAt }) => `${publicId} ${id} "${title}", ${createdAt}`);
  return {
    line,
    key,
    outcome: 'unclear',
    messages: [
      `An earlier launch of this row broke off, and it cannot be told whether its run exists: ${reason}.`,
      ...(runs.length > 0 ? ['Runs that may be it:', ...runs] : []),
      'Look, then launch it again with --resolve retry, or leave it with --resolve skip.',
    ],
  };
}
