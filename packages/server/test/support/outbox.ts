import type { EventName } from '@runward/contract';
import { createDatabase } from '@runward/testing/database';
import { cheapPasswords } from '@runward/testing/passwords';
import type { TestFn } from 'ava';
import { pino } from 'pino';
import { createOutboundHttp } from '../../src/adapters/outbound-http.ts';
import { openDatabase, type Database } from '../../src/database/database.ts';
import { inTransaction } from '../../src/database/transaction.ts';
import { newId } from '../../src/ids.ts';
import { createOrganization } from '../../src/organization/create-organization.ts';
import type { DispatcherParts } from '../../src/webhooks/delivery/dispatcher-parts.ts';
import { createDispatcher, type Dispatcher } from '../../src/webhooks/delivery/dispatcher.ts';
import { Event } from '../../src/webhooks/entities/event.ts';
import { queues, WebhookDelivery } from '../../src/webhooks/entities/webhook-delivery.ts';
import { Webhook } from '../../src/webhooks/entities/webhook.ts';
import { newBody } from '../../src/webhooks/events-of.ts';

/** The database of a test file, with one organization, whose deliveries one test at a time has for itself. */
export interface Outbox {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly organizationId: string;
  readonly signingSecret: string;
  /** Another organization; answers its id. */
  organization(): Promise<string>;
  /** Another dispatcher; by default it sends to loopback and tries twice, a quarter of a second apart. */
  dispatcher(parts?: Partial<DispatcherParts>): Dispatcher;
  /** A webhook for every run.started; answers its id. */
  webhook(url: string, settings?: Partial<Webhook>): Promise<string>;
  /** So many events on their way to a webhook; answers the ids of their deliveries. */
  events(webhookId: string, count: number, settings?: Partial<WebhookDelivery>): Promise<string[]>;
  delivery(id: string): Promise<WebhookDelivery>;
  deliveries(): Promise<WebhookDelivery[]>;
  /** Ends the leases of all webhooks, as if their time had passed. */
  expireLeases(): Promise<void>;
  readWebhook(id: string): Promise<Webhook>;
  change(id: string, settings: Partial<Webhook>): Promise<void>;
}

/** Opens an outbox for a file of serial tests: a dispatcher takes whatever is due in its database. */
export function useOutbox(test: TestFn): Outbox {
  const outbox: Partial<Outbox> = {};
  const stack = new AsyncDisposableStack();
  const dispatchers: Dispatcher[] = [];
  test.before(async () => {
    Object.assign(outbox, await open(stack, dispatchers));
  });
  test.afterEach.always(async () => {
    await Promise.all(dispatchers.splice(0).map((dispatcher) => dispatcher.stop()));
    await outbox.database?.em.fork().nativeDelete(WebhookDelivery, {});
    await outbox.database?.em.fork().nativeDelete(Webhook, {});
  });
  test.after.always(() => stack.disposeAsync());
  return outbox as Outbox;
}

async function open(stack: AsyncDisposableStack, dispatchers: Dispatcher[]): Promise<Outbox> {
  const { url: databaseUrl, drop } = await createDatabase();
  stack.defer(drop);
  const database = await openDatabase(databaseUrl, { poolSize: 5 });
  stack.defer(() => database.close());
  const create = () =>
    inTransaction(database, (em) =>
      createOrganization(em, cheapPasswords, {
        name: 'Test',
        plan: 'ENTERPRISE',
        timeZone: 'UTC',
        ownerEmail: `${newId()}@example.com`,
      }),
    );
  const { organizationId: ownId, signingSecret } = await create();
  const em = () => database.em.fork();
  return {
    database,
    databaseUrl,
    organizationId: ownId,
    signingSecret,
    organization: async () => (await create()).organizationId,
    dispatcher: (parts) => {
      const log = pino({ level: 'silent' });
      const outbound = createOutboundHttp({ allowLocal: true });
      const dispatcher = createDispatcher({ database, outbound, retrySchedule: [0, 0.25], log, ...parts });
      dispatchers.push(dispatcher);
      return dispatcher;
    },
    webhook: async (url, settings) => {
      const id = newId();
      const now = new Date();
      await inTransaction(database, async (em) => {
        em.create(Webhook, {
          id,
          organizationId: ownId,
          name: 'Webhook',
          url,
          enabledEvents: ['run.started'],
          enabled: true,
          templateMode: 'ALL_FLOWS',
          templateIds: [],
          createdAt: now,
          updatedAt: now,
          ...settings,
        });
      });
      return id;
    },
    events: async (webhookId, count, settings) =>
      inTransaction(database, async (em) => {
        const event: EventName = 'run.started';
        const { organizationId = ownId } = settings ?? {};
        return Array.from({ length: count }, () => {
          const createdAt = new Date();
          const data = { runId: newId(), templateId: newId(), sequence: 1 };
          const timestamp = createdAt.toISOString();
          const { id, body } = newBody({ event, timestamp, orgId: organizationId, data });
          const common = { id, organizationId, event, createdAt };
          em.create(Event, { ...common, ...data, body, isTest: false });
          em.create(WebhookDelivery, {
            ...common,
            webhookId,
            recordId: newId(),
            status: 'PENDING',
            queue: queues.fresh,
            attempts: [],
            tries: 0,
            nextAttemptAt: createdAt,
            ...settings,
          });
          return id;
        });
      }),
    delivery: (id) => em().findOneOrFail(WebhookDelivery, { id }),
    deliveries: () => em().find(WebhookDelivery, {}, { orderBy: { id: 'asc' } }),
    expireLeases: async () => {
      await em().execute('update webhooks set leased_until = now()');
    },
    readWebhook: (id) => em().findOneOrFail(Webhook, { id }),
    change: async (id, settings) => {
      await em().nativeUpdate(Webhook, { id }, settings);
    },
  };
}
