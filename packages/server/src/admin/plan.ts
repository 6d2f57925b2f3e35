import { plans } from '@runward/contract';
import { Argument, type Command } from 'commander';
import { changePlan } from '../organization/change-plan.ts';
import type { Plan } from '../organization/entities/organization.ts';
import { action, type CommandContext } from './context.ts';
import type { Io } from './io.ts';
import { findOrganization } from './lookup.ts';
import { printable } from './text.ts';

/** `plan set`. */
export function addPlanCommands(program: Command, io: Io): void {
  const noun = program.command('plan').description('Manage plans');
  noun
    .command('set')
    .description('Set the plan of an organization; it applies from the next request')
    .addArgument(new Argument('<plan>', 'the plan').choices(plans))
    .requiredOption('--organization <id-or-name>', 'the organization')
    .action(action(io, set));
}

async function set(context: CommandContext, plan: Plan, { organization }: { organization: string }): Promise<void> {
  const { id, name, before } = await context.inTransaction(async (em) => {
    const found = await findOrganization(em, organization);
    const before = found.plan;
    await changePlan(em, found, plan);
    return { id: found.id, name: found.name, before };
  });
  context.print({ id, name, plan, before }, `The plan of "${printable(name)}" is ${plan} (it was ${before}).`);
}
