import type { Parts } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import { findAttention } from './queries/attention.ts';

/** What needs the attention of an administrator and is in no list. */
export const attention: Handlers<Parts['attention']> = {
  get: async ({ em, actor: { organizationId } }) => findAttention(em, organizationId),
};
