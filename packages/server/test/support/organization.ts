import { randomUUID } from 'node:crypto';
import type { ResourceMode, Scope } from '@runward/contract';
import type { Plan } from '../../src/organization/entities/organization.ts';
import { User } from '../../src/organization/entities/user.ts';
import { inTransaction } from '../../src/database/transaction.ts';
import { newId } from '../../src/ids.ts';
import { createApiKey, createOrganization, type NewOrganization } from '../../src/organization/create-organization.ts';
import type { TestApp } from './app.ts';
import { apiOf, signIn, type Api } from './api.ts';
import { secrets } from './secrets.ts';

/** An organization of one test with a key that may do everything. */
export interface TestOrganization extends NewOrganization {
  readonly api: Api;
  /** The owner's browser, signed in. */
  session(): Promise<Api>;
  /** Another key of the same organization. */
  key(options: KeyOptions): Promise<Api>;
  /** Another member. */
  member(name: string): Promise<{ id: string; email: string }>;
}

/** What another key may differ in. */
export interface KeyOptions {
  readonly scopes?: readonly Scope[];
  readonly resourceMode?: ResourceMode;
  readonly scopedTemplateIds?: readonly string[];
  readonly scopedFolderIds?: readonly string[];
  readonly expiresAt?: Date;
}

/** Makes an organization of its own for a test, so that tests do not see each other. */
export async function newOrganization(
  app: TestApp,
  options: { plan?: Plan; timeZone?: string } = {},
): Promise<TestOrganization> {
  const made = await inTransaction(app.database, (em) =>
    createOrganization(em, {
      name: 'Test',
      plan: options.plan ?? 'ENTERPRISE',
      timeZone: options.timeZone ?? 'UTC',
      ownerEmail: `owner-${randomUUID()}@example.com`,
    }),
  );
  const { organizationId, ownerUserId } = made;
  secrets.rememberNamed(made);
  return {
    ...made,
    api: apiOf(app.baseUrl, made.apiKey),
    session: () => signIn(app.baseUrl, made.ownerEmail, made.ownerPassword),
    key: async (key) => {
      const { plainKey } = await inTransaction(app.database, (em) =>
        createApiKey(em, { organizationId, createdByUserId: ownerUserId, name: 'Another', scopes: [], ...key }),
      );
      secrets.remember(plainKey);
      return apiOf(app.baseUrl, plainKey);
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
