import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from '@runward/testing/random';
import type { AdminHistory } from '../history/admin-history.ts';
import { createAdminLog } from './admin-log.ts';
import type { Owner } from './approver.ts';
import type { Caller } from './client.ts';
import { createLinkWriter } from './link-writer.ts';
import { createMemberWriter } from './member-writer.ts';
import type { Template } from './prepare.ts';
import { untilStopped, type Stoppable } from './stoppable.ts';

/** Clients who change members, grants and form links. */
export interface Administrators extends Stoppable, Pick<AdminHistory, 'changes' | 'visits'> {
  /** Opens every form link once more. */
  visitAll(): Promise<void>;
}

/** The domain of the addresses of all members that the clients add. */
export const administeredDomain = 'administered.example';

/**
 * Starts a client that adds members and changes their roles and grants, and two that make form links and revoke them.
 * Each member and link has a single writer, which therefore knows what each response promises.
 */
export async function startAdministrators(
  caller: Caller,
  {
    apis,
    owner,
    template,
  }: { readonly apis: readonly { readonly baseUrl: string }[]; readonly owner: Owner; readonly template: Template },
  seed: number,
): Promise<Administrators> {
  const log = createAdminLog();
  const members = await createMemberWriter(caller, apis, owner, log);
  const links = createLinkWriter(caller, template, log);

  const work = async (name: string, { write }: Pick<typeof members, 'write'>, signal: AbortSignal) => {
    const random = createRandom(seed, name);
    while (!signal.aborted) {
      const email = `${randomUUID()}@${administeredDomain}`;
      await write(email, random, signal).catch(() => pause(500));
      await pause(random.between(100, 1_000));
    }
  };
  return {
    ...untilStopped((signal) =>
      Promise.all([
        work('member writer', members, signal),
        work('link writer 1', links, signal),
        work('link writer 2', links, signal),
      ]),
    ),
    changes: log.changes,
    visits: links.visits,
    visitAll: () => links.visitAll(),
  };
}
