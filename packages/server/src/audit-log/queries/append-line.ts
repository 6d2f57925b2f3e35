import type { Contract, Response } from '@runward/contract';
import { hashBeforeFirst, hashOf } from '@runward/engine';
import type { Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';

type AuditLine = Response<Contract['auditLog']['list']>['data'][number];

/** A line before it has its place in the audit log. */
type NewLine = Omit<AuditLine, 'sequence' | 'previousHash' | 'hash'>;

/**
 * Locks the end of an audit log until the transaction ends, and returns it. Written as an update, because the first
 * line has nothing to lock.
 */
const lockHead = statement<{ count: number; hash: string }>(`
  insert into audit_heads as head (organization_id, count, hash, previous_hash)
  values ($1, 0, '${hashBeforeFirst}', '${hashBeforeFirst}')
  on conflict (organization_id) do update set count = head.count
  returning count, hash`);

const append = statement(`
  with head as (
    update audit_heads set count = $2, previous_hash = $3, hash = $4 where organization_id = $1
  )
  insert into audit_lines (
    organization_id, sequence, previous_hash, hash, at, action, actor_type, actor_user_id, actor_api_key_id, address,
    target_type, target_id, target_label, before, after)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14::jsonb, $15::jsonb)`);

/**
 * Adds a line to the end of an organization's audit log, in the transaction of the change. Until the transaction ends,
 * others wait who add one.
 */
export async function appendLine(em: Em, organizationId: string, line: NewLine): Promise<void> {
  if (!em.isInTransaction()) throw new Error('A line was added to an audit log outside of a transaction.');
  const [{ count, hash: previousHash } = { count: 0, hash: hashBeforeFirst }] = await lockHead(em, organizationId);
  const sequence = count + 1;
  const { at, action, actor, address, target, before, after } = line;
  const json = (value: object | null) => (value === null ? null : JSON.stringify(value));
  await append(
    em,
    organizationId,
    sequence,
    previousHash,
    hashOf(previousHash, { ...line, sequence }),
    at,
    action,
    actor.type,
    actor.userId,
    actor.apiKeyId,
    address,
    target.type,
    target.id,
    target.label,
    json(before),
    json(after),
  );
}
