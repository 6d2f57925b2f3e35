import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { newClient } from '@runward/testing/page-client';
import { must, publishProcess } from '@runward/testing/process';
import test from 'ava';
import { formatsFor } from '../../../src/pages/console/formats.ts';
import { totalNote } from '../../../src/pages/console/total-note.ts';

const app = useApp(test, { limits: { countedItems: 1 } });

test('a search says that there are more runs than were counted; the page of runs has their number', async (t) => {
  const { api, ownerEmail, ownerPassword } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  const runs = Array.from({ length: 53 }, (_, index) => ({ templateId, title: `Order ${index}` }));
  const { results } = await must(api.call('runs', 'bulkLaunch', { body: { runs } }));
  const [ended] = results.flatMap((result) => ('run' in result && result.run ? [result.run.id] : []));
  await must(api.call('runs', 'cancel', { params: { id: ended ?? '' } }));
  const client = newClient(app);
  await client.signIn(ownerEmail, ownerPassword);
  const read = async (path: string) => (await client.get(path)).html.replaceAll(/\s+/g, ' ');

  const found = await read('/console/search?q=order');
  t.regex(found, /Runs <span class="count">more than 10</);
  t.regex(found, /search=order">Show all</);
  t.regex(await read('/console/runs?search=order'), /all 53 that match/);
  t.regex(await read('/console/runs?search=order&statuses=RUNNING'), /all 52 that match/);
  t.regex(await read('/console/runs?search=order&statuses=RUNNING,CANCELLED'), /all 53 that match/);
  const question = await read('/console/runs/bulk?action=cancel&which=all&search=order');
  t.regex(question, /Cancel 52 runs\?/);
  t.regex(question, /1 of those you chose cannot be changed this way/);
});

test('a total is written in the format of the language, with words if it is not exact', (t) => {
  const formats = formatsFor('en', 'UTC');
  const { total } = formats;
  t.is(total({ total: 12_345 }), '12,345');
  t.is(total({ total: 12_345, totalIsExact: true }), '12,345');
  t.is(total({ total: 10_000, totalIsExact: false }), 'more than 10,000');
  t.is(formatsFor('de', 'UTC').total({ total: 10_000, totalIsExact: false }), 'more than 10.000');
  t.is(totalNote(formats, { total: 1 }, 'line', 'lines'), '1 line');
  t.is(totalNote(formats, { total: 10_000, totalIsExact: false }, 'line', 'lines'), 'More than 10,000 lines');
});
