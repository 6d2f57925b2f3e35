import type { Client } from '@runward/sdk';
import { byName } from '../lookup/by-name.ts';
import { findColumn, findDataSource } from '../lookup/data-source.ts';
import { findFolder } from '../lookup/folder.ts';
import { findGroupId } from '../lookup/group.ts';
import { isId } from '../lookup/ids.ts';
import { findMemberId } from '../lookup/member.ts';
import { findPage, findPortal } from '../lookup/portal.ts';
import { findRunId, runArgument } from '../lookup/run.ts';
import { findTemplate } from '../lookup/template.ts';
import { findView } from '../lookup/view.ts';
import { findWebhookId, webhookArgument } from '../lookup/webhook.ts';
import type { Kind } from './operation.ts';

/** How a record is found by what people call it. `parent` is the ID of the record that it is part of. */
interface Lookup {
  /** What help says that it takes. */
  readonly takes: string;
  readonly find: (client: Client, text: string, parent: string) => Promise<string>;
}

/** The lookup of each kind of record. Every one also takes an ID, and throws a CliError for a name that no record has, or several. */
export const lookups: Readonly<Record<Kind, Lookup>> = {
  column: {
    takes: 'ID or name of the column',
    find: async (client, text, parent) =>
      isId(text) ? text : findColumn(await client.dataSources.get(parent), text).id,
  },
  dataSource: {
    takes: 'ID or name of the data source',
    find: async (client, text) => (isId(text) ? text : (await findDataSource(client, text)).id),
  },
  folder: { takes: 'ID or name of the folder', find: findFolder },
  group: { takes: 'ID or name of the group', find: findGroupId },
  member: { takes: 'ID or email address of the member', find: findMemberId },
  page: {
    takes: 'ID or slug of the page',
    find: async (client, text, parent) =>
      isId(text) ? text : (await findPage(client, await client.portals.get(parent), text)).id,
  },
  phase: {
    takes: 'ID or name of the phase',
    find: async ({ templates }, text, parent) =>
      isId(text) ? text : named('phase', text, parent, await Array.fromAsync(templates.phases.list(parent))),
  },
  portal: {
    takes: 'ID or slug of the portal',
    find: async (client, text) => (isId(text) ? text : (await findPortal(client, text)).id),
  },
  run: { takes: runArgument, find: findRunId },
  template: {
    takes: 'ID or name of the template',
    find: async (client, text) => (isId(text) ? text : (await findTemplate(client, text)).id),
  },
  templateTask: {
    takes: 'ID or title of the task',
    find: async ({ templates }, text, parent) => {
      if (isId(text)) return text;
      const tasks = await Array.fromAsync(templates.tasks.list(parent));
      return named(
        'task',
        text,
        parent,
        tasks.map(({ id, title }) => ({ id, name: title })),
      );
    },
  },
  variable: {
    takes: 'ID or key of the variable',
    find: async ({ templates }, text, parent) => {
      if (isId(text)) return text;
      const variables = await Array.fromAsync(templates.variables.list(parent));
      return named(
        'variable',
        text,
        parent,
        variables.map(({ id, key }) => ({ id, name: key })),
      );
    },
  },
  version: {
    takes: 'ID or number of the version',
    find: async ({ templates }, text, parent) => {
      if (isId(text)) return text;
      const versions = await Array.fromAsync(templates.versions.list(parent));
      return named(
        'version',
        text,
        parent,
        versions.map(({ id, number }) => ({ id, name: String(number) })),
      );
    },
  },
  view: {
    takes: 'ID or name of the view',
    find: async (client, text) => (isId(text) ? text : (await findView(client, text)).id),
  },
  webhook: { takes: webhookArgument, find: findWebhookId },
};

function named(kind: string, name: string, parent: string, records: readonly { id: string; name: string }[]): string {
  const list = kind === 'task' ? 'tasks' : `${kind}s`;
  return byName(records, name, { kind, list: `runward templates ${list} list ${parent}` }).id;
}
