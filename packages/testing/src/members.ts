import { randomUUID } from 'node:crypto';
import type { BodyInput, Contract } from '@runward/contract';
import { signIn, type Api } from './api.ts';
import { must } from './process.ts';

/** A member who signed in with a password. */
export interface TestMember {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly session: Api;
}

/** Has a session of an owner or admin add a member, who then signs in. */
export async function addMember(
  baseUrl: string,
  by: Api,
  settings: Partial<BodyInput<Contract['users']['create']>> = {},
): Promise<TestMember> {
  const email = `${randomUUID()}@example.com`;
  const { password = randomUUID() } = settings;
  const body = { email, name: 'Member', ...settings, password };
  const { id } = await must(by.call('users', 'create', { body }));
  return { id, email: body.email, password: body.password, session: await signIn(baseUrl, body.email, body.password) };
}
