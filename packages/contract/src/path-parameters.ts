/**
 * What a path parameter identifies, by the fixed segments before it. The key for `/runs/tasks/:taskId` is `runs/tasks`.
 */
const subjects: Readonly<Record<string, string>> = {
  'api-keys': 'Id of the API key.',
  'auth/passkeys': 'Id of the passkey.',
  'auth/sessions': 'Id of the session.',
  'data-sources': 'Id of the data source.',
  'data-sources/columns': 'Id of the column.',
  'data-sources/rows': 'Id of the row.',
  'execution/entries': 'Id of the entry.',
  'execution/field-values': 'Id of the field value, as in `fieldValues` of an entry.',
  'execution/tasks': 'Id of the task in its run: `runTaskId`.',
  files: 'Id of the file.',
  folders: 'Id of the folder.',
  grants: 'Id of the grant.',
  groups: 'Id of the group.',
  portals: 'Id of the portal.',
  'portals/access-rules': 'Id of the access rule.',
  'portals/pages': 'Id of the page.',
  'portals/report-presets': 'Id of the report preset.',
  runs: 'Id of the run.',
  'runs/comments': 'Id of the comment.',
  'runs/tasks/form-links': 'Id of the form link.',
  'runs/tasks': 'Id of the task in its run: `runTaskId`.',
  'saved-views': 'Id of the view.',
  'shared-templates': 'Id of the share.',
  templates: 'Id of the template.',
  'templates/phases': 'Id of the phase.',
  'templates/tasks': 'Id of the task in the template.',
  'templates/tasks/fields': 'Id of the field.',
  'templates/tasks/rules': 'Id of the rule.',
  'templates/variables': 'Id of the flow variable.',
  'templates/versions': 'Id of the version: `templateVersionId`.',
  users: 'Id of the member.',
  mails: 'Id of the mail.',
  webhooks: 'Id of the webhook.',
  'webhooks/deliveries': 'Id of the delivery: `id` of its record. The `deliveryId` of the payload names the event.',
};

/**
 * The description of a path parameter that is an id. Undefined if {@link subjects} has no entry for it; a test reports
 * that.
 */
export function describeParameter(path: string, name: string): string | undefined {
  const segments = path.split('/');
  const before = segments.slice(1, segments.indexOf(`:${name}`));
  return subjects[before.filter((segment) => !segment.startsWith(':')).join('/')];
}

/**
 * The path parameters as argument names, in path order. `:id` is named after the segment before it: `templateId` in
 * `/templates/:id`, `entryId` in `/execution/entries/:id`. Other parameters keep their names.
 */
export function argumentNames(path: string): string[] {
  return [...path.matchAll(/([\w-]+)\/:(\w+)/g)].map(([, segment = '', name = '']) =>
    name === 'id' ? `${camelCase(singular(segment))}Id` : name,
  );
}

function singular(segment: string): string {
  return segment.replace(/ies$/, 'y').replace(/s$/, '');
}

function camelCase(segment: string): string {
  return segment.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
