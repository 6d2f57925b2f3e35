import type { Em } from '../../database/database.ts';

/** The place of a submitted value. */
export interface ValuePlace {
  readonly organizationId: string;
  readonly id: string;
  readonly runId: string;
  readonly templateId: string;
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
