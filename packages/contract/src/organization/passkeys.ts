import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { page, pageQuery } from '../page.ts';
import { id, title } from '../values.ts';
import { session } from './auth.ts';

/** How many passkeys a member can have. */
export const passkeysPerMember = 20;

/** How long after signing in a member can begin to add a passkey, in minutes. */
export const passkeyMinutes = 15;

/** Bytes as base64url, at most as many characters as stated. */
const bytes = (most: number) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/, 'must be base64url without padding')
    .max(most, `must be at most ${most} characters`);

const name = title.describe('What the member calls it, such as the name of a device.');

const passkey = component('Passkey', 'A passkey (WebAuthn credential) with which a member signs in.', {
  id: id.describe('Id of the passkey.'),
  name,
  createdAt: z.iso.datetime().describe('When it was added.'),
  lastUsedAt: z.iso.datetime().nullable().describe('When the member last signed in with it; null if they never have.'),
});

const challenge = z.string().describe('What the authenticator signs, as base64url. It can be used once.');
const type = z.literal('public-key').describe('Always `public-key`.');
const rpId = z.string().describe('The host name of `BASE_URL`, to which passkeys are bound.');
const timeout = z.int().min(1).max(600_000).describe('How long the browser may take, in milliseconds.');
const userVerification = z
  .literal('required')
  .describe('The authenticator verifies the person, such as by a PIN or a fingerprint.');
const transports = z.array(z.string()).describe('How browsers reach the authenticator.');

const relyingParty = component('PasskeyRelyingParty', 'The service, as authenticators know it.', {
  id: rpId,
  name: z.string().describe('Name of the service.'),
});

const user = component('PasskeyUser', 'The member, as authenticators know them.', {
  id: z.string().describe('Id of the member for authenticators, as base64url.'),
  name: z.string().describe('Email address of the member.'),
  displayName: z.string().describe('Name of the member.'),
});

const algorithm = component('PasskeyAlgorithm', 'How an authenticator may sign.', {
  type,
  alg: z.int().min(-65_536).max(65_535).describe('A COSE algorithm.'),
});

const known = component('PasskeyDescriptor', 'A passkey that the member has already.', {
  type,
  id: z.string().describe('Id of a credential.'),
  transports,
});

const selection = component('PasskeySelection', 'What the authenticator must be able to do.', {
  residentKey: z.literal('required').describe('The authenticator remembers the member.'),
  requireResidentKey: z.literal(true).describe('The same for older browsers.'),
  userVerification,
});

const creationOptions = component(
  'PasskeyCreationOptions',
  'What `PublicKeyCredential.parseCreationOptionsFromJSON` of browsers takes.',
  {
    challenge,
    rp: relyingParty,
    user,
    pubKeyCredParams: z.array(algorithm).describe('Accepted algorithms, the best first.'),
    timeout,
    excludeCredentials: z
      .array(known)
      .describe('The passkeys of the member. An authenticator that has one of them gets no other.'),
    authenticatorSelection: selection,
    attestation: z.literal('none').describe('Which authenticator it is does not matter.'),
  },
);

const requestOptions = component(
  'PasskeyRequestOptions',
  'What `PublicKeyCredential.parseRequestOptionsFromJSON` of browsers takes.',
  { challenge, rpId, timeout, userVerification },
);

const begun = {
  token: z.string().describe('To be sent with what the authenticator returns. It works once.'),
  expiresAt: z.iso.datetime().describe('When the token stops working: after 5 minutes.'),
};

const token = z
  .string()
  .max(1000, 'must be at most 1000 characters')
  .describe('The `token` with which this was begun.');
const credentialId = bytes(1364).describe('Id of the credential.');
const clientDataJSON = bytes(8192).describe('What the browser has signed.');

