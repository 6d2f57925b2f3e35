import type { mailLimits } from '@runward/contract';

/** Why a mail waits, in words. */
export const heldByWords: Readonly<Record<(typeof mailLimits)[number], string>> = {
  MEMBER_LIMIT: 'Waits: the member got as many mails in 24 hours as the service permits',
  ORGANIZATION_LIMIT: 'Waits: the organization got as many mails in 24 hours as the service permits',
};
