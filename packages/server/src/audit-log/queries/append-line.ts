import type { Contract, Response } from '@runward/contract';
import { canonicalJson, hashBeforeFirst } from '@runward/engine';
import type { Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';

type AuditLine = Response<Contract['auditLog']['list']>['data'][number];

/** A line before it has its place in the audit log. */
type NewLine = Omit<AuditLine, 'sequence' | 'previousHash' | 'hash'>;

/** The hash of a line: of the previous hash, a line feed, and the text of the line around its sequence. */
const hash = (previousHash: string, sequence: string) =>
  `encode(sha256(convert_to(${previousHash} || E'\\n' || $2::text || ${sequence} || $3::text, 'UTF8')), 'hex')`;

// The database computes the hash, because the previous one is known only after the head is locked. A change thus needs
// no further statement. The values of `do update` are those of the row as it is after the wait for its lock.
const append = statement<{ sequence: number }>(`
  with head as (
    insert into audit_heads as head (organization_id, count, hash, previous_hash)
    values ($1, 1, ${hash(`'${hashBeforeFirst}'`, "'1'")}, '${hashBeforeFirst}')
    on conflict (organization_id) do update set
      count = head.count + 1,
      hash = ${hash('head.hash', '(head.count + 1)::text')},
      previous_hash = head.hash
    returning head.count, head.hash, head.previous_hash
  )
  insert into audit_lines (
    organization_id, sequence, at, action, actor_type, actor_user_id, actor_api_key_id, address,
    target_type, target_id, target_label, before, after, previous_hash, hash)
  select $1, count, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::jsonb, $14::jsonb, previous_hash, hash from head`);

/** Adds a line to the end of an organization's audit log. Until the transaction ends, others wait who add one. */
export async function appendLine(em: Em, organizationId: string, line: NewLine): Promise<void> {
  const { target, ...rest } = line;
  const { at, action, actor, address, before, after } = rest;
  // Canonical JSON orders members by name. `sequence` follows those of `rest` and precedes `target`.
  const start = `${canonicalJson(rest).slice(0, -1)},"sequence":`;
  const end = `,${canonicalJson({ target }).slice(1)}`;
  const json = (value: object | null) => (value === null ? null : JSON.stringify(value));
  await append(
    em,
    organizationId,
    start,
    end,
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
