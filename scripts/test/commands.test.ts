import { Writable } from 'node:stream';
import { processIo, run } from '@runward/cli';
import { contract, routesOf, type Endpoint } from '@runward/contract';
import test from 'ava';
import { handMade, without } from '../generate/cli-hand-made.ts';
import { generatedCommands } from '../generate/cli-operations.ts';

/** What `runward ... --help` prints. */
async function help(words: string): Promise<string> {
  let text = '';
  const stdout = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  await run([...words.split(' '), '--help'], { ...processIo(new AbortController().signal), stdout });
  return text;
}

test('each operation that an API key can call has one command, hand-written or generated, and the command line has it', async (t) => {
  for (const operation of Object.keys(routesOf({ ...contract }))) {
    const words = [
      ...Object.entries(handMade).flatMap(([each, command]) => (each === operation ? [command] : [])),
      ...generatedCommands.flatMap((command) => (command.operation === operation ? [command.words] : [])),
    ];
    t.is(words.length, without.has(operation) ? 0 : 1, `${operation}: ${words.join(', ')}`);
    for (const each of words) t.regex(await help(each), new RegExp(`^Usage: runward ${each} [[<]`), operation);
  }
});

test('no command calls an operation that needs a signed-in session', (t) => {
  const callable = new Set(Object.keys(routesOf({ ...contract })));
  const all = Object.entries(contract).flatMap(([group, table]) =>
    Object.keys(table as Record<string, Endpoint>).map((name) => `${group}.${name}`),
  );
  const commands = new Set([...Object.keys(handMade), ...generatedCommands.map(({ operation }) => operation)]);
  const strays = all.filter((operation) => !callable.has(operation) && commands.has(operation));
  t.deepEqual(strays, []);
});

test('no two commands have the same words', (t) => {
  const words = [...new Set(Object.values(handMade)), ...generatedCommands.map((command) => command.words)];
  t.deepEqual(
    words.filter((each, index) => words.indexOf(each) !== index),
    [],
  );
});
