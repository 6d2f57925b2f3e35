import {
  contract,
  deprecationText,
  describeParameter,
  effectOf,
  isStream,
  parameterNames,
  recordOf,
  routesOf,
  type Endpoint,
  type GroupName,
  type Operation,
  type Route,
} from '@runward/contract';
import { modelOf } from './cli-fields.ts';
import { kebab, withFlags } from './cli-flags.ts';
import { handMade, without } from './cli-hand-made.ts';
import { bodyArguments, examples, nouns, ownWords } from './cli-nouns.ts';
import { bodyOptions, jsonSchema, queryOptions } from './cli-options.ts';
import type { GeneratedFile } from './generated-file.ts';
import { endpointOf } from './operations.ts';

/** The name and kind of each path parameter, by group and parameter. */
const parameters: Readonly<Record<string, readonly [label: string, kind?: string]>> = {
  'runs id': ['run', 'run'],
  'runs commentId': ['comment', 'comment'],
  'runs.tasks linkId': ['link', 'formLink'],
  'runs.tasks taskId': ['task', 'runTask'],
  'templates fieldId': ['field', 'templateField'],
  'templates ruleId': ['rule', 'templateRule'],
  'templates taskId': ['task', 'templateTask'],
  'templates phaseId': ['phase', 'phase'],
  'templates variableId': ['variable', 'variable'],
  'templates versionId': ['version', 'version'],
  'templates id': ['template', 'template'],
  'templates templateId': ['template', 'template'],
  'dataSources id': ['data-source', 'dataSource'],
  'dataSources columnId': ['column', 'column'],
  'sharedTemplates shareId': ['share', 'share'],
  'savedViews id': ['view', 'view'],
  'portals portalId': ['portal', 'portal'],
  'portals pageId': ['page', 'page'],
  'portals presetId': ['preset', 'reportPreset'],
  'portals ruleId': ['rule', 'accessRule'],
  'users id': ['member', 'member'],
  'webhooks deliveryId': ['delivery', 'delivery'],
  'webhooks id': ['webhook', 'webhook'],
  'dataSources rowId': ['row', 'row'],
  'execution fieldValueId': ['field-value', 'fieldValue'],
  'execution id': ['entry', 'entry'],
  'execution runTaskId': ['task', 'runTask'],
  'files id': ['file', 'file'],
  'groups id': ['group', 'group'],
  'folders id': ['folder', 'folder'],
};

/** Properties that show people which record it is; they become the last column of a table. */
const names = new Set(['name', 'title', 'label', 'fileName', 'email']);
const mostColumns = 6;

/** The commands that carry out one operation each. */
export const generatedCommands = Object.entries(routesOf({ ...contract }))
  .filter(([operation]) => !(operation in handMade) && !without.has(operation))
  .map(([operation, { returns }]) => commandOf(operation as Operation, returns));

/** The commands of one noun of the command line, like `templates`. */
function fileOf(noun: string): GeneratedFile {
  const operations = generatedCommands.filter(({ words }) => words.startsWith(`${noun} `));
  return {
    path: `packages/cli/src/generated/operations/${noun}.ts`,
    code: `import type { OperationCommand } from '../../operations/operation.ts';

/** The commands of \`runward ${noun}\` that carry out one operation each. */
export const operations: readonly OperationCommand[] = ${JSON.stringify(operations)};
`,
  };
}

/** The generated commands, in a file for each noun. */
export const cliOperations: readonly GeneratedFile[] = [
  ...new Set(generatedCommands.map(({ words }) => words.slice(0, words.indexOf(' ')))),
].map(fileOf);

const described = Object.fromEntries(
  Object.values(nouns).flatMap(([words, description]) => (description === undefined ? [] : [[words, description]])),
);

/** How the help describes nouns below another one. */
export const cliNouns: GeneratedFile = {
  path: 'packages/cli/src/generated/nouns.ts',
  code: `/** How the help describes nouns below another one, by their words. */
export const nouns: Readonly<Record<string, string>> = ${JSON.stringify(described)};
`,
};

function commandOf(operation: Operation, returns: Route['returns']) {
  const dot = operation.lastIndexOf('.');
  const [group, method] = [operation.slice(0, dot), operation.slice(dot + 1)];
  const endpoint = endpointOf(operation);
  const { summary, description, access, deprecated } = endpoint;
  const query = flagged(operation, queryOptions(endpoint));
  const labels = bodyArguments[operation] ?? {};
  const body = flagged(operation, bodyOptions(endpoint))?.map((option) =>
    Object.assign(option, { argument: labels[option.name] }),
  );
  return {
    words: ownWords[operation] ?? wordsOf(group, method),
    operation,
    summary,
    ...(description !== undefined && { description: description.replaceAll('`', '') }),
    ...(deprecated !== undefined && { deprecated: deprecationText(deprecated).replaceAll('`', '') }),
    ...(access !== 'public' && access !== 'authenticated' && { scope: access }),
    ...(effectOf(endpoint) === 'write' && { changes: true }),
    ...(isDeletion(endpoint, method) && { deletes: true }),
    parameters: parameterNames(endpoint.path).map((name) => parameterOf(group, endpoint, name)),
    ...(query && { query }),
    ...(body && { body }),
    ...(operation in examples && { examples: examples[operation] }),
    returns: isStream(endpoint.response) ? 'content' : returns === 'list' ? 'list' : returns ? 'record' : 'nothing',
    ...((returns === 'json' || returns === 'list') && { model: modelOf(operation) }),
    ...(returns === 'list' && { columns: columnsOf(operation) }),
  };
}

function flagged(operation: string, options: ReturnType<typeof queryOptions>) {
  return options && withFlags(operation, options);
}

function wordsOf(group: string, method: string): string {
  const [noun] = nouns[group as GroupName] ?? [];
  if (noun === undefined) throw new Error(`scripts/generate/cli-nouns.ts has no words for the group ${group}.`);
  return `${noun} ${kebab(method)}`;
}

function parameterOf(group: string, { path }: Endpoint, name: string) {
  const [label, kind] = parameters[`${group} ${name}`] ??
    parameters[`${group.split('.')[0]} ${name}`] ?? [kebab(name.replace(/Id$/, ''))];
  if (kind !== undefined) return { label, kind };
  return {
    label,
    description: describeParameter(path, name)?.replaceAll('`', '').replace(/\.$/, '') ?? `The ${label}`,
  };
}

/** What is revoked stays in its list. */
function isDeletion({ method }: Endpoint, name: string): boolean {
  return (method === 'DELETE' && name !== 'revoke') || /delete|discard/i.test(name);
}

/** Plain values of a record, with its name last. */
function columnsOf(operation: string): string[] {
  const record = recordOf(endpointOf(operation));
  if (!record) return [];
  const { root, resolve } = jsonSchema(record);
  const plain = Object.entries(root.properties ?? {})
    .filter(([, schema]) => isPlain(resolve(schema), resolve))
    .map(([name]) => name);
  const last = plain.find((name) => names.has(name));
  const others = plain.filter((name) => name !== last);
  return last === undefined ? others.slice(0, mostColumns) : [...others.slice(0, mostColumns - 1), last];
}

function isPlain(
  schema: ReturnType<typeof jsonSchema>['root'],
  resolve: ReturnType<typeof jsonSchema>['resolve'],
): boolean {
  if (schema.anyOf) return schema.anyOf.every((option) => isPlain(resolve(option), resolve));
  return schema.type !== 'object' && schema.type !== 'array' && schema.type !== undefined;
}
