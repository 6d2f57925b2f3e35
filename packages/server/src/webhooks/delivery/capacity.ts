import type { HeldWebhook } from './held-webhook.ts';

/** How many attempts of a worker may be in progress, and how many webhooks it may hold. */
const most = 100;

/**
 * What a worker may lease. An organization that has as much as is free gets no more. So one that is alone gets half,
 * and however slow the receivers of some organizations are, something is free for another one.
 */
export interface Capacity {
  /** How many webhooks: half of what is free, because all of them may be of one organization. */
  readonly most: number;
  /** The organizations of which as many webhooks are held as are free. */
  readonly crowded: ReadonlySet<string>;
  /** These, and those that may begin no attempt: other workers may lease their webhooks. */
  readonly full: ReadonlySet<string>;
}

/** What a worker may lease that holds these webhooks and has so many attempts in progress. */
export function capacityOf(held: readonly HeldWebhook[], inProgress: number): Capacity {
  const crowded = withAtLeast(most - held.length, held, () => 1);
  return {
    most: Math.ceil((most - Math.max(held.length, inProgress)) / 2),
    crowded,
    full: new Set([...crowded, ...withoutAttempt(held, inProgress)]),
  };
}

/** The webhooks of organizations that may begin an attempt, while so many are in progress. */
export function mayAttempt(held: readonly HeldWebhook[], inProgress: number): readonly HeldWebhook[] {
  // No organization can have as much in progress as is free.
  if (inProgress < most - inProgress) return held;
  const full = withoutAttempt(held, inProgress);
  return held.filter(({ lease }) => !full.has(lease.organizationId));
}

function withoutAttempt(held: readonly HeldWebhook[], inProgress: number): ReadonlySet<string> {
  return withAtLeast(most - inProgress, held, (each) => each.inProgress);
}

/** The organizations that use at least so much. */
function withAtLeast(
  least: number,
  held: readonly HeldWebhook[],
  usedBy: (each: HeldWebhook) => number,
): ReadonlySet<string> {
  const used = new Map<string, number>();
  for (const each of held) {
    const { organizationId } = each.lease;
    used.set(organizationId, (used.get(organizationId) ?? 0) + usedBy(each));
  }
  return new Set([...used].flatMap(([organizationId, amount]) => (amount >= least ? [organizationId] : [])));
}
