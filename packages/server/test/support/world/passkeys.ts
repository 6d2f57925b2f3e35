import { addMember } from '@runward/testing/members';
import { must } from '@runward/testing/process';
import { addPasskey, newAuthenticator } from './authenticator.ts';
import type { Builder, Ids } from './world.ts';

/** A member cannot have more than 20. */
const enough = 10;

/** Adds a passkey of the owner, in the place of earlier ones if there are many. */
export async function newPasskeyId({ session, origin }: Builder, kept?: string): Promise<string> {
  return (await newPasskey({ session, origin }, kept)).passkey.id;
}

async function newPasskey({ session, origin }: Pick<Builder, 'session' | 'origin'>, kept?: string) {
  const { data, total } = await must(session.call('auth', 'passkeys'));
  const removed = total < enough ? [] : data.filter(({ id }) => id !== kept);
  for (const { id } of removed) await session.call('auth', 'deletePasskey', { params: { id } });
  return addPasskey(origin, session);
}

/** Adds a member with a passkey. */
export async function newPasskeyMemberId({ session, origin }: Builder): Promise<string> {
  const member = await addMember(origin, session, { name: 'Grace Hopper' });
  await addPasskey(origin, member.session);
  return member.id;
}

/** What adds a passkey of the owner, as JSON. */
export async function newPasskeyCreation(world: Builder, kept?: string): Promise<string> {
  await newPasskeyId(world, kept);
  const creation = await must(world.session.call('auth', 'beginPasskey'));
  return JSON.stringify(newAuthenticator(world.origin).create(creation));
}

/** What signs the owner in with a passkey, as JSON. */
export async function newPasskeySignIn(world: Builder, kept?: string): Promise<string> {
  const { authenticator } = await newPasskey(world, kept);
  return JSON.stringify(authenticator.get(await must(world.nobody.call('auth', 'beginPasskeySignIn'))));
}

/** Passkeys of the owner, as they are needed for examples. */
export async function newPasskeys(world: Builder): Promise<Pick<Ids, 'passkey' | 'passkeyCreation' | 'passkeySignIn'>> {
  const passkey = await newPasskeyId(world);
  return {
    passkey,
    passkeyCreation: await newPasskeyCreation(world, passkey),
    passkeySignIn: await newPasskeySignIn(world, passkey),
  };
}
