import { plans } from '@runward/contract';
import type { Plan } from '../organization/entities/organization.ts';
import { featureLocked, type ApiError } from '../api-error.ts';
import type { Actor } from './actor.ts';

/** The least plan that has a capability (spec: What the service does, 3). */
const leastPlan = { publicApi: 'BUSINESS' } as const satisfies Record<string, Plan>;

/** Capabilities as a sentence names them. */
const names: Record<Capability, string> = { publicApi: 'API access' };

/** Something a plan may lack. */
export type Capability = keyof typeof leastPlan;

/** Whether the organization's plan has the capability. */
export function hasCapability({ plan }: Pick<Actor, 'plan'>, capability: Capability): boolean {
  return plans.indexOf(plan) >= plans.indexOf(leastPlan[capability]);
}

/** The plans that have a capability. */
export function plansWith(capability: Capability): Plan[] {
  return plans.filter((plan) => hasCapability({ plan }, capability));
}

/** The 402 for a capability the plan lacks. */
export function lacking({ plan }: Pick<Actor, 'plan'>, capability: Capability): ApiError {
  const message = `The ${plan} plan does not include ${names[capability]}; it needs ${leastPlan[capability]} or higher.`;
  return featureLocked(capability, message);
}
