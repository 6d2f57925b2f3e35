import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { BodyInput, Contract, Response } from '@runward/contract';
import { apiOf, type Api } from '@runward/testing/api';
import { must } from '@runward/testing/process';
import { isoCBOR } from '@simplewebauthn/server/helpers';

type Creation = Response<Contract['auth']['beginPasskey']>;
type SignIn = Response<Contract['auth']['beginPasskeySignIn']>;

/** How a response differs from a right one. */
export interface Forgery {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly isVerified?: boolean;
  readonly counter?: number;
  readonly userHandle?: string;
  readonly crossOrigin?: boolean;
}

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest();

/** An authenticator in software with one credential, as a page of this origin uses it. */
export function newAuthenticator(pageOrigin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const coseKey = isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]),
  );
  let counter = 0;
  let userHandle = '';
  const clientData = (type: string, challenge: string, forgery: Forgery) =>
    Buffer.from(
      JSON.stringify({
        type: forgery.type ?? type,
        challenge: forgery.challenge ?? challenge,
        origin: forgery.origin ?? pageOrigin,
        crossOrigin: forgery.crossOrigin ?? false,
      }),
    );
  const data = (rpId: string, { isVerified = true, ...forgery }: Forgery, attested?: Uint8Array) => {
    const rest = Buffer.alloc(5);
    rest.writeUInt8(0b1 | (isVerified ? 0b100 : 0) | (attested ? 0b1000000 : 0), 0);
    rest.writeUInt32BE(forgery.counter ?? (counter += 1), 1);
    return Buffer.concat([sha256(forgery.rpId ?? rpId), rest, attested ?? Buffer.alloc(0)]);
  };
  return {
    id: base64url(id),
    /** Creates the credential, as `POST /auth/passkeys` takes it. */
    create({ token, options }: Creation, name = 'Laptop', forgery: Forgery = {}) {
      userHandle = options.user.id;
      const length = Buffer.from([0, id.length]);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, coseKey]);
      const authData = new Uint8Array(data(options.rp.id, forgery, attested));
      const attestation = new Map<string, string | Uint8Array | Map<string, string>>([
        ['fmt', 'none'],
        ['attStmt', new Map<string, string>()],
        ['authData', authData],
      ]);
      const body: BodyInput<Contract['auth']['addPasskey']> = {
        token,
        name,
        credential: {
          id: base64url(id),
          clientDataJSON: base64url(clientData('webauthn.create', options.challenge, forgery)),
          attestationObject: base64url(isoCBOR.encode(attestation)),
          transports: ['internal'],
        },
      };
      return body;
    },
    /** Signs a challenge, as `POST /auth/passkeys/sign-in` takes it. */
    get({ token, options }: SignIn, forgery: Forgery = {}) {
      const authenticatorData = data(options.rpId, forgery);
      const clientDataJSON = clientData('webauthn.get', options.challenge, forgery);
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientDataJSON)]), privateKey);
      const body: BodyInput<Contract['auth']['signInWithPasskey']> = {
        token,
        credential: {
          id: base64url(id),
          clientDataJSON: base64url(clientDataJSON),
          authenticatorData: base64url(authenticatorData),
          signature: base64url(signature),
          userHandle: forgery.userHandle ?? userHandle,
        },
      };
      return body;
    },
  };
}

/** An authenticator in software. */
export type Authenticator = ReturnType<typeof newAuthenticator>;

/** Adds a passkey in a session, and returns its authenticator. */
export async function addPasskey(baseUrl: string, session: Api, name = 'Laptop') {
  const authenticator = newAuthenticator(baseUrl);
  const body = authenticator.create(await must(session.call('auth', 'beginPasskey')), name);
  return { authenticator, passkey: await must(session.call('auth', 'addPasskey', { body })) };
}

/** Signs in with a passkey. */
export async function signInWith(baseUrl: string, authenticator: Authenticator, forgery: Forgery = {}) {
  const nobody = apiOf(baseUrl, null);
  const begun = await must(nobody.call('auth', 'beginPasskeySignIn'));
  return nobody.call('auth', 'signInWithPasskey', { body: authenticator.get(begun, forgery) });
}
