import { PassThrough } from 'node:stream';
import test from 'ava';
import type { Command } from 'commander';
import { processIo } from '../../src/process-io.ts';
import { buildProgram } from '../../src/program.ts';

const io = { ...processIo(new AbortController().signal), stdout: new PassThrough() };
const program = await buildProgram({ io, exitCode: 0, stopsGracefully: false }, null);

function leaves(command: Command): Command[] {
  const own = command.commands.filter((each) => each.name() !== 'complete');
  return own.length === 0 ? [command] : own.flatMap(leaves);
}

test('no option of a command has the name of one that all commands have, or of another one', (t) => {
  const global = new Set(program.options.flatMap(({ short, long }) => [short, long]));
  for (const command of leaves(program)) {
    const flags = command.options.flatMap(({ short, long }) => [short, long]).filter((flag) => flag !== undefined);
    t.deepEqual(
      flags.filter((flag, index) => global.has(flag) || flags.indexOf(flag) !== index),
      [],
      command.name(),
    );
  }
});

test('every command and every argument is described, and descriptions of options end without a period', (t) => {
  for (const command of leaves(program)) {
    t.not(command.description(), '', command.name());
    for (const argument of command.registeredArguments) t.not(argument.description, '', command.name());
    for (const { flags, description } of command.options) {
      t.regex(description, /\S$/, `${command.name()} ${flags}`);
      t.notRegex(description, /\.$/, `${command.name()} ${flags}`);
    }
  }
});
