import { randomUUID } from 'node:crypto';
import type { ResourceMode, Scope } from '@runward/contract';
import type { Database } from '@runward/server/internal/database/database';
import { runStatement } from '@runward/server/internal/database/statement';
import { inTransaction } from '@runward/server/internal/database/transaction';
import { newId } from '@runward/server/internal/ids';
import {
  createApiKey,
  createOrganization,
  type NewOrganization,
} from '@runward/server/internal/organization/create-organization';
import { Folder } from '@runward/server/internal/organization/entities/folder';
import { Group } from '@runward/server/internal/organization/entities/group';
import { Organization, type Plan } from '@runward/server/internal/organization/entities/organization';
import { User } from '@runward/server/internal/organization/entities/user';
import { checkCounters } from '@runward/server/internal/runs/queries/check-counters';
import { loadRun, type LoadedRun } from '@runward/server/internal/runs/store/load';
import { cheapPasswords } from './passwords.ts';

/** The settings of another key. Default: no scopes. */
export interface KeyOptions {
  readonly scopes?: readonly Scope[];
  readonly resourceMode?: ResourceMode;
  readonly scopedTemplateIds?: readonly string[];
  readonly scopedFolderIds?: readonly string[];
  readonly expiresAt?: Date;
}

/**
 * What tests set up without the API, like the administration command. All arguments and results can be sent as JSON.
 */
export interface Provision {
  organization(plan: Plan, timeZone: string): Promise<NewOrganization>;
  /** Creates a key and returns it. */
  key(organizationId: string, createdByUserId: string, options: KeyOptions): Promise<string>;
  changePlan(organizationId: string, plan: Plan): Promise<void>;
  /** Adds a member without a password. */
  member(organizationId: string, name: string): Promise<{ id: string; email: string }>;
  /** Adds a folder and returns its id. */
  folder(organizationId: string): Promise<string>;
  /** Adds a group without members and returns its id. */
  group(organizationId: string): Promise<string>;
  /** Corrects the run counters after a statement of a test has written runs. */
  fixCounters(organizationId: string): Promise<void>;
  /** The state of a run as the service reads it from its rows, and the number of its facts. */
  storedRun(organizationId: string, runId: string): Promise<Pick<LoadedRun, 'state' | 'activityCount'> | null>;
  /**
   * Runs an SQL statement for what neither the API nor the administration command can do, such as simulating the
   * passage of time. Returns its rows.
   */
  query<Row extends object>(text: string, parameters: readonly unknown[]): Promise<Row[]>;
}

/** Sets up in a database. */
export function provisionIn(database: Database): Provision {
  return {
    organization: (plan, timeZone) =>
      inTransaction(database, (em) =>
        createOrganization(em, cheapPasswords, {
          name: 'Test',
          plan,
          timeZone,
          ownerEmail: `owner-${randomUUID()}@example.com`,
        }),
      ),
    key: async (organizationId, createdByUserId, { expiresAt, ...options }) => {
      const key = { organizationId, createdByUserId, name: 'Another', scopes: [], ...options };
      const expiry = expiresAt && { expiresAt: new Date(expiresAt) };
      return (await inTransaction(database, (em) => createApiKey(em, { ...key, ...expiry }))).plainKey;
    },
    changePlan: async (organizationId, plan) => {
      await inTransaction(database, (em) => em.nativeUpdate(Organization, { id: organizationId }, { plan }));
    },
    member: async (organizationId, name) => {
      const id = newId();
      const email = `${id}@example.com`;
      const row = { id, organizationId, email, name, role: 'MEMBER', status: 'ACTIVE' } as const;
      await inTransaction(database, async (em) => {
        em.create(User, { ...row, passwordHash: '', createdAt: new Date() });
        await em.flush();
      });
      return { id, email };
    },
    folder: async (organizationId) => {
      const folder = { id: newId(), organizationId, name: 'Folder', createdAt: new Date() };
      await inTransaction(database, async (em) => void em.create(Folder, folder));
      return folder.id;
    },
    group: async (organizationId) => {
      const group = { id: newId(), organizationId, name: 'Group', createdAt: new Date() };
      await inTransaction(database, async (em) => void em.create(Group, group));
      return group.id;
    },
    fixCounters: async (organizationId) => {
      await inTransaction(database, (em) => checkCounters(em, organizationId, { fix: true }));
    },
    storedRun: (organizationId, runId) => loadRun(database.em.fork(), organizationId, { runId }, { forms: true }),
    query: (text, parameters) => runStatement(database.em.fork(), text, parameters),
  };
}
