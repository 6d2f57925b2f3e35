import { randomUUID } from 'node:crypto';
import { apiWith, type Api } from '@runward/testing/api';
import { newOrganization } from '@runward/testing/organization';
import { fieldsOf, newClient } from '@runward/testing/page-client';
import { launchRun, publishProcess, type TaskSketch } from '@runward/testing/process';
import type { Provision } from '@runward/testing/provision';

const sketches: TaskSketch[] = [
  { title: 'Bank details', fields: [{ key: 'iban', label: 'IBAN', type: 'TEXT' }] },
  { title: 'Contract', fields: [{ key: 'price', label: 'Price', type: 'NUMBER' }] },
];

interface App {
  readonly baseUrl: string;
}

/** An organization with a run of two tasks; `iban` is the field of the first one. */
export async function newFormTask(app: App & { readonly provision: Provision }) {
  const org = await newOrganization(app);
  const { templateId, fields } = await publishProcess(org.api, sketches);
  const run = await launchRun(org.api, templateId);
  const [taskId = '', otherId = ''] = run.tasks.map(({ runTaskId }) => runTaskId);
  return { org, run, taskId, otherId, iban: fields['iban']?.id ?? '' };
}

/** The address of somebody who has no account. */
export const newEmail = () => `${randomUUID()}@supplier.example`;

/** What a form link is made of. */
export interface NewLink {
  readonly email: string;
  readonly name?: string;
  readonly expiresInHours?: number;
  readonly requireCode?: boolean;
}

/** Makes a form link. */
export function createLink(api: Api, taskId: string, body: NewLink) {
  return api.call('runs.tasks', 'createFormLink', { params: { taskId }, body });
}

/** Opens a link in a new browser, as a person does. */
export async function openLink(app: App, url: string) {
  const client = newClient(app);
  const { pathname: path } = new URL(url);
  const landing = await client.get(path);
  const opened = await client.submit(path, fieldsOf(landing.html));
  return { client, path, landing, opened, api: apiOf(app, client) };
}

/** The API, called with the session of a browser. */
export function apiOf(app: App, { cookies }: ReturnType<typeof newClient>): Api {
  const cookie = [...cookies].map((each) => each.join('=')).join('; ');
  return apiWith(app.baseUrl, { cookie, 'x-service-csrf': cookies.get('flow_csrf') ?? '' });
}

/** The form of a task. */
export const formOf = (api: Api, taskId: string) => api.call('runs.tasks', 'form', { params: { taskId } });
