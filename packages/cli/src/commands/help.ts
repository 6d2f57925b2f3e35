import { Command } from 'commander';

/** Adds `help`, which prints the help of a command, to the program or to one of its nouns: `runward help runs list`, `runward runs help list`. */
export function addHelp(parent: Command): void {
  parent
    .helpCommand(false)
    .command('help')
    .description('Print the help of a command')
    .argument('[command...]', 'the words of the command, like: runs list')
    .action((words: readonly string[]) => {
      let command = parent;
      for (const word of words) {
        rejectUnknown(command, word);
        command = command.commands.find((each) => each.name() === word) ?? command;
      }
      command.help();
    });
  // Without this, `runward runs nope --help` would be the help of `runward runs`.
  parent.addHelpText('before', () => {
    const [word = ''] = parent.args;
    if (word !== '' && !word.startsWith('-')) rejectUnknown(parent, word);
    return '';
  });
}

function rejectUnknown(command: Command, word: string): void {
  if (command.commands.some((each) => each.name() === word)) return;
  if (command.commands.length === 0) command.error(`error: unknown command '${word}'`);
  // Parsing throws the error of every unknown command, with similar names. A copy of the names does, because parsing resets the options.
  const names = new Command().copyInheritedSettings(command);
  for (const each of command.commands) names.command(each.name());
  names.parse([word], { from: 'user' });
}
