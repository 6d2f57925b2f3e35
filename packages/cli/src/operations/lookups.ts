import type { Client } from '@runward/sdk';
import { find, findId, type Records } from '@runward/sdk/find';
import { idKinds, readId, type IdKind } from '../lookup/ids.ts';
import { findRunId, runArgument } from '../lookup/run.ts';
import { webhookArgument } from '../lookup/webhook.ts';
import type { Kind } from './operation.ts';

/** Finds a record by name. `parent` is the ID of the record that contains it. */
interface Lookup {
  /** What help says that it takes. */
  readonly takes: string;
  readonly find: (client: Client, text: string, parent: string) => Promise<string>;
}

const lookup = (kind: keyof Records, takes: string): Lookup => ({
  takes,
  find: (client, text, parent) => findId(client, kind, text, parent),
});

const idOnly = (kind: IdKind): Lookup => ({
  takes: kind === 'runTask' ? 'runTaskId of the task' : `ID of the ${idKinds[kind][0]}`,
  find: async (_client, text) => readId(kind, text),
});

const idLookups = Object.fromEntries(
  Object.keys(idKinds).map((kind) => [kind, idOnly(kind as IdKind)]),
) as unknown as Readonly<Record<IdKind, Lookup>>;

/**
 * The lookup for each kind of record. Each also accepts an ID. Throws a FindError if a name fits no record or several,
 * and a CliError if the kind requires an ID and the text is none.
 */
export const lookups: Readonly<Record<Kind, Lookup>> = {
  ...idLookups,
  column: lookup('column', 'ID or name of the column'),
  dataSource: lookup('dataSource', 'ID or name of the data source'),
  folder: lookup('folder', 'ID or name of the folder'),
  group: lookup('group', 'ID or name of the group'),
  member: lookup('member', 'ID, email address or name of the member'),
  page: lookup('page', 'ID or slug of the page'),
  phase: lookup('phase', 'ID or name of the phase'),
  portal: lookup('portal', 'ID or slug of the portal'),
  run: { takes: runArgument, find: findRunId },
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
