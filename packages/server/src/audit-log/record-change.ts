import { isDeepStrictEqual } from 'node:util';
import type { AuditAction, auditActorTypes, auditTargetTypes } from '@runward/contract';
import type { Em } from '../database/database.ts';
import { appendLine } from './queries/append-line.ts';

/** Who acts, from where, and in which transaction. A request context is one. */
export interface AuditContext {
  /** In the transaction of the change, so that there is a line if and only if there is a change. */
  readonly em: Em;
  readonly now: Date;
  readonly actor: {
    readonly organizationId: string;
    readonly type: (typeof auditActorTypes)[number];
    readonly userId: string | null;
    readonly apiKeyId: string | null;
  };
  /** Its address is empty if there is none. */
  readonly browser: { readonly address: string };
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json | undefined };

/** Properties of a record, as JSON. They must not contain secrets. The rows of tables, which have dates, do not fit. */
export type AuditProperties = { readonly [name: string]: Json | undefined };

/** The record that an action concerns. Its label is what people call it; null if it has no name. */
export interface AuditTarget {
  readonly type: (typeof auditTargetTypes)[number];
  readonly id: string;
  readonly label: string | null;
}

/** What a line of the audit log says. */
export interface Change {
  readonly action: AuditAction;
  readonly target: AuditTarget;
  /** The record before it was changed or deleted. */
  readonly before?: AuditProperties;
  /** The record after it was created or changed, or details of what was done. */
  readonly after?: AuditProperties;
}

/**
 * Adds a line to the audit log of the actor's organization, with the properties that differ. Adds none if `before` and
 * `after` are given and equal. It should be the last statement of a transaction: until the transaction ends, other
 * administrative changes of the organization wait.
 */
export async function recordChange({ em, now, actor, browser }: AuditContext, change: Change): Promise<void> {
  const { action, target, before, after } = change;
  const isSame = (name: string) => before !== undefined && isDeepStrictEqual(before[name], after?.[name]);
  const differing = (properties: AuditProperties | undefined, other: AuditProperties | undefined) => {
    if (properties === undefined) return null;
    const entries = Object.entries(properties).filter(
      ([name, value]) => value !== undefined && !(other && isSame(name)),
    );
    return entries.length === 0 ? null : Object.fromEntries(entries);
  };
  const changed = { before: differing(before, after), after: differing(after, before) };
  if (before && after && changed.before === null && changed.after === null) return;
  const { organizationId, type, userId, apiKeyId } = actor;
  await appendLine(em, organizationId, {
    at: now.toISOString(),
    action,
    actor: { type, userId, apiKeyId },
    address: browser.address || null,
    target: { type: target.type, id: target.id, label: target.label },
    ...changed,
  });
}

/** The context of what the service does by itself, such as in a job. */
export function bySystem(em: Em, organizationId: string): AuditContext {
  const actor = { organizationId, type: 'SYSTEM', userId: null, apiKeyId: null } as const;
  return { em, now: new Date(), actor, browser: { address: '' } };
}

/** The context of a change by whoever operates the service: with the administration command, or by starting it. */
export function administration(em: Em, organizationId: string): AuditContext {
  const actor = { organizationId, type: 'ADMINISTRATION', userId: null, apiKeyId: null } as const;
  return { em, now: new Date(), actor, browser: { address: '' } };
}
