import { hash } from 'node:crypto';
import type { Contract, Response } from '@runward/contract';
import type { Organization } from './entities/organization.ts';

/** An organization without its secrets. */
export function presentOrganization(row: Organization): Response<Contract['organization']['get']> {
  const { id, name, timeZone: timezone, remindBefore, plan, createdAt } = row;
  const version = organizationVersion(row);
  return { id, name, timezone, remindBefore, plan, createdAt: createdAt.toISOString(), version };
}

/** The version of the settings: a hash of the values that can change. */
export function organizationVersion({ name, timeZone, remindBefore, plan }: Organization): string {
  return hash('sha256', JSON.stringify([name, timeZone, remindBefore, plan]), 'base64url').slice(0, 22);
}
