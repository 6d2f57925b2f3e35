import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '@runward/testing/program';
import test from 'ava';
import { parse } from 'yaml';

const folder = join(repository, 'deploy/prometheus');
const read = (path: string) => readFileSync(join(repository, path), 'utf8');
const hasPromtool = await promisify(execFile)('promtool', ['--version']).then(
  () => true,
  () => false,
);

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
}
interface Dashboard {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
}

const rules = (parse(read('deploy/prometheus/runward.rules.yml')) as Rules).groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(read('deploy/grafana/runward.json')) as Dashboard;
const guide = read('docs/guides/operations.md');

/** The names of metrics in expressions, without the suffixes of histograms. */
function metricsIn(expressions: readonly string[]): string[] {
  const names = expressions.flatMap((each) => [...each.matchAll(/\b([a-z]+(?:_[a-z]+)+)\{/g)]);
  return [...new Set(names.map(([, name = '']) => name.replace(/_(?:bucket|sum|count)$/, '')))];
}

test('alerts and dashboard use metrics that the guide lists', (t) => {
  const [table = ''] = guide.match(/^\| Metric [^]*?\n\n/m) ?? [];
  const used = metricsIn([
    ...rules.map(({ expr }) => expr),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ]);
  t.true(used.length > 10);
  t.deepEqual(
    used.filter((name) => !name.startsWith('process_') && !table.includes(`\`${name}\``)),
    [],
  );
});

test('the guide explains every alert, and no others', (t) => {
  const [table = ''] = guide.match(/^\| Alert [^]*?\n\n/m) ?? [];
  const explained = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name = '']) => name);
  t.deepEqual(explained.toSorted(), rules.map(({ alert }) => alert).toSorted());
});

const promtool = hasPromtool ? test : test.skip;

promtool('alerts fire for a service that is broken, and not for one that works', async (t) => {
  const { stdout } = await promisify(execFile)('promtool', ['test', 'rules', 'runward.test.yml'], { cwd: folder });
  t.regex(stdout, /SUCCESS/);
});
