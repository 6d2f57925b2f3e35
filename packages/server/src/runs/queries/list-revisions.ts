import type { FieldValue } from '@runward/contract';
import { sql } from 'kysely';
import type { Em } from '../../database/database.ts';
import { instant } from '../../database/instant.ts';

/** Where a submitted value stands. */
export interface ValuePlace {
  readonly organizationId: string;
  readonly id: string;
  readonly runId: string;
  readonly templateId: string;
}

/** One write of a value. */
export interface Revision {
  readonly sequence: number;
  readonly value: FieldValue;
  readonly submittedByUserId: string;
  readonly submittedAt: string;
}

/** A submitted value of the organization, or null. */
export async function findSubmittedValue(em: Em, organizationId: string, id: string): Promise<ValuePlace | null> {
  const { rows } = await sql<ValuePlace>`
    select value.organization_id as "organizationId", value.id, run.id as "runId", run.template_id as "templateId"
    from field_values value join runs run on run.organization_id = value.organization_id and run.id = value.run_id
    where value.organization_id = ${organizationId} and value.id = ${id}
  `.execute(em.getKysely());
  return rows[0] ?? null;
}

/** Up to `limit` + 1 writes of a value, newest first, as the activity log has them, and how many there are in all. */
export async function listRevisions(
  em: Em,
  { organizationId, id, runId }: ValuePlace,
  { limit, before }: { limit: number; before: number | undefined },
): Promise<{ rows: Revision[]; total: number }> {
  const writes = sql`from activity where organization_id = ${organizationId} and run_id = ${runId}
    and type = 'value.submitted' and data ->> 'fieldValueId' = ${id}`;
  const { rows } = await sql<{
    sequence: number;
    data: { value: FieldValue; userId: string };
    at: string;
    total: number;
  }>`
    select sequence, data, at, (select count(*)::int ${writes}) as total
    ${writes} ${before === undefined ? sql`` : sql`and sequence < ${before}`}
    order by sequence desc limit ${limit + 1}
  `.execute(em.getKysely());
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.map(({ sequence, data, at }) => ({
      sequence,
      value: data.value,
      submittedByUserId: data.userId,
      submittedAt: instant(at),
    })),
  };
}
