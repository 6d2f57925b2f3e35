import { Command } from 'commander';

/** Adds the command `help` to the program or to a noun: `runward help runs list`, `runward runs help list`. */
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
  // Otherwise `runward runs nope --help` would print the help of `runward runs`.
  parent.addHelpText('before', () => {
    const [word = ''] = parent.args;
    if (word !== '' && !word.startsWith('-')) rejectUnknown(parent, word);
    return '';
  });
}

function rejectUnknown(command: Command, word: string): void {
  if (command.commands.some((each) => each.name() === word)) return;
  if (command.commands.length === 0) command.error(`error: unknown command '${word}'`);
  // Parsing reports unknown commands, with similar names. It also resets the options, so a copy with the same names is
  // parsed.
  const names = new Command().copyInheritedSettings(command);
  for (const each of command.commands) names.command(each.name());
  names.parse([word], { from: 'user' });
}
