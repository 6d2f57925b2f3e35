import { MikroORM, type SqlEntityManager } from '@mikro-orm/postgresql';
import { UnderscoreNamingStrategy } from '@mikro-orm/core';
import { Activity } from '../runs/entities/activity.ts';
import { ApiKey } from '../organization/entities/api-key.ts';
import { Event } from '../webhooks/entities/event.ts';
import { Folder } from '../organization/entities/folder.ts';
import { Group } from '../organization/entities/group.ts';
import { Organization } from '../organization/entities/organization.ts';
import { Run } from '../runs/entities/run.ts';
import { Session } from '../organization/entities/session.ts';
import { TemplateVersion } from '../templates/entities/template-version.ts';
import { Template } from '../templates/entities/template.ts';
import { User } from '../organization/entities/user.ts';
import { WebhookDelivery } from '../webhooks/entities/webhook-delivery.ts';
import { Webhook } from '../webhooks/entities/webhook.ts';
import { PreparingClient } from './preparing-client.ts';

/** The entity manager of one request or job; never shared between two. */
export type Em = SqlEntityManager;

/** The ORM on one connection pool. */
export type Database = MikroORM;

/** Bounds that keep a stalled or lost PostgreSQL from holding requests for ever (milliseconds). */
const timeouts = {
  connectionTimeoutMillis: 5_000,
  query_timeout: 15_000,
  statement_timeout: 10_000,
  lock_timeout: 3_000,
  idle_in_transaction_session_timeout: 15_000,
  keepAlive: true,
};

/** Opens the database. It must have been migrated (see `migrate.ts`). */
export async function openDatabase(url: string, options: { poolSize?: number } = {}): Promise<Database> {
  return MikroORM.init({
    clientUrl: url,
    entities: [
      Activity,
      ApiKey,
      Event,
      Folder,
      Group,
      Organization,
      Run,
      Session,
      Template,
      TemplateVersion,
      User,
      Webhook,
      WebhookDelivery,
    ],
    namingStrategy: UnderscoreNamingStrategy,
    pool: { max: options.poolSize ?? 10 },
    driverOptions: { ...timeouts, Client: PreparingClient },
    // Several versioned rows in one batch would be written without their version check.
    useBatchUpdates: false,
    logger: () => {},
  });
}
