import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchRun, publishProcess, type TaskSketch } from '@runward/testing/process';
import test from 'ava';
import { newFolder } from '../support/command.ts';
import { useServer } from '../support/service.ts';
import { keys, onTerminal, openTerminal } from '../support/terminal.ts';

const { newWorkplace } = useServer(test);
const { enter, down, space, clear } = keys;

const form: TaskSketch = {
  title: 'Sign',
  fields: [
    { key: 'place', label: 'Place', type: 'TEXT', required: true, helpText: 'City' },
    { key: 'copies', label: 'Copies', type: 'NUMBER' },
    {
      key: 'size',
      label: 'Shirt',
      type: 'DROPDOWN',
      options: [
        { key: 's', label: 'Small' },
        { key: 'm', label: 'Medium' },
      ],
    },
    {
      key: 'days',
      label: 'Days',
      type: 'MULTI_SELECT',
      options: [
        { key: 'mo', label: 'Monday' },
        { key: 'fr', label: 'Friday' },
      ],
    },
    { key: 'remote', label: 'Remote', type: 'CHECKBOX', required: true },
    { key: 'mentor', label: 'Mentor', type: 'USER' },
    { key: 'signedOn', label: 'Signed on', type: 'DATE' },
  ],
};

onTerminal(
  'tasks complete on a terminal asks for each field, validates each value and starts with those of the open entry',
  async (t) => {
    const { org, env } = await newWorkplace();
    const { templateId, fields } = await publishProcess(org.api, [form]);
    const run = await launchRun(org.api, templateId);
    const { runTaskId } = run.byTitle('Sign');
    const { body: entry } = await org.api.call('execution', 'open', { body: { runTaskId } });
    const submission = { executionEntryId: entry.id, runTaskFieldId: fields['place']?.id ?? '', value: 'Bonn' };
    await org.api.call('execution', 'submit', { body: submission });

    const terminal = openTerminal(t, ['tasks', 'complete', run.id, 'Sign'], { env });
    await terminal.type('Place * — City', clear, enter);
    await terminal.type('A value is required.', 'Berlin', enter);
    await terminal.type('Copies', 'many', enter);
    await terminal.type('"Copies" must be a number, like 12.5', clear, '2', enter);
    await terminal.type('Shirt', down, enter);
    await terminal.type('Days', space, enter);
    await terminal.type('Remote *', enter);
    await terminal.type('Mentor', enter);
    await terminal.type('Signed on', '2026-02-30', enter);
    await terminal.type('must be a date', clear, enter);
    const { code, screen } = await terminal.end();
    t.is(code, 0, screen);
    t.regex(screen, /^status +COMPLETED/m);

    const { body } = await org.api.call('execution', 'entries', { params: { runTaskId } });
    t.is(body.total, 1);
    const values = new Map(body.data[0]?.fieldValues.map(({ runTaskFieldId, value }) => [runTaskFieldId, value]));
    const valueOf = (key: string) => values.get(fields[key]?.id ?? '');
    t.deepEqual(Object.keys(fields).map(valueOf), ['Berlin', 2, 's', ['mo'], false, undefined, undefined]);
  },
);

onTerminal('a stored value is shown without its control characters, and keeps them if it is not edited', async (t) => {
  const { org, env } = await newWorkplace();
  const text = { label: 'Text', type: 'TEXT' } as const;
  const tasks = [
    {
      title: 'Sign',
      fields: [
        { ...text, key: 'kept' },
        { ...text, key: 'edited' },
      ],
    },
  ];
  const { templateId, fields } = await publishProcess(org.api, tasks);
  const run = await launchRun(org.api, templateId);
  const { runTaskId } = run.byTitle('Sign');
  const { body: entry } = await org.api.call('execution', 'open', { body: { runTaskId } });
  const value = 'Evil \u001B]0;title\u0007 \u202E text';
  for (const { id } of Object.values(fields)) {
    await org.api.call('execution', 'submit', { body: { executionEntryId: entry.id, runTaskFieldId: id, value } });
  }
  const terminal = openTerminal(t, ['tasks', 'complete', run.id, 'Sign'], { env });
  await terminal.type('Evil ·]0;title· · text', enter);
  await terminal.type('Evil ·]0;title· · text', '!', enter);
  t.is((await terminal.end()).code, 0);
  const { body } = await org.api.call('execution', 'entries', { params: { runTaskId } });
  t.deepEqual(
    body.data[0]?.fieldValues.map((one) => one.value),
    [value, 'Evil ·]0;title· · text!'],
  );
});

onTerminal('login on a terminal asks for URL and API key without showing the key; a list is a table', async (t) => {
  const { org, baseUrl } = await newWorkplace();
  const text = { key: 'text' };
  const { templateId } = await publishProcess(org.api, [form], { name: 'Evil \u202E name' }, [text]);
  const { id } = await launchRun(org.api, templateId, { variables: { text: 'Evil \u001B[2J\u202E value' } });
  const path = join(await newFolder(t), 'profiles.json');
  const env = { RUNWARD_CONFIG: path };
  const login = openTerminal(t, ['login'], { env });
  await login.type('URL of the server', clear, 'nonsense', enter);
  await login.type('is not the URL of a server', clear, baseUrl, enter);
  await login.type('API key', org.apiKey, enter);
  const { code, screen } = await login.end();
  t.is(code, 0, screen);
  t.false(screen.includes(org.apiKey.slice(0, 20)));
  t.is(JSON.parse(await readFile(path, 'utf8')).profiles.default.apiKey, org.apiKey);

  const list = openTerminal(t, ['templates', 'list'], { env });
  const shown = (await list.end()).screen;
  t.regex(shown, /^status +hasUnpublishedChanges +updatedAt +name/);
  t.regex(shown, /^PUBLISHED +false +[0-9-]{10} [0-9:]{5} +Evil · name/m);

  const variables = ['api', 'GET', `/runs/${id}/variables`, '--paginate', '-o', 'table', '--fields', 'key,value'];
  t.regex((await openTerminal(t, variables, { env }).end()).screen, /^text +Evil ·\[2J· value/m);
});
