import { checkCounters, type CounterDifference } from '../../runs/queries/check-counters.ts';
import { numberOf } from '../../words.ts';
import { Problem } from '../part.ts';
import { andOthers } from './and-others.ts';
import type { DataContext } from './context.ts';

/** Compares the counters of some organizations with their runs. */
export async function checkSomeCounters({ read, sample: { organizationIds } }: DataContext): Promise<string> {
  const differences = await read(async (em) => {
    const found: CounterDifference[] = [];
    for (const id of organizationIds) found.push(...(await checkCounters(em, id)));
    return found;
  });
  if (differences.length === 0)
    return `those of ${numberOf(organizationIds.length, 'organization')} agree with their runs`;
  const wrong = [...new Set(differences.map(({ organizationId }) => organizationId))];
  throw new Problem(
    `${differences.length} differ from the number of runs, in the organizations ${andOthers(wrong)}`,
    'correct them with "runward-admin counters check --fix"',
  );
}
