import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getRun, publishProcess } from '@runward/testing/process';
import test from 'ava';
import { newFolder } from '../support/command.ts';
import { useServer } from '../support/service.ts';
import { onTerminal, openTerminal } from '../support/terminal.ts';

const { newWorkplace } = useServer(test);

/** An organization with a template that requires variables of several types. */
async function newTemplate() {
  const workplace = await newWorkplace();
  await publishProcess(workplace.org.api, [{ title: 'A' }], { name: 'Hire' }, [
    { key: 'region', name: 'Region', required: true },
    { key: 'seats', type: 'NUMBER', required: true },
    { key: 'remote', type: 'BOOLEAN', required: true },
    { key: 'speed', defaultValue: 'fast', required: true },
  ]);
  return workplace;
}

const launch = ['runs', 'launch', '--template', 'Hire', '-o', 'json'];
const messagesOf = (stderr: string) => (JSON.parse(stderr) as { messages: string[] }).messages;

test('runs launch in a pipe names the required variables that are missing, like a wrong command line', async (t) => {
  const { org, runward, data, newKey } = await newTemplate();
  const { code, stderr } = await runward([...launch, '--var', 'seats=2', '--var', 'region= ']);
  t.is(code, 2);
  t.deepEqual(messagesOf(stderr), [
    'var.region: the template requires a value; add --var region=VALUE',
    'var.remote: the template requires a value; add --var remote=VALUE',
  ]);
  const wrong = await runward([...launch, '--var', 'seats=two']);
  t.is(wrong.code, 6);
  t.deepEqual(messagesOf(wrong.stderr), ['var.seats: must be a number, not "two"']);
  const values = ['--var', 'seats=2', '--var', 'region=EU', '--var', 'remote=false'];
  const { id } = await data<{ id: string }>([...launch, ...values]);
  t.deepEqual((await getRun(org.api, id)).variables, { region: 'EU', seats: 2, remote: false, speed: 'fast' });

  // A key that cannot read templates leaves the check to the server.
  const { body } = await org.api.call('templates', 'list', {});
  const env = { RUNWARD_API_KEY: await newKey(['runs:execute']) };
  const unable = await runward(['runs', 'launch', '--template', body.data[0]?.id ?? '', '-o', 'json'], { env });
  t.is(unable.code, 6);
  t.like(JSON.parse(unable.stderr), { statusCode: 400, code: 'required_variables_missing' });
});

test('a launch of a CSV file names the line, the variable and the empty column before it launches anything', async (t) => {
  const { org, runward } = await newTemplate();
  const file = join(await newFolder(t), 'hires.csv');
  await writeFile(file, 'Region,Seats\nEU,2\n,3\nUS,many\n');
  const map = ['--map', 'var.region=Region', '--map', 'var.seats=Seats'];
  const { code, stderr } = await runward([...launch, '--csv', file, ...map]);
  t.is(code, 6);
  const unmapped = 'var.remote: the template requires a value; add --map var.remote=COLUMN or --var remote=VALUE';
  t.deepEqual(messagesOf(stderr), [
    'Nothing was launched. Correct these rows:',
    `line 2: ${unmapped}`,
    'line 3: var.region: the template requires a value; the column "Region" is empty; fill it in',
    `line 3: ${unmapped}`,
    'line 4: var.seats: must be a number, not "many"',
    `line 4: ${unmapped}`,
  ]);
  t.is((await org.api.call('runs', 'counts', {})).body.total, 0);
});

onTerminal('runs launch on a terminal asks for the required variables that are missing', async (t) => {
  const { org, env } = await newTemplate();
  const terminal = openTerminal(t, [...launch, '--var', 'region=EU'], { env });
  await terminal.type('seats (required)', 'two', '\r');
  await terminal.type('must be a number', '\u0015', '12', '\r');
  await terminal.type('remote (required)', 'y');
  const { code, screen } = await terminal.end();
  t.is(code, 0, screen);
  const { data } = (await org.api.call('runs', 'list', {})).body;
  t.deepEqual((await getRun(org.api, data[0]?.id ?? '')).variables, {
    region: 'EU',
    seats: 12,
    remote: true,
    speed: 'fast',
  });
});
