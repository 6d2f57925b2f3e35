import { plans, type Capability } from '@runward/contract';
import { featureLocked, type ApiError } from '../api-error.ts';
import type { Plan } from '../organization/entities/organization.ts';
import type { Actor } from './actor.ts';

/** The lowest plan that has a capability (spec: What the service does, 3), and the capability's name in a sentence. */
const features: Readonly<Record<Capability, { readonly leastPlan: Plan; readonly name: string }>> = {
  publicApi: { leastPlan: 'BUSINESS', name: 'API access' },
  apiKeys: { leastPlan: 'BUSINESS', name: 'API keys' },
  webhooks: { leastPlan: 'BUSINESS', name: 'webhooks' },
};

/** Whether the organization's plan has the capability. */
export function hasCapability({ plan }: Pick<Actor, 'plan'>, capability: Capability): boolean {
  return plans.indexOf(plan) >= plans.indexOf(features[capability].leastPlan);
}

/** The plans that have a capability. */
export function plansWith(capability: Capability): Plan[] {
  return plans.filter((plan) => hasCapability({ plan }, capability));
}

/** The 402 for a capability that the plan lacks. */
export function lacking({ plan }: Pick<Actor, 'plan'>, capability: Capability): ApiError {
  const { leastPlan, name } = features[capability];
  return featureLocked(capability, `The ${plan} plan does not include ${name}; change to ${leastPlan} or higher.`);
}

/** Throws a 402 if the organization's plan lacks the capability. */
export function ensureCapability(actor: Pick<Actor, 'plan'>, capability: Capability): void {
  if (!hasCapability(actor, capability)) throw lacking(actor, capability);
}
