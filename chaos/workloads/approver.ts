import { randomUUID } from 'node:crypto';
import { scopes } from '@runward/contract';
import { signIn } from '@runward/testing/api';
import { must } from '@runward/testing/process';

/** The owner of the organization, as `credentials.json` names them. */
export interface Owner {
  readonly ownerEmail: string;
  readonly ownerPassword: string;
}

/** Adds the member who decides on approvals, with their API key, which only an administrator can create. */
export async function newApprover(baseUrl: string, { ownerEmail, ownerPassword }: Owner) {
  const owner = await signIn(baseUrl, ownerEmail, ownerPassword);
  const email = 'approver@demo.example';
  const password = randomUUID();
  const { id } = await must(
    owner.call('users', 'create', { body: { email, name: 'Approver', role: 'ADMIN', password } }),
  );
  const approver = await signIn(baseUrl, email, password);
  const body = { name: 'Chaos', scopes: [...scopes] };
  const { plainKey: key } = await must(approver.call('apiKeys', 'create', { body }));
  return { id, key };
}
