import { verifyNewest } from '../../audit-log/verify-lines.ts';
import type { Em } from '../../database/database.ts';
import { sampleEnds } from '../../runs/queries/list-activity.ts';
import { verifyActivity } from '../../runs/read/verify-activity.ts';
import { numberOf } from '../../words.ts';
import { Problem } from '../part.ts';
import { andOthers } from './and-others.ts';
import type { DataContext } from './context.ts';

/** How many lines of an audit log are read. */
const newestLines = 1_000;
const remedy = 'find out who changed the database, and compare with a backup or an export';

/** Verifies the activity logs of some runs. */
export function checkActivity({ read, sample }: DataContext): Promise<string> {
  return read(async (em) => {
    const ends = await sampleEnds(em, sample);
    const problems = await problemsOf(ends, async (end) => {
      const problem = await verifyActivity(em, end);
      return problem && `run ${end.id}: ${problem.message}`;
    });
    ensureNone(problems);
    return `the logs of ${numberOf(ends.length, 'run')} are as they were written`;
  });
}

/** Verifies the newest lines of the audit logs of some organizations. */
export function checkAuditLogs({ read, sample: { organizationIds } }: DataContext): Promise<string> {
  return read(async (em: Em) => {
    const problems = await problemsOf(organizationIds, async (id) => {
      const { problem } = await verifyNewest(em, id, newestLines);
      return problem && `organization ${id}: ${problem.message}`;
    });
    ensureNone(problems);
    return `the newest lines of ${numberOf(organizationIds.length, 'organization')} are as they were written`;
  });
}

/** One after the other, because all are read by one transaction. */
async function problemsOf<Item>(items: readonly Item[], verify: (item: Item) => Promise<string | null>) {
  const problems: string[] = [];
  for (const item of items) {
    const problem = await verify(item);
    if (problem !== null) problems.push(problem.replace(/\.$/, ''));
  }
  return problems;
}

function ensureNone(problems: readonly string[]): void {
  if (problems.length > 0) throw new Problem(andOthers(problems), remedy);
}
