import type { Client } from '@runward/sdk';
import { find, findId, type Records } from '@runward/sdk/find';
import { fileId, runTaskId, shareId } from '../lookup/ids.ts';
import { findRunId, runArgument } from '../lookup/run.ts';
import { webhookArgument } from '../lookup/webhook.ts';
import type { Kind } from './operation.ts';

/** How a record is found by what people call it. `parent` is the ID of the record that it is part of. */
interface Lookup {
  /** What help says that it takes. */
  readonly takes: string;
  readonly find: (client: Client, text: string, parent: string) => Promise<string>;
}

const lookup = (kind: keyof Records, takes: string): Lookup => ({
  takes,
  find: (client, text, parent) => findId(client, kind, text, parent),
});

const idOnly = (takes: string, read: (text: string) => string): Lookup => ({
  takes,
  find: async (_client, text) => read(text),
});

/**
 * The lookup of each kind of record. Every one also takes an ID. They throw a FindError for a name that no record has, or several, and a
 * CliError for what is not an ID where only that will do.
 */
export const lookups: Readonly<Record<Kind, Lookup>> = {
  column: lookup('column', 'ID or name of the column'),
  dataSource: lookup('dataSource', 'ID or name of the data source'),
  file: idOnly('ID of the file', fileId),
  folder: lookup('folder', 'ID or name of the folder'),
  group: lookup('group', 'ID or name of the group'),
  member: lookup('member', 'ID, email address or name of the member'),
  page: lookup('page', 'ID or slug of the page'),
  phase: lookup('phase', 'ID or name of the phase'),
  portal: lookup('portal', 'ID or slug of the portal'),
  run: { takes: runArgument, find: findRunId },
  runTask: idOnly('runTaskId of the task', runTaskId),
  share: idOnly('ID of the share', shareId),
  template: lookup('template', 'ID or name of the template'),
  templateTask: lookup('templateTask', 'ID or title of the task'),
  variable: lookup('variable', 'ID or key of the variable'),
  version: lookup('version', 'ID or number of the version'),
  view: lookup('view', 'ID or name of the view'),
  webhook: lookup('webhook', webhookArgument),
};

/** What people call a record. */
export async function nameOf(client: Client, kind: 'page' | 'portal' | 'view', id: string, parent: string) {
  const record = await find(client, kind, id, parent);
  return 'title' in record ? record.title : record.name;
}
