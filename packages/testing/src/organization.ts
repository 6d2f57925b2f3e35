import type { NewOrganization } from '@runward/server/internal/organization/create-organization';
import type { Plan } from '@runward/server/internal/organization/entities/organization';
import { apiOf, signIn, type Api } from './api.ts';
import { secrets } from './checks/secrets.ts';
import type { KeyOptions, Provision } from './provision.ts';

/** The organization of one test, and its API with a key that has every scope. */
export interface TestOrganization extends NewOrganization {
  readonly api: Api;
  /** The API as the owner's browser uses it, signed in. */
  session(): Promise<Api>;
  /** The API for another key of the organization. */
  key(options: KeyOptions): Promise<Api>;
  /** Creates another key of the organization. */
  plainKey(options: KeyOptions): Promise<string>;
  /** Changes the plan, as the administration command does. */
  setPlan(plan: Plan): Promise<void>;
  /** Adds a member without a password. */
  member(name: string): Promise<{ id: string; email: string }>;
}

/** Creates an organization for one test, so that tests do not see each other's rows. */
export async function newOrganization(
  { baseUrl, provision }: { readonly baseUrl: string; readonly provision: Provision },
  { plan = 'ENTERPRISE', timeZone = 'UTC' }: { plan?: Plan; timeZone?: string } = {},
): Promise<TestOrganization> {
  const made = await provision.organization(plan, timeZone);
  const { organizationId, ownerUserId } = made;
  secrets.rememberNamed(made);
  const plainKey = async (options: KeyOptions) => {
    const key = await provision.key(organizationId, ownerUserId, options);
    secrets.remember(key);
    return key;
  };
  return {
    ...made,
    api: apiOf(baseUrl, made.apiKey),
    session: () => signIn(baseUrl, made.ownerEmail, made.ownerPassword),
    key: async (options) => apiOf(baseUrl, await plainKey(options)),
    plainKey,
    setPlan: (plan) => provision.changePlan(organizationId, plan),
    member: (name) => provision.member(organizationId, name),
  };
}
