import type { Api } from '@runward/testing/api';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { createLink, formOf, newEmail, openLink } from '../support/form-links.ts';

const app = useSharedApp(test);

const variables = [
  { key: 'order', name: 'Order number', shownToGuests: true },
  { key: 'amount', type: 'NUMBER' as const, shownToGuests: true, defaultValue: 1200 },
  { key: 'due', type: 'DATE' as const, shownToGuests: true, defaultValue: '2026-03-01' },
  { key: 'urgent', type: 'BOOLEAN' as const, shownToGuests: true, defaultValue: true },
  { key: 'empty', shownToGuests: true },
  { key: 'margin', name: 'Margin of ours', defaultValue: 'secret-margin' },
  { key: 'score', defaultValue: 'secret-score', shownToGuests: false, description: 'secret-description' },
];

/** A run with shown and other variables, one of which a rule sets, and a guest with a link to its task. */
async function newRun() {
  const { api } = await newOrganization(app);
  const fields = [{ key: 'iban', label: 'IBAN', type: 'TEXT' as const }];
  const process = await publishProcess(api, [{ title: 'Bank details', fields }], {}, variables);
  const { templateId, taskIds } = process;
  const iban = process.fields['iban']?.id ?? '';
  const rule = {
    conditions: [{ source: { type: 'FIELD' as const, fieldId: iban }, operator: 'EQUALS' as const, value: 'DE89' }],
    actions: [{ type: 'SET_VARIABLE' as const, key: 'amount', value: 990 }],
  };
  const params = { id: templateId, taskId: taskIds['Bank details'] ?? '' };
  await must(api.call('templates.rules', 'create', { params, body: rule }));
  await must(api.call('templates', 'publish', { params: { id: templateId } }));
  const run = await launchRun(api, templateId, { variables: { order: '<PO-7>', margin: 'secret-launch' } });
  const taskId = run.tasks[0]?.runTaskId ?? '';
  const { url } = await must(createLink(api, taskId, { email: newEmail() }));
  return { api, templateId, taskId, iban, guest: await openLink(app, url) };
}

const shownIn = async (api: Api, taskId: string) => (await must(formOf(api, taskId))).shownVariables;

test('a form has the variables that the template shows to guests, with the values of the run, for everybody', async (t) => {
  const { api, taskId, iban, guest } = await newRun();
  const shown = [
    { key: 'order', name: 'Order number', type: 'TEXT', value: '<PO-7>' },
    { key: 'amount', name: null, type: 'NUMBER', value: 1200 },
    { key: 'due', name: null, type: 'DATE', value: '2026-03-01' },
    { key: 'urgent', name: null, type: 'BOOLEAN', value: true },
    { key: 'empty', name: null, type: 'TEXT', value: null },
  ];
  t.deepEqual(await shownIn(guest.api, taskId), shown as never);
  t.deepEqual(await shownIn(api, taskId), shown as never);
  const body = { runTaskId: taskId, values: [{ runTaskFieldId: iban, value: 'DE89' }], complete: false };
  await must(guest.api.call('execution', 'submitForm', { body }));
  t.is((await shownIn(guest.api, taskId))[1]?.value, 990, 'as the rules have set it');
});

test('the page of a form link shows them above the form, and no other variable of the run', async (t) => {
  const { taskId, guest } = await newRun();
  const { html } = await guest.client.get(`/console/tasks/${taskId}`);
  const [before = '', after = ''] = html.split('aria-label="Form"');
  for (const text of ['Order number', '&lt;PO-7&gt;', 'amount', '1,200', 'urgent', 'Yes', 'empty', '–']) {
    t.true(before.includes(text), text);
    t.false(after.includes('Order number'));
  }
  t.regex(before, /<bdi>due<\/bdi><\/dt>\s*<dd><bdi>[^<]*2026/);
});

test('a variable without the mark reaches a guest in no response of any endpoint that guests may call', async (t) => {
  const { taskId, iban, guest } = await newRun();
  const { api, client } = guest;
  const params = { taskId };
  const body = { runTaskId: taskId, values: [{ runTaskFieldId: iban, value: 'x' }], complete: false };
  const responses = [
    await must(formOf(api, taskId)),
    await must(api.call('me.tasks', 'list')),
    await must(api.call('runs.tasks', 'get', { params })),
    await must(api.call('execution', 'submitForm', { body })),
    await must(api.call('runs.tasks', 'comments', { params })),
    (await client.get(`/console/tasks/${taskId}`)).html,
  ];
  for (const response of responses) t.notRegex(JSON.stringify(response), /secret|margin|score/i);
});

test('a mark that is changed in the draft is that of runs of the version that has it', async (t) => {
  const { api, templateId, taskId, guest } = await newRun();
  const { data } = await must(api.call('templates.variables', 'list', { params: { id: templateId } }));
  const change = async (key: string, shownToGuests: boolean) => {
    const params = { id: templateId, variableId: data.find((one) => one.key === key)?.id ?? '' };
    return must(api.call('templates.variables', 'update', { params, body: { shownToGuests } }));
  };
  t.false((await change('order', false)).shownToGuests);
  t.true((await change('score', true)).shownToGuests);
  await must(api.call('templates', 'publish', { params: { id: templateId } }));
  const keysIn = async (caller: Api, id: string) => (await shownIn(caller, id)).map(({ key }) => key);
  t.deepEqual(await keysIn(guest.api, taskId), ['order', 'amount', 'due', 'urgent', 'empty']);
  const later = await launchRun(api, templateId);
  const laterId = later.tasks[0]?.runTaskId ?? '';
  t.deepEqual(await keysIn(api, laterId), ['amount', 'due', 'urgent', 'empty', 'score']);
});
