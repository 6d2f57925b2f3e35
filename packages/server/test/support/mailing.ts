import { defaultLimits, type Limits } from '@runward/contract';
import type { Api } from '@runward/testing/api';
import type { TestApp } from '@runward/testing/app';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess, type TaskSketch } from '@runward/testing/process';
import { inTransaction } from '../../src/database/transaction.ts';
import { composeMails } from '../../src/notifications/compose/compose-mails.ts';
import { Mail } from '../../src/notifications/entities/mail.ts';
import { NotificationPreference } from '../../src/notifications/entities/notification-preference.ts';
import { Notification } from '../../src/notifications/entities/notification.ts';
import { notifyMembers } from '../../src/notifications/notify.ts';
import { startCursors } from '../../src/notifications/queries/advance-cursors.ts';
import { placeEvents } from '../../src/webhooks/queries/place-events.ts';

/** Where the mails of tests say that the service is. */
export const mailBaseUrl = 'https://runward.example.com';

/** How long the mails of tests wait for further changes. */
export const delaySeconds = 120;

/** An organization whose mails a test writes. */
export interface MailingOrganization extends TestOrganization {
  /** Makes notifications of all events so far, at a time. */
  notify(now?: Date): Promise<void>;
  /** Writes the mails that are due at a time, and returns all mails of the organization, oldest first. */
  compose(now?: Date): Promise<Mail[]>;
  notifications(): Promise<Notification[]>;
  prefer(userId: string, preference: Partial<NotificationPreference>): Promise<void>;
}

/** Creates an organization from whose next event on members are told by mail. */
export async function newMailingOrganization(
  { database, ...app }: TestApp,
  { timeZone = 'UTC', limits = {} }: { timeZone?: string; limits?: Partial<Limits> } = {},
): Promise<MailingOrganization> {
  const org = await newOrganization(app, { timeZone });
  const { organizationId } = org;
  const { signal } = new AbortController();
  const em = () => database.em.fork();
  await startCursors(em());
  return {
    ...org,
    notify: async (now) => {
      await inTransaction(database, (own) => placeEvents(own, organizationId));
      await notifyMembers(database, organizationId, delaySeconds, signal, now);
    },
    compose: async (now) => {
      const settings = { baseUrl: mailBaseUrl, domain: 'example.com', limits: { ...defaultLimits, ...limits } };
      await composeMails(database, organizationId, settings, signal, now);
      return em().find(Mail, { organizationId }, { orderBy: { id: 'asc' } });
    },
    notifications: () => em().find(Notification, { organizationId }, { orderBy: { id: 'asc' } }),
    prefer: async (userId, preference) => {
      await em().upsert(NotificationPreference, { organizationId, userId, kinds: {}, digestHour: 8, ...preference });
    },
  };
}

/** Launches a run whose tasks are assigned to a member. */
export async function launchFor(api: Api, assigneeId: string, ...titles: string[]) {
  const tasks = titles.map((title): TaskSketch => ({ title, assigneeId }));
  const { templateId } = await publishProcess(api, tasks, { name: 'Onboarding' });
  return launchRun(api, templateId);
}

/** Assigns a task of a run. */
export const assign = (api: Api, taskId: string, assigneeId: string | null) =>
  must(api.call('runs.tasks', 'setAssignee', { params: { taskId }, body: { assigneeId } }));
