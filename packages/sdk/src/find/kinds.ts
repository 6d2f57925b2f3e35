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
  /** All records of the kind. `parent` is the id of the record that contains them. */
  readonly list: (client: Client, parent: string) => PromiseLike<readonly Item[]>;
  /** Records whose names contain a text, if the service can search them. */
  readonly search?: (client: Client, text: string) => PromiseLike<readonly Item[]>;
  /** One by its id, if that takes less than the list. */
  readonly get?: (client: Client, id: string) => PromiseLike<Item>;
}

/** The most records that are read for their names. */
const maximumRead = 10_000;

const all = <Page extends ListPage>(list: List<Page>) => list.toArray({ limit: maximumRead });

/** Naming for records with an id, by one of their properties. */
const by = <Name extends string>(name: Name, noun: string, relation = 'is named') => ({
  noun,
  relation,
  idOf: ({ id }: { readonly id: string }) => id,
  namesOf: (item: Readonly<Record<Name, string | number>>) => [String(item[name])],
});

/** Every kind of record. */
export const kinds: { readonly [Name in keyof Records]: Kind<Records[Name]> } = {
  column: {
    list: async ({ dataSources }, parent) => (await dataSources.get(parent)).columns,
    ...by('name', 'column'),
    areFew: true,
  },
  dataSource: {
    list: ({ dataSources }) => all(dataSources.list()),
    get: ({ dataSources }, id) => dataSources.get(id),
    ...by('name', 'data source'),
    detailOf: ({ rowCount }) => `${rowCount} rows`,
  },
  folder: { list: ({ folders }) => all(folders.list()), ...by('name', 'folder') },
  group: { list: ({ groups }) => all(groups.list()), ...by('name', 'group'), areFew: true },
  member: {
    list: ({ users }) => all(users.list()),
    ...by('email', 'active member', 'has the email address or name'),
    namesOf: ({ email, name }) => [email, name],
    detailOf: ({ name }) => name,
  },
  page: {
    list: ({ portals }, parent) => all(portals.pages.list(parent)),
    ...by('slug', 'page', 'has the slug'),
    areFew: true,
  },
  phase: {
    list: ({ templates }, parent) => all(templates.phases.list(parent)),
    ...by('name', 'phase'),
    areFew: true,
  },
  portal: {
    list: ({ portals }) => all(portals.list()),
    get: ({ portals }, id) => portals.get(id),
    ...by('slug', 'portal', 'has the slug'),
  },
  template: {
    list: ({ templates }) => all(templates.list()),
    search: ({ templates }, text) => all(templates.list({ name: text.slice(0, 255) })),
    get: ({ templates }, id) => templates.get(id),
    ...by('name', 'template'),
    detailOf: ({ status }) => status,
    yields: ({ status }) => status === 'ARCHIVED',
  },
  templateTask: { list: ({ templates }, parent) => all(templates.tasks.list(parent)), ...taskNaming },
  variable: {
    list: ({ templates }, parent) => all(templates.variables.list(parent)),
    ...by('key', 'variable', 'has the key'),
    areFew: true,
  },
  version: {
    list: ({ templates }, parent) => all(templates.versions.list(parent)),
    ...by('number', 'version'),
    areFew: true,
  },
  view: {
    list: ({ savedViews }) => all(savedViews.list()),
    get: ({ savedViews }, id) => savedViews.get(id),
    ...by('name', 'view'),
  },
  webhook: {
    list: ({ webhooks }) => all(webhooks.list()),
    ...by('name', 'webhook'),
    detailOf: ({ url }) => url,
  },
};