/** Passkeys of the caller, and signing in with one, part of the group `auth`. */
export const passkeys = {
  passkeys: {
    method: 'GET',
    path: '/auth/passkeys',
    access: 'session',
    summary: 'List your own passkeys, newest first',
    query: pageQuery,
    response: page(passkey),
  },
  beginPasskey: {
    method: 'POST',
    path: '/auth/passkeys/begin',
    access: 'session',
    effect: 'read',
    summary: 'Begin to add a passkey',
    description:
      'Returns what the browser needs to create a credential. What it creates is sent to `POST /auth/passkeys` in the same session, within ' +
      `5 minutes. Returns 403 if the session began more than ${passkeyMinutes} minutes ago, so that a stranger at an unlocked ` +
      'computer cannot add a passkey.',
    errors: ['recent_sign_in_required', 'limit_reached'],
    response: component('PasskeyCreation', 'A passkey that is being created.', { ...begun, options: creationOptions }),
  },
  addPasskey: {
    method: 'POST',
    path: '/auth/passkeys',
    access: 'session',
    summary: 'Add a passkey',
    description:
      `The member then signs in with it at \`/sign-in\`, without an email address or a password. A member can have ${passkeysPerMember}. Returns 400 if ` +
      'the token was used, has expired or belongs to another session, or if the credential was not created for it, for this service, or ' +
      'with user verification.',
    body: component('AddPasskey', 'A credential that an authenticator has created.', {
      token,
      name,
      credential: component('CreatedCredential', 'What `navigator.credentials.create` has returned.', {
        id: credentialId,
        clientDataJSON,
        attestationObject: bytes(65_536).describe('The public key, as the authenticator returns it.'),
        transports: z
          .array(z.string().max(32, 'must be at most 32 characters'))
          .max(10, 'must have at most 10 items')
          .optional()
          .describe('How browsers reach the authenticator. Default: unknown.'),
      }),
    }),
    errors: ['limit_reached', 'already_exists'],
    status: 201,
    response: passkey,
  },
  renamePasskey: {
    method: 'PATCH',
    path: '/auth/passkeys/:id',
    access: 'session',
    summary: 'Rename one of your own passkeys',
    body: component('RenamePasskey', 'The new name of a passkey.', { name }),
    response: passkey,
  },
  deletePasskey: {
    method: 'DELETE',
    path: '/auth/passkeys/:id',
    access: 'session',
    summary: 'Remove one of your own passkeys',
    description: 'Nobody can sign in with it any more. Sessions go on; end those that you do not know.',
  },
  beginPasskeySignIn: {
    method: 'POST',
    path: '/auth/passkeys/sign-in/begin',
    access: 'public',
    effect: 'read',
    summary: 'Begin to sign in with a passkey',
    description:
      'Returns what the browser needs to ask an authenticator for a passkey of this service. Nothing says who has passkeys. What the ' +
      'authenticator returns is sent to `POST /auth/passkeys/sign-in` within 5 minutes.',
    errors: ['validation_failed'],
    response: component('PasskeySignIn', 'A sign-in with a passkey that has begun.', {
      ...begun,
      options: requestOptions,
    }),
  },
  signInWithPasskey: {
    method: 'POST',
    path: '/auth/passkeys/sign-in',
    access: 'public',
    summary: 'Sign in with a passkey',
    description:
      'Sets the cookies `flow_session` and `flow_csrf` of a new session, as signing in with a password does. Works also if passwords are ' +
      'switched off. Returns 400 if the token was used or has expired, the same 401 for everything else that does not sign in, and 429 after 10 failures a ' +
      'minute for one passkey from one network address, or 100 from that address.',
    body: component('SignInWithPasskey', 'What an authenticator has signed.', {
      token,
      credential: component('SignedCredential', 'What `navigator.credentials.get` has returned.', {
        id: credentialId,
        clientDataJSON,
        authenticatorData: bytes(8192).describe('What the authenticator has signed.'),
        signature: bytes(8192).describe('Its signature.'),
        userHandle: bytes(128).describe('The member, as the authenticator remembers them.'),
      }),
    }),
    errors: ['invalid_credentials', 'too_many_attempts'],
    response: session,
  },
} as const satisfies Group;

/** Passkeys of members, part of the group `users`. */
export const memberPasskeys = {
  passkeys: {
    method: 'GET',
    path: '/users/:id/passkeys',
    access: 'administrator',
    summary: 'List the passkeys of a member, newest first',
    query: pageQuery,
    response: page(passkey),
  },
  deletePasskeys: {
    method: 'DELETE',
    path: '/users/:id/passkeys',
    access: 'administrator',
    summary: 'Remove all passkeys of a member',
    description:
      'Use it if a device was lost. If the member has passkeys, all their sessions end, too. Only owners can remove passkeys of owners; others get 403.',
  },
} as const satisfies Group;
