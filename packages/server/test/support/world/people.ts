import { randomUUID } from 'node:crypto';
import { must } from '@runward/testing/process';
import type { Builder, Ids } from './world.ts';

/** Adds a member. */
export async function newMemberId({ session }: Builder): Promise<string> {
  const body = { email: `grace.hopper_${randomUUID()}@example.com`, name: 'Grace Hopper', password: randomUUID() };
  return (await must(session.call('users', 'create', { body }))).id;
}

/** Adds a member without a password, and makes their link. */
export async function newPasswordLinkToken({ session }: Builder): Promise<string> {
  const body = { email: `invited_${randomUUID()}@example.com`, name: 'Ada Lovelace' };
  const { id } = await must(session.call('users', 'create', { body }));
  const { url } = await must(session.call('users', 'createPasswordLink', { params: { id } }));
  return url.slice(url.lastIndexOf('/') + 1);
}

/** Makes a group of one. */
export async function newGroupId({ session }: Builder, member: string): Promise<string> {
  return (await must(session.call('groups', 'create', { body: { name: 'Purchasing', memberIds: [member] } }))).id;
}

/** Grants a template to a group. */
export async function newGrantId(
  { session }: Builder,
  { group: groupId, template: templateId }: Pick<Ids, 'group' | 'template'>,
): Promise<string> {
  return (await must(session.call('grants', 'create', { body: { groupId, templateId } }))).id;
}

/** Makes a key. */
export async function newApiKeyId({ session }: Builder): Promise<string> {
  return (await must(session.call('apiKeys', 'create', { body: { name: 'Reporting', scopes: ['runs:read'] } }))).id;
}

/** Signs the owner in once more. */
export async function newSessionId({ org }: Pick<Builder, 'org'>): Promise<string> {
  const { data } = await must((await org.session()).call('auth', 'sessions'));
  return data.find(({ isCurrent }) => isCurrent)?.id ?? '';
}
