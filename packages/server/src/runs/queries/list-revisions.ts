import type { FieldValue as Value } from '@runward/contract';
import { sql } from 'kysely';
import type { Em } from '../../database/database.ts';
import { countAs } from '../../database/expressions.ts';
import { instant } from '../../database/instant.ts';
import { readWithin, type Fitting, type PageSize } from '../../database/read-within.ts';

/** The place of a submitted value. */
export interface ValuePlace {
  readonly organizationId: string;
  readonly id: string;
  readonly runId: string;
  readonly templateId: string;
}

/** One submission of a value. */
export interface Revision {
  readonly sequence: number;
  readonly value: Value;
  readonly rowLabel: string | null;
  readonly submittedByUserId: string;
  readonly submittedAt: string;
}

/** A submitted value of the organization, or null. */
export async function findSubmittedValue(em: Em, organizationId: string, id: string): Promise<ValuePlace | null> {
  const value = await em
    .getKysely()
    .selectFrom('field_values as value')
    .innerJoin('runs as run', (join) =>
      join.onRef('run.organization_id', '=', 'value.organization_id').onRef('run.id', '=', 'value.run_id'),
    )
    .where('value.organization_id', '=', organizationId)
    .where('value.id', '=', id)
    .select([
      'value.organization_id as organizationId',
      'value.id',
      'value.run_id as runId',
      'run.template_id as templateId',
    ])
    .executeTakeFirst();
  return value ?? null;
}

/** A page of the submissions of a value from the activity log, newest first, and the number of all of them. */
export async function listRevisions(
  em: Em,
  { organizationId, id, runId }: ValuePlace,
  { before, ...size }: PageSize & { readonly before: number | undefined },
): Promise<Fitting<Revision> & { readonly total: number }> {
  const submissions = em
    .getKysely()
    .selectFrom('activity')
    .where('organization_id', '=', organizationId)
    .where('run_id', '=', runId)
    .where('type', '=', 'value.submitted')
    .where(({ eb, ref }) => eb(sql<string>`${ref('data')} ->> 'fieldValueId'`, '=', id));
  const { total } = await submissions.select(countAs('total')).executeTakeFirstOrThrow();
  const rest = before === undefined ? submissions : submissions.where('sequence', '<', before);
  const query = rest
    .select(['sequence', 'data', 'at'])
    .orderBy('sequence', 'desc')
    .limit(size.limit + 1);
  const { rows, limit } = await readWithin(em, query, size);
  return {
    total,
    limit,
    rows: rows.map(({ sequence, data, at }) => {
      const { value, rowLabel = null, userId } = data as { value: Value; rowLabel?: string; userId: string };
      return { sequence, value, rowLabel, submittedByUserId: userId, submittedAt: instant(at) };
    }),
  };
}
