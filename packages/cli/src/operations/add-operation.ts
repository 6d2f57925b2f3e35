import { addPaging } from '../commands/list.ts';
import type { AddCommand } from '../commands/tree.ts';
import { addYes } from '../deletion.ts';
import { collect, examples } from '../options.ts';
import { lookups } from './lookups.ts';
import type { OperationCommand } from './operation.ts';
import { toOptions } from './options.ts';

/** Adds the command that carries out an operation. */
export function addOperation(operation: OperationCommand): AddCommand {
  const { words, parameters, query = [], body, deletes, returns } = operation;
  return (parent, action) => {
    const command = parent.command(words.slice(words.lastIndexOf(' ') + 1));
    for (const { label, kind, description } of parameters) {
      command.argument(`<${label}>`, kind ? lookups[kind].takes : description);
    }
    const takesTitle = parameters[0]?.kind === 'runTask';
    if (takesTitle) command.argument('[title]', 'if the run is given instead: title of the task, or its start');
    const positional = (body ?? []).filter(({ argument }) => argument !== undefined);
    for (const { argument, kind, description, repeatable } of positional) {
      command.argument(`<${argument}${repeatable ? '...' : ''}>`, kind ? lookups[kind].takes : description);
    }
    for (const option of [...query, ...(body ?? [])]) {
      if (option.argument === undefined) for (const each of toOptions(option)) command.addOption(each);
    }
    if (body && !hasFiles(operation)) {
      command
        .option(
          '--field <name=json>',
          'set any property of the body to a JSON value, like description=null (repeatable)',
          collect,
        )
        .option('--input <file>', 'file with the JSON body; - is stdin. Other options replace what is in it');
    }
    if (returns === 'list') addPaging(command);
    if (returns === 'content') {
      command
        .option('--output-file <file>', 'write the content to this file instead of stdout')
        .option('--force', 'replace an existing file');
    }
    if (deletes) addYes(command);
    command.addHelpText('after', notes(operation)).action(
      action(async (cli, ...values: unknown[]) => {
        const { runOperation } = await import('./run-operation.ts');
        const options = values.pop() as Record<string, unknown>;
        const texts = values.splice(0, parameters.length) as string[];
        const title = takesTitle ? (values.shift() as string | undefined) : undefined;
        if (title !== undefined) texts.push(title);
        const properties = positional.map(({ name }, index): [string, unknown] => [name, values[index]]);
        return runOperation(cli, operation, texts, { ...options, ...Object.fromEntries(properties) });
      }),
    );
  };
}

/** Whether the body of an operation has files and is therefore multipart. */
export function hasFiles({ body = [] }: OperationCommand): boolean {
  return body.some(({ type }) => type === 'file');
}

function notes({ description, deprecated, scope, operation, examples: lines = [] }: OperationCommand): string {
  const needs = scope === undefined ? '' : ` The API key needs the scope ${scope}.`;
  const paragraphs = [deprecated, description].flatMap((paragraph) =>
    paragraph === undefined ? [] : [`${paragraph}\n`],
  );
  const text = `\n${paragraphs.join('')}In the SDK: ${operation}.${needs}`;
  return lines.length === 0 ? text : `${text}\n${examples(...lines)}`;
}
