import { randomUUID } from 'node:crypto';
import { createClient, type Client } from '@runward/sdk';
import { signIn } from '@runward/testing/api';
import { must } from '@runward/testing/process';

/** Who owns the organization, as the first start wrote it. */
export interface Owner {
  readonly ownerEmail: string;
  readonly ownerPassword: string;
}

/** Another member of the organization. */
export interface SecondMember {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  /** The API with a key of this member. */
  readonly runward: Client;
}

/**
 * Adds another member to the organization, as the owner does in a browser session, because nobody approves what they
 * filled in themselves, and nobody gets mail about what they did themselves.
 */
export async function addSecondMember(baseUrl: string, { ownerEmail, ownerPassword }: Owner): Promise<SecondMember> {
  const owner = await signIn(baseUrl, ownerEmail, ownerPassword);
  const [email, password] = [`head-${randomUUID().slice(0, 8)}@example.com`, randomUUID()];
  const name = 'Head of department';
  const { id: userId } = await must(owner.call('users', 'create', { body: { email, name, role: 'ADMIN', password } }));
  const member = await signIn(baseUrl, email, password);
  const key = { name: 'Approvals of the demo', scopes: ['runs:read' as const, 'runs:write' as const] };
  const { plainKey: apiKey } = await must(member.call('apiKeys', 'create', { body: key }));
  return { userId, name, email, runward: createClient({ baseUrl, apiKey }) };
}
