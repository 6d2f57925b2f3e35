import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fetchOnce } from '../../fetch-once.ts';

/** The oldest Kubernetes that the chart supports, and the newest one whose schemas the wheel has. */
export const kubernetesVersions = ['1.25.0', '1.37.0'] as const;

const fetchMs = 120_000;
const folderOf = (version: string) => `v${version}-local-strict`;

/**
 * Where kubeconform finds the schemas of these versions, for its option `-schema-location`. They are fetched once, with
 * pip into `.runward-test`. Throws if that fails.
 */
export async function schemaLocation(): Promise<string> {
  const folder = await fetchOnce('kubernetes-schemas-1.37.0', fetchSchemas);
  return join(folder, '{{ .NormalizedKubernetesVersion }}-local-strict', '{{ .ResourceKind }}{{ .KindSuffix }}.json');
}

async function fetchSchemas(target: string): Promise<void> {
  const python = (args: readonly string[]) => promisify(execFile)('python3', args, { timeout: fetchMs });
  const wheel = join(target, 'wheel');
  const pinned = ['--require-hashes', '-r', join(import.meta.dirname, 'schemas-requirements.txt')];
  await python(['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary', ':all:', '-d', wheel, ...pinned]);
  await python(['-m', 'zipfile', '-e', join(wheel, 'kubernetes_validate-1.37.0-py3-none-any.whl'), wheel]);
  for (const version of kubernetesVersions) {
    const from = join(wheel, 'kubernetes_validate', 'kubernetes-json-schema', folderOf(version));
    const to = join(target, folderOf(version));
    await mkdir(to);
    for (const file of await readdir(from)) {
      await writeFile(join(to, file), relative(await readFile(join(from, file), 'utf8')));
    }
  }
  await rm(wheel, { recursive: true });
}

/**
 * A schema that refers to the definitions beside it. As published, it has an address on the web, and theirs is relative
 * to it.
 */
function relative(text: string): string {
  const { $id: _, ...schema } = JSON.parse(text) as Readonly<Record<string, unknown>>;
  return JSON.stringify(schema, (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? value.replace('/api/_definitions.json', '_definitions.json') : value,
  );
}
