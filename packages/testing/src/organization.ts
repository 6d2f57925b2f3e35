import { randomUUID } from 'node:crypto';
import type { ResourceMode, Scope } from '@runward/contract';
import { Organization, type Plan } from '@runward/server/internal/organization/entities/organization';
import { User } from '@runward/server/internal/organization/entities/user';
import { inTransaction } from '@runward/server/internal/database/transaction';
import { newId } from '@runward/server/internal/ids';
import {
  createApiKey,
  createOrganization,
  type NewOrganization,
} from '@runward/server/internal/organization/create-organization';
import type { TestApp } from './app.ts';
import { apiOf, signIn, type Api } from './api.ts';
import { cheapPasswords } from './passwords.ts';
import { secrets } from './secrets.ts';

/** The organization of one test, and the API with a key that has every scope. */
export interface TestOrganization extends NewOrganization {
  readonly api: Api;
  /** The API as the owner's browser uses it, signed in. */
  session(): Promise<Api>;
  /** The API with another key of the same organization. */
  key(options: KeyOptions): Promise<Api>;
  /** Another key of the same organization. */
  plainKey(options: KeyOptions): Promise<string>;
  /** Changes the plan, as the administration command does. */
  setPlan(plan: Plan): Promise<void>;
  /** Adds a member without a password. */
  member(name: string): Promise<{ id: string; email: string }>;
}

/** The settings of another key; without scopes by default. */
export interface KeyOptions {
  readonly scopes?: readonly Scope[];
  readonly resourceMode?: ResourceMode;
  readonly scopedTemplateIds?: readonly string[];
  readonly scopedFolderIds?: readonly string[];
  readonly expiresAt?: Date;
}

/** Creates an organization for one test, so that tests do not see each other's rows. */
export async function newOrganization(
  app: TestApp,
  options: { plan?: Plan; timeZone?: string } = {},
): Promise<TestOrganization> {
  const made = await inTransaction(app.database, (em) =>
    createOrganization(em, cheapPasswords, {
      name: 'Test',
      plan: options.plan ?? 'ENTERPRISE',
      timeZone: options.timeZone ?? 'UTC',
      ownerEmail: `owner-${randomUUID()}@example.com`,
    }),
  );
  const { organizationId, ownerUserId } = made;
  secrets.rememberNamed(made);
  const newKey = async (key: KeyOptions) => {
    const { plainKey } = await inTransaction(app.database, (em) =>
      createApiKey(em, { organizationId, createdByUserId: ownerUserId, name: 'Another', scopes: [], ...key }),
    );
    secrets.remember(plainKey);
    return plainKey;
  };
  return {
    ...made,
    api: apiOf(app.baseUrl, made.apiKey),
    session: () => signIn(app.baseUrl, made.ownerEmail, made.ownerPassword),
    key: async (options) => apiOf(app.baseUrl, await newKey(options)),
    plainKey: newKey,
    setPlan: async (plan) => {
      await inTransaction(app.database, (em) => em.nativeUpdate(Organization, { id: organizationId }, { plan }));
    },
    member: async (name) => {
      const id = newId();
      const email = `${id}@example.com`;
      await inTransaction(app.database, async (em) => {
        em.create(User, {
          id,
          organizationId,
          email,
          name,
          role: 'MEMBER',
          status: 'ACTIVE',
          passwordHash: '',
          createdAt: new Date(),
        });
        await em.flush();
      });
      return { id, email };
    },
  };
}
