import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publishProcess } from '@runward/testing/process';
import type { ExecutionContext } from 'ava';
import { newFolder } from './command.ts';
import type { Workplace } from './service.ts';

/** The output of `runs launch --csv -o json`. */
export interface Launched {
  readonly launched: number;
  readonly alreadyLaunched: number;
  readonly failed: number;
  readonly unclear: number;
  readonly skipped: number;
  readonly notTried: number;
  readonly rows: { line: number; outcome: string; runId?: string; title?: string; messages?: string[] }[];
}

/** A published template and a matching CSV file. `launch` are the arguments that launch the file. */
export async function prepareCsv(t: ExecutionContext, { org }: Workplace, lines: readonly string[]) {
  const { templateId } = await publishProcess(org.api, [{ title: 'Only task' }], { name: 'Onboarding' }, [
    { key: 'fullName' },
    { key: 'copies', defaultValue: 1 },
  ]);
  const file = join(await newFolder(t), 'hires.csv');
  const write = (rows: readonly string[]) => writeFile(file, `${rows.join('\n')}\n`);
  await write(lines);
  const launch = ['runs', 'launch', '--template', templateId, '--csv', file, '-o', 'json'];
  const titles = async () => {
    const { body } = await org.api.call('runs', 'list', { query: { templateId } });
    return body.data.map(({ title }) => title).sort();
  };
  return { templateId, file, journal: `${file}.runward.jsonl`, write, launch, titles };
}

/** A header and rows with a name each. */
export function namedRows(count: number): string[] {
  return ['name', ...Array.from({ length: count }, (_, index) => `Person ${String(index).padStart(2, '0')}`)];
}
