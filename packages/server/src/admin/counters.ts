import type { Command } from 'commander';
import { Organization } from '../organization/entities/organization.ts';
import { checkCounters, type CounterDifference } from '../runs/queries/check-counters.ts';
import { numberOf } from '../words.ts';
import { commandError } from './command-error.ts';
import { action, type CommandContext } from './context.ts';
import type { Io } from './io.ts';

/** `counters check`. */
export function addCounterCommands(program: Command, io: Io): void {
  const noun = program.command('counters').description('Check the counters of runs');
  noun
    .command('check')
    .description('Report counters that differ from the number of their runs')
    .option('--fix', 'correct them')
    .action(action(io, check));
}

async function check(context: CommandContext, { fix = false }: { fix?: boolean }): Promise<void> {
  const { organizations, differences } = await context.inTransaction(async (em) => {
    const organizations = await em.find(Organization, {}, { fields: ['id'], orderBy: { id: 'asc' } });
    const differences: CounterDifference[] = [];
    for (const { id } of organizations) differences.push(...(await checkCounters(em, id, { fix })));
    return { organizations: organizations.length, differences };
  });
  const lines = [
    `${numberOf(organizations, 'organization')} checked, ${differences.length} counters differ${fix ? ' and were corrected' : ''}`,
    ...differences.map(
      ({ organizationId, templateId, status, archived, counted, runs, countedTasks, tasks }) =>
        `  organization ${organizationId}, template ${templateId}, ${status}${archived ? ', archived' : ''}: ` +
        `${counted} of ${runs} runs counted, ${countedTasks} of ${tasks} tasks`,
    ),
  ];
  context.print({ organizations, differences, fixed: fix ? differences.length : 0 }, lines.join('\n'));
  if (differences.length > 0 && !fix) throw commandError('Counters and runs differ; correct the counters with --fix.');
}
