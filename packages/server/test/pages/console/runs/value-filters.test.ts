import { newOrganization } from '@runward/testing/organization';
import { newClient } from '@runward/testing/page-client';
import { launchRun, must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { publishDraft } from '../../../support/templates.ts';

const app = useSharedApp(test);

/** The titles of the runs on a page. */
const titlesOf = (html: string) =>
  Array.from(
    html.matchAll(/<a href="\/console\/runs\/[0-9a-f-]{36}"\s*><bdi>([^<]*)<\/bdi>/g),
    ([, title = '']) => title,
  ).toSorted();

/** A path with one condition or several, as the form sends them. */
const pathFor = (...conditions: (readonly [source: string, operator: string, text: string])[]) =>
  `/console/runs?${new URLSearchParams(
    conditions.flatMap(([source, operator, text]): [string, string][] => [
      ['valueSource', source],
      ['valueOperator', operator],
      ['valueText', text],
    ]),
  ).toString()}`;

async function setting() {
  const org = await newOrganization(app);
  const member = newClient(app);
  await member.signIn(org.ownerEmail, org.ownerPassword);
  const templateId = await publishDraft(
    org.api,
    [{ title: 'Only' }],
    [
      { key: 'region', type: 'TEXT', searchable: true },
      { key: 'amount', type: 'NUMBER', searchable: true },
      { key: 'urgent', type: 'BOOLEAN', searchable: true },
    ],
  );
  const launch = (title: string, variables: Record<string, string | number | boolean>) =>
    launchRun(org.api, templateId, { title, variables });
  await launch('One', { region: 'EMEA', amount: 5, urgent: true });
  await launch('Two', { region: 'emea north', amount: 50 });
  await launch('Three', { amount: 500, urgent: false });
  return { org, member };
}

test('runs are found by values of the form, which shows them again, with room for one more condition', async (t) => {
  const { member } = await setting();
  const cases: (readonly [...Parameters<typeof pathFor>, string[]])[] = [
    [['TEXT:$region', 'EQUALS', 'emea'], ['One']],
    [
      ['TEXT:$region', 'CONTAINS', 'EMEA'],
      ['One', 'Two'],
    ],
    [
      ['TEXT:$region', 'IN', 'emea, EMEA north'],
      ['One', 'Two'],
    ],
    [['TEXT:$region', 'IS_EMPTY', 'ignored'], ['Three']],
    [
      ['NUMBER:$amount', 'GREATER_OR_EQUAL', '50'],
      ['Three', 'Two'],
    ],
    [
      ['NUMBER:$amount', 'IN', '5, 500'],
      ['One', 'Three'],
    ],
    [['BOOLEAN:$urgent', 'EQUALS', 'yes'], ['One']],
    [['BOOLEAN:$urgent', 'EQUALS', 'no'], ['Three']],
    [['TEXT:$region', 'CONTAINS', 'emea'], ['NUMBER:$amount', 'LESS_THAN', '50'], ['One']],
    [
      ['', 'EQUALS', ''],
      ['One', 'Three', 'Two'],
    ],
  ];
  for (const each of cases) {
    const conditions = each.slice(0, -1) as Parameters<typeof pathFor>;
    const { status, html } = await member.get(pathFor(...conditions));
    t.is(status, 200);
    t.deepEqual(titlesOf(html), each.at(-1) as string[], JSON.stringify(conditions));
    const given = conditions.filter(([source]) => source !== '');
    t.is(html.match(/name="valueSource"/g)?.length, given.length + 1);
    for (const [source] of given) t.regex(html, new RegExp(`value="${source.replace('$', '\\$')}"\\s*selected`));
  }
});

test('the tabs, the export and the actions on all runs keep the values, and there are at most five conditions', async (t) => {
  const { member } = await setting();
  const { html } = await member.get(pathFor(['NUMBER:$amount', 'GREATER_THAN', '10']));
  const values = encodeURIComponent('[{"variable":"amount","operator":"GREATER_THAN","value":10}]');
  t.true(html.replaceAll('%20', '+').includes(`values=${values}`));
  t.regex(html, /statuses=RUNNING[^"]*|valueSource=NUMBER[^"]*statuses=RUNNING/);
  t.regex(html, /<input type="hidden" name="values" value="\[\{&quot;variable&quot;:&quot;amount&quot;/);
  const five = Array.from({ length: 5 }, () => ['NUMBER:$amount', 'GREATER_THAN', '1'] as const);
  const { html: full } = await member.get(pathFor(...five));
  t.is(full.match(/name="valueSource"/g)?.length, 5);
});

test('a value that does not fit is rejected with what to do, and an organization without searchable fields has no form', async (t) => {
  const { member } = await setting();
  const { status, html } = await member.get(pathFor(['NUMBER:$amount', 'EQUALS', 'many']));
  t.is(status, 400);
  t.regex(html, /values\[0\]\.value: must be a number/);
  const other = await newOrganization(app);
  const client = newClient(app);
  await client.signIn(other.ownerEmail, other.ownerPassword);
  t.false((await client.get('/console/runs')).html.includes('valueSource'));
});

test('conditions of a URL that are none are rejected, and the form is empty', async (t) => {
  const { member } = await setting();
  const odd = [
    '[{"operator":5}]',
    '[{"operator":{}}]',
    '[{"variable":{"toString":1},"operator":"IN"}]',
    '[null]',
    '[1]',
  ];
  for (const values of [...odd, '[{"variable":"amount","operator":"IN","value":{"toString":1}}]', '{', '"x"']) {
    const { status, html } = await member.get(`/console/runs?${new URLSearchParams({ values }).toString()}`);
    t.is(status, 400, values);
    t.regex(html, /There is a problem/);
    t.is(html.match(/name="valueSource"/g)?.length, 1);
  }
});

test('the values of a saved view are in the form', async (t) => {
  const { org, member } = await setting();
  const filters = { values: [{ variable: 'region', operator: 'EQUALS' as const, value: 'EMEA' }] };
  await must(org.api.call('savedViews', 'create', { body: { name: 'Emea', filters } }));
  const { html } = await member.get('/console/runs');
  const [, href = ''] = /<a href="(\/console\/runs\?values=[^"]*)"><bdi>Emea/.exec(html) ?? [];
  const { html: viewed } = await member.get(href.replaceAll('&amp;', '&'));
  t.deepEqual(titlesOf(viewed), ['One']);
  t.regex(viewed, /<details open[^>]*>\s*<summary>Values of forms[^]*name="valueText"\s*type="text"\s*value="EMEA"/);
});
