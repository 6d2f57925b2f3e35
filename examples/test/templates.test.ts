import { readdirSync, readFileSync } from 'node:fs';
import test from 'ava';

interface Template {
  readonly tasks: readonly { readonly key: string; readonly due?: { readonly offset: string } }[];
}

const folder = new URL('../templates/', import.meta.url);

for (const name of readdirSync(folder)) {
  test(`no task of ${name} is late on the day of the launch, whatever the time`, (t) => {
    const { tasks } = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Template;
    // Without a date, the day of the launch is the scheduled date, too.
    for (const { key, due } of tasks) if (due) t.regex(due.offset, /^P[1-9]/, key);
  });
}
