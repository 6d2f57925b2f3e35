import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '@runward/testing/program';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';

const app = useSharedApp(test);

async function read(path: string): Promise<{ status: number; type: string; text: string }> {
  const response = await fetch(`${app.baseUrl}${path}`);
  return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() };
}

const linksIn = (text: string) => [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);

/** The anchors of a page, as GitHub makes them of headings. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('/llms.txt lists every guide and README with what it is about, and every link in them works', async (t) => {
  const overview = await read('/llms.txt');
  t.is(overview.type, 'text/plain; charset=utf-8');
  t.regex(overview.text, /^# Runward \S+\n\n> /);
  const files = globSync(['docs/guides/*.md', '{packages,clients}/*/README.md'], { cwd: repository });
  t.is([...overview.text.matchAll(/^- \[.+\]\(\/docs\/.+\.md\): .{20,}\.$/gm)].length, files.length, overview.text);

  const seen = new Map<string, string>();
  const queue = linksIn(overview.text);
  for (const link of queue) {
    const [path = '', anchor] = link.split('#');
    if (/^https?:/.test(path)) continue;
    if (!seen.has(path)) {
      const { status, type, text } = await read(path);
      t.is(status, 200, link);
      seen.set(path, text);
      if (path.endsWith('.md')) {
        t.is(type, 'text/markdown; charset=utf-8', path);
        queue.push(...linksIn(text).map((each) => (each.startsWith('#') ? `${path}${each}` : each)));
      }
    }
    if (anchor !== undefined) t.true(anchorsOf(seen.get(path) ?? '').includes(anchor), link);
  }
  t.true([...seen.keys()].some((path) => path.endsWith('.webp')));
});

test('no other file of the repository is served', async (t) => {
  for (const path of [
    '/docs/ARCHITECTURE.md',
    '/docs/guides/../ARCHITECTURE.md',
    '/docs/guides/%2e%2e/ARCHITECTURE.md',
    '/docs/guides',
  ]) {
    t.is((await read(path)).status, 404, path);
  }
});

test('a packed service has the guides', (t) => {
  const list = execFileSync('npm', ['pack', '--dry-run', '--json', '--workspace', 'packages/server'], {
    cwd: repository,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  t.regex(list, /manual\/docs\/guides\/api\.md/);
  t.regex(list, /manual\/packages\/sdk\/README\.md/);
  t.regex(list, /manual\/clients\/python\/README\.md/);
  t.false(existsSync(join(repository, 'packages/server/manual')), 'the copy is removed');
});
