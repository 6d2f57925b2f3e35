import { randomUUID } from 'node:crypto';
import { createClient, type Client } from '@runward/sdk';
import { signIn } from '@runward/testing/api';
import { must } from '@runward/testing/process';

/** Who owns the organization, as the first start wrote it. */
export interface Owner {
  readonly ownerEmail: string;
  readonly ownerPassword: string;
}

/**
 * Adds another member to the organization, as the owner does in a browser session. Returns the API with that member's
 * key, because nobody approves what they filled in themselves.
 */
export async function addSecondMember(baseUrl: string, { ownerEmail, ownerPassword }: Owner): Promise<Client> {
  const owner = await signIn(baseUrl, ownerEmail, ownerPassword);
  const [email, password] = [`${randomUUID()}@example.com`, randomUUID()];
  const name = 'Head of department';
  await must(owner.call('users', 'create', { body: { email, name, role: 'ADMIN', password } }));
  const member = await signIn(baseUrl, email, password);
  const key = { name: 'Approvals of the demo', scopes: ['runs:read' as const, 'runs:write' as const] };
  const { plainKey: apiKey } = await must(member.call('apiKeys', 'create', { body: key }));
  return createClient({ baseUrl, apiKey });
}
