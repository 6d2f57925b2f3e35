import type { Client } from '../client-type.ts';
import type { Column, DataSource } from '../generated/data-sources.ts';
import type { Folder } from '../generated/folders.ts';
import type { Group } from '../generated/groups.ts';
import type { Portal, PortalPageListItem } from '../generated/portals.ts';
import type { SavedView } from '../generated/saved-views.ts';
import type { Phase, Task, Template, TemplateVersion, Variable } from '../generated/templates.ts';
import type { User } from '../generated/users.ts';
import type { Webhook } from '../generated/webhooks.ts';
import type { List, ListPage } from '../types.ts';
import type { Naming } from './choose.ts';
import { taskNaming } from './tasks.ts';

/** The records that can be found by a name. */
export interface Records {
  readonly column: Column;
  readonly dataSource: DataSource;
  readonly folder: Folder;
  readonly group: Group;
  /** An active member. */
  readonly member: User;
  readonly page: PortalPageListItem;
  readonly phase: Phase;
  readonly portal: Portal;
  readonly template: Template;
  readonly templateTask: Task;
  readonly variable: Variable;
  readonly version: TemplateVersion;
  readonly view: SavedView;
  readonly webhook: Webhook;
}

/** How the records of a kind are read and named. */
export interface Kind<Item> extends Naming<Item> {
  /** All of them; `parent` is the id of the record that they are parts of. */
  readonly list: (client: Client, parent: string) => PromiseLike<readonly Item[]>;
  /** Those whose names contain a text, if the service can search them. */
  readonly search?: (client: Client, text: string) => PromiseLike<readonly Item[]>;
  /** One by its id, if that takes less than the list. */
  readonly get?: (client: Client, id: string) => PromiseLike<Item>;
}

/** More records than anything has that people name. It keeps a list from taking all memory. */
const maximumRead = 10_000;

const all = <Page extends ListPage>(list: List<Page>) => list.toArray({ limit: maximumRead });

const identified = { idOf: ({ id }: { readonly id: string }) => id };
const named = {
  ...identified,
  namesOf: ({ name }: { readonly name: string }) => [name],
};

/** How columns are named. */
export const columnNaming: Naming<Column> = { ...named, noun: 'column', areFew: true };

/** Every kind of record. */
export const kinds: { readonly [Name in keyof Records]: Kind<Records[Name]> } = {
  column: {
    ...columnNaming,
    list: async ({ dataSources }, parent) => (await dataSources.get(parent)).columns,
  },
  dataSource: {
    ...named,
    noun: 'data source',
    detailOf: ({ rowCount }) => `${rowCount} rows`,
    list: ({ dataSources }) => all(dataSources.list()),
    get: ({ dataSources }, id) => dataSources.get(id),
  },
  folder: { ...named, noun: 'folder', list: ({ folders }) => all(folders.list()) },
  group: { ...named, noun: 'group', areFew: true, list: ({ groups }) => all(groups.list()) },
  member: {
    ...identified,
    noun: 'active member',
    by: 'email address or name',
    namesOf: ({ email, name }) => [email, name],
    detailOf: ({ name }) => name,
    list: ({ users }) => all(users.list()),
  },
  page: {
    ...identified,
    noun: 'page',
    by: 'slug',
    areFew: true,
    namesOf: ({ slug }) => [slug],
    list: ({ portals }, parent) => all(portals.pages.list(parent)),
  },
  phase: {
    ...named,
    noun: 'phase',
    areFew: true,
    list: ({ templates }, parent) => all(templates.phases.list(parent)),
  },
  portal: {
    ...identified,
    noun: 'portal',
    by: 'slug',
    namesOf: ({ slug }) => [slug],
    list: ({ portals }) => all(portals.list()),
    get: ({ portals }, id) => portals.get(id),
  },
  template: {
    ...named,
    noun: 'template',
    detailOf: ({ status }) => status,
    yields: ({ status }) => status === 'ARCHIVED',
    list: ({ templates }) => all(templates.list()),
    search: ({ templates }, text) => all(templates.list({ name: text.slice(0, 255) })),
    get: ({ templates }, id) => templates.get(id),
  },
  templateTask: {
    ...taskNaming,
    list: ({ templates }, parent) => all(templates.tasks.list(parent)),
  },
  variable: {
    ...identified,
    noun: 'variable',
    by: 'key',
    areFew: true,
    namesOf: ({ key }) => [key],
    list: ({ templates }, parent) => all(templates.variables.list(parent)),
  },
  version: {
    ...identified,
    noun: 'version',
    areFew: true,
    namesOf: ({ number }) => [String(number)],
    list: ({ templates }, parent) => all(templates.versions.list(parent)),
  },
  view: {
    ...named,
    noun: 'view',
    list: ({ savedViews }) => all(savedViews.list()),
    get: ({ savedViews }, id) => savedViews.get(id),
  },
  webhook: { ...named, noun: 'webhook', detailOf: ({ url }) => url, list: ({ webhooks }) => all(webhooks.list()) },
};
