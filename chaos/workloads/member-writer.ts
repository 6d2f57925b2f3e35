import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { signIn, type Api } from '@runward/testing/api';
import type { Random } from '@runward/testing/random';
import type { AdminLog } from './admin-log.ts';
import type { Owner } from './approver.ts';
import type { Caller } from './client.ts';

/** An owner who adds members. */
export interface MemberWriter {
  /** Adds a member, and changes their role and grants a few times. Rejects after a request without a response. */
  write(email: string, random: Random, signal: AbortSignal): Promise<void>;
}

const roles = ['GUEST', 'VIEWER', 'MEMBER'] as const;

/** Signs the owner in at each API process, and creates the templates to grant. */
export async function createMemberWriter(
  caller: Caller,
  apis: readonly { readonly baseUrl: string }[],
  { ownerEmail, ownerPassword }: Owner,
  log: AdminLog,
): Promise<MemberWriter> {
  const sessions = new Map<string, Api>();
  for (const { baseUrl } of apis) sessions.set(baseUrl, await signIn(baseUrl, ownerEmail, ownerPassword));
  const request = (method: string, path: string, body?: object) => {
    const headers = { 'idempotency-key': randomUUID() };
    return caller.read(async (_api, _options, baseUrl) => {
      const response = await sessions.get(baseUrl)?.raw(method, path, { body, headers });
      if (!response || response.status >= 500 || response.status === 429) throw new Error('There is no answer yet.');
      return response;
    }, 'change member');
  };
  const newTemplate = async (name: string) => {
    const idempotencyKey = randomUUID();
    return (await caller.read((api) => api.templates.create({ name }, { idempotencyKey }))).id;
  };
  const templateIds = [await newTemplate('Granted'), await newTemplate('Granted, too')] as const;

  return {
    write: async (email, random, signal) => {
      let role: (typeof roles)[number] = random.pick(roles);
      const added = await log.record([{ action: 'user.created', email, value: role }], () =>
        request('POST', '/users', { email, name: 'Administered', role }),
      );
      const userId = idOf(added.body);
      const granted = new Map<string, string>();
      for (let steps = random.between(2, 9); steps > 0 && !signal.aborted; steps -= 1) {
        await pause(random.between(20, 200));
        const templateId = random.pick(templateIds);
        const grantId = granted.get(templateId);
        if (random.next() < 0.4) {
          const [first, second] = roles.filter((each) => each !== role);
          role = random.pick([first ?? role, second ?? role]);
          await log.record([{ action: 'user.updated', email, value: role }], () =>
            request('PATCH', `/users/${userId}`, { role }),
          );
        } else if (grantId === undefined) {
          const grant = await log.record([{ action: 'grant.created', email, value: templateId }], () =>
            request('POST', '/grants', { userId, templateId }),
          );
          granted.set(templateId, idOf(grant.body));
        } else {
          await log.record([{ action: 'grant.revoked', email, value: templateId }], () =>
            request('DELETE', `/grants/${grantId}`),
          );
          granted.delete(templateId);
        }
      }
    },
  };
}

const idOf = (body: unknown) => (body as { readonly id: string }).id;
