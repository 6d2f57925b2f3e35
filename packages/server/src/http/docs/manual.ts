import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join, posix } from 'node:path';
import { contract } from '@runward/contract';
import { version } from '../../version.ts';

/** A file of the manual, by the path it is served at. */
export interface ManualFile {
  readonly contentType: string;
  readonly read: () => string | Buffer;
}

const ownFolder = join(import.meta.dirname, '../../..');
/** The repository, or in a packed package the files that `npm pack` copied from it. */
const folders = [join(ownFolder, '../..'), join(ownFolder, 'manual')];
const guides = 'docs/guides';

const contentTypes: Readonly<Record<string, string>> = {
  '.md': 'text/markdown; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};

/** These come first in the overview, in this order; the others follow by name. */
const first = ['README', 'quick-start', 'concepts', 'api'];

/**
 * The guides and the READMEs of packages and clients as Markdown, their pictures, and `/llms.txt`, which lists them.
 */
export function readManual(): ReadonlyMap<string, ManualFile> {
  const root = folders.find((folder) => existsSync(join(folder, guides)));
  if (root === undefined) return new Map();
  const patterns = [`${guides}/*.md`, `${guides}/pictures/*`, '{packages,clients}/*/README.md'];
  const files = globSync(patterns, { cwd: root }).sort();
  const paths = new Map(files.map((file) => [file, servedAt(file)]));
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const manual = new Map<string, ManualFile>();
  for (const [file, path] of paths) {
    const contentType = contentTypes[extname(file)];
    if (contentType === undefined) continue;
    const isText = file.endsWith('.md');
    const content = isText ? () => withServedLinks(read(file), file, paths) : () => readFileSync(join(root, file));
    manual.set(path, { contentType, read: content });
  }
  manual.set('/llms.txt', { contentType: 'text/plain; charset=utf-8', read: () => overview(paths, read) });
  return manual;
}

/** `docs/guides/api.md` is served as `/docs/guides/api.md`, `packages/sdk/README.md` as `/docs/packages/sdk.md`. */
function servedAt(file: string): string {
  return file.startsWith('docs/') ? `/${file}` : `/docs/${dirname(file)}.md`;
}

/** Makes links lead to what is served. Links to other files of the repository become their text and the file's path. */
function withServedLinks(text: string, file: string, paths: ReadonlyMap<string, string>): string {
  return text.replaceAll(
    /(!?)\[([^\]]*)\]\(([^)\s#:]+)(#[^)\s]*)?\)/g,
    (_, mark: string, label: string, target: string, anchor = '') => {
      const linked = posix.join(posix.dirname(file), target);
      const served = paths.get(linked);
      return served === undefined
        ? `${label} (\`${linked}\` of the repository)`
        : `${mark}[${label}](${served}${anchor})`;
    },
  );
}

/** The overview in the form of llmstxt.org. */
function overview(paths: ReadonlyMap<string, string>, read: (file: string) => string): string {
  const lines = (prefix: string) =>
    [...paths]
      .filter(([file]) => file.startsWith(prefix) && file.endsWith('.md'))
      .toSorted(([one], [other]) => rank(one) - rank(other))
      .map(([file, path]) => `- [${titleOf(read(file))}](${path}): ${subjectOf(read(file))}`);
  return `# Runward ${version}

> A self-hosted workflow process service with a REST API, clients for TypeScript and Python, a command line and signed webhooks. Templates describe a process,
> runs carry it out.

Requests need \`Authorization: Bearer sk_live_…\`. Every path below belongs to this service; guides are Markdown.

## API

- [OpenAPI 3.1 document](${contract.openapi.get.path}): every endpoint, with the schema and an example of each request, response, error and event
- [The same as YAML](/openapi.yaml)
- [Interactive reference](/docs): the same for people

## Guides

${lines(`${guides}/`).join('\n')}

## Packages

${[...lines('packages/'), ...lines('clients/')].join('\n')}
`;
}

function rank(file: string): number {
  const place = first.indexOf(basename(file, '.md'));
  return place === -1 ? first.length : place;
}

function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? 'Untitled';
}

/** The first sentence of a page, without links. */
function subjectOf(text: string): string {
  const [, paragraph = ''] = /^# .+\n+([^]+?)(?:\n\n|$)/.exec(text) ?? [];
  const plain = paragraph.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/\s+/g, ' ');
  return /^.+?\.(?= |$)/.exec(plain)?.[0] ?? plain.replace(/:?$/, '.');
}
