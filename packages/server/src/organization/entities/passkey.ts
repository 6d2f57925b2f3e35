import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { references } from '../../database/references.ts';

/**
 * A passkey with which a member signs in. The id of its credential, base64url, is unique over all organizations.
 * `publicKey` is in COSE form. `counter` is the last one that its authenticator stated; 0 if it does not count.
 */
export const Passkey = defineEntity({
  name: 'Passkey',
  tableName: 'passkeys',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    userId: references('users', 'cascade'),
    credentialId: p.text(),
    publicKey: p.blob(),
    counter: p.bigint('number'),
    transports: p.json<readonly string[]>().defaultRaw(`'[]'`),
    name: p.text(),
    createdAt: p.datetime(),
    lastUsedAt: p.datetime().nullable(),
  },
  uniques: [{ name: 'passkeys_credential_key', properties: ['credentialId'] }],
  indexes: [{ name: 'passkeys_user_index', properties: ['organizationId', 'userId'] }],
});

/** A row of `passkeys`. */
export type Passkey = InferEntity<typeof Passkey>;
