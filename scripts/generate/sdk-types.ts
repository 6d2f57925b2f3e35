import { contract, routesOf } from '@runward/contract';
import type { GeneratedFile } from './generated-file.ts';
import { comment } from './sdk/comment.ts';
import { components, groupText, operationOf, type Schema } from './sdk/document.ts';
import { methodOf, pascalCase, queryOf } from './sdk/methods.ts';
import { declarationOf, referencesOf } from './sdk/schema.ts';

const folder = 'packages/sdk/src/generated';

/** Where the types come from that no feature declares. */
const ownTypes: Readonly<Record<string, string>> = {
  ErrorCode: './error-codes.ts',
  Call: '../types.ts',
  List: '../types.ts',
  Download: '../download.ts',
  FileInput: '../files/content.ts',
  Renamed: '../synonyms.ts',
  RequestOptions: '../options.ts',
  StaleReadOptions: '../options.ts',
  VersionedWriteOptions: '../options.ts',
};

const operations = Object.keys(routesOf({ ...contract }));
const features = [...new Set(operations.map(featureOf))];
/** The components that operations use, with the feature whose file declares each. */
export const homes = homesOfComponents();

/** The type of the client: one file per feature with its methods and models, and one file that combines the methods. */
export const sdkTypes: readonly GeneratedFile[] = [...features.map(featureFile), endpointsFile()];

/** The first word of an operation or a group. */
function featureOf(name: string): string {
  return name.replace(/\..*$/, '');
}

/** The feature whose file declares a component, which is the first feature that uses it. */
function homesOfComponents(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (used: unknown, feature: string): void => {
    for (const name of referencesOf(used).filter((each) => components[each] && !ownTypes[each] && !found.has(each))) {
      found.set(name, feature);
      visit(components[name], feature);
    }
  };
  for (const id of operations) visit(usedBy(id), featureOf(id));
  return found;
}

/** What the types of an operation are made of: not its errors. */
function usedBy(id: string): unknown {
  const { parameters, requestBody, responses } = operationOf(id);
  const successes = Object.entries(responses).filter(([status]) => Number(status) < 300);
  return [parameters?.map(({ schema }) => schema), requestBody?.content, successes.map(([, { content }]) => content)];
}

function featureFile(feature: string): GeneratedFile {
  const groups = groupsBelow(feature);
  const ids = operations.filter((id) => featureOf(id) === feature);
  const queries = ids.flatMap((id) => queryOf(id) ?? []).map(({ name, schema }) => declarationOf(name, schema));
  const models = [...homes]
    .filter(([, home]) => home === feature)
    .map(([name]) => declarationOf(name, components[name] as Schema));
  const code = [...groups.map(methodsOf), ...queries, ...models].join('\n');
  return { path: `${folder}/${fileOf(feature)}`, code: `${importsOf(code, feature)}\n${code}` };
}

/** The groups of a feature, such as `templates`, `templates.tasks`. */
function groupsBelow(feature: string): string[] {
  const groups = operations.filter((id) => featureOf(id) === feature).map((id) => id.replace(/\.\w+$/, ''));
  return [...new Set(groups)];
}

function methodsOf(group: string): string {
  const methods = operations.filter((id) => id.replace(/\.\w+$/, '') === group).map(methodOf);
  const deletes = operations.includes(`${group}.delete`);
  const deletion = deletes
    ? [`${comment('@deprecated Use `delete`.')}remove: ${pascalCase(group)}Methods['delete'];`]
    : [];
  const within = groupsBelow(featureOf(group)).filter((each) => each.replace(/\.\w+$/, '') === group && each !== group);
  return `${comment(groupText(group))}export interface ${pascalCase(group)}Methods {
${[...methods, ...deletion, ...within.map(memberOf)].join('\n')}
}
`;
}

function memberOf(group: string): string {
  return `${comment(groupText(group))}readonly ${group.replace(/^.*\./, '')}: ${pascalCase(group)}Methods;`;
}

/** The imports of the types that code names and other files declare. */
function importsOf(code: string, feature: string | null): string {
  const named = new Set(code.replaceAll(/\/\*\*[^]*?\*\//g, '').match(/\b[A-Z]\w+\b/g));
  const files = new Map<string, string[]>();
  for (const name of named) {
    const home = homes.get(name);
    const file = home === undefined ? ownTypes[name] : home === feature ? undefined : `./${fileOf(home)}`;
    if (file !== undefined) files.set(file, [...(files.get(file) ?? []), name]);
  }
  return [...files]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, names]) => `import type { ${names.toSorted().join(', ')} } from '${file}';\n`)
    .join('');
}

function endpointsFile(): GeneratedFile {
  const imports = features.map(
    (feature) => `import type { ${pascalCase(feature)}Methods } from './${fileOf(feature)}';`,
  );
  const code = `${imports.toSorted().join('\n')}

/** The methods of a client, by feature. */
export interface Endpoints {
${features.map(memberOf).join('\n')}
}
`;
  return { path: `${folder}/endpoints.ts`, code };
}

/** `dataSources` becomes `data-sources.ts`. */
function fileOf(feature: string): string {
  return `${feature.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`;
}
