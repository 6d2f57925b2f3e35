import { purge } from '../../database/purge.ts';

/** Deletes the expired sessions of all organizations. */
export const purgeSessions = purge('sessions', 'expires_at < now()', 1_000);

/** Deletes the expired states and logout tokens in the same way. */
export const purgeSpentTokens = purge('spent_tokens', 'expires_at < now()', 1_000);
