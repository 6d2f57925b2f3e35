import type { Parts } from '@runward/contract';
import { atomic, type Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { found, notFound } from '../api-error.ts';
import { recordChange } from '../audit-log/record-change.ts';
import { newestFirst } from '../database/newest-first.ts';
import type { Paging } from '../paging.ts';
import { userTarget } from './audited.ts';
import { Passkey } from './entities/passkey.ts';
import { Session } from './entities/session.ts';
import { User } from './entities/user.ts';
import { ensureMayAssignRole } from './members/change-member.ts';
import { addPasskey, beginPasskey } from './passkeys/add-passkey.ts';
import { beginPasskeySignIn, signInWithPasskey } from './passkeys/sign-in-with-passkey.ts';

/** Passkeys of the caller, and signing in with one. */
export const passkeys: Handlers<Parts['passkeys']> = {
  passkeys: async ({ query, ...context }) => listPasskeys(context, context.actor.userId, query),

  beginPasskey,

  addPasskey: async ({ body, ...context }) => present(await addPasskey(context, body)),

  renamePasskey: async ({ params: { id }, body: { name }, ...context }) => {
    const { passkey, target } = await findOwn(context, id);
    const before = { passkeyId: id, name: passkey.name };
    passkey.name = name;
    await context.em.flush();
    await recordChange(context, { action: 'user.passkey_renamed', target, before, after: { passkeyId: id, name } });
    return present(passkey);
  },

  deletePasskey: async ({ params: { id }, ...context }) => {
    const { passkey, target } = await findOwn(context, id);
    const { organizationId } = passkey;
    if ((await context.em.nativeDelete(Passkey, { organizationId, id })) === 0) throw notFound('Passkey');
    const before = { passkeys: [{ passkeyId: id, name: passkey.name }] };
    await recordChange(context, { action: 'user.passkeys_removed', target, before });
  },

  beginPasskeySignIn,

  // The audit line of a rejection is written after the response, when no transaction is open.
  signInWithPasskey: atomic(async ({ body, ...context }) => (await signInWithPasskey(context, body)).session),
};

/** Passkeys of members. */
export const memberPasskeys: Handlers<Parts['memberPasskeys']> = {
  passkeys: async ({ params: { id }, query, ...context }) => {
    const { em, actor } = context;
    found(await em.findOne(User, { id, organizationId: actor.organizationId }), 'User');
    return listPasskeys(context, id, query);
  },

  deletePasskeys: async ({ params: { id }, ...context }) => {
    const { em, actor } = context;
    const { organizationId } = actor;
    const user = found(await em.findOne(User, { id, organizationId }), 'User');
    ensureMayAssignRole(actor, user.role);
    const known = await em.find(Passkey, { organizationId, userId: id });
    if (known.length === 0) return;
    await em.nativeDelete(Passkey, { organizationId, userId: id });
    await em.nativeDelete(Session, { organizationId, userId: id });
    const before = { passkeys: known.map((each) => ({ passkeyId: each.id, name: each.name })) };
    await recordChange(context, { action: 'user.passkeys_removed', target: userTarget(user), before });
  },
};

/** A passkey of the caller, and the caller as the audit log names them. Throws a 404. */
async function findOwn({ em, actor }: Pick<RequestContext, 'em' | 'actor'>, id: string) {
  const { organizationId, userId } = actor;
  const passkey = found(await em.findOne(Passkey, { organizationId, userId, id }), 'Passkey');
  const user = await em.findOneOrFail(User, { organizationId, id: userId });
  return { passkey, target: userTarget(user) };
}

async function listPasskeys(
  { em, actor: { organizationId } }: Pick<RequestContext, 'em' | 'actor'>,
  userId: string,
  paging: Paging,
) {
  const page = await newestFirst(em, Passkey, { organizationId, userId }, paging);
  return { ...page, data: page.data.map(present) };
}

function present({ id, name, createdAt, lastUsedAt }: Passkey) {
  return { id, name, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null };
}
