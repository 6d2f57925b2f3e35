import { contract, type Contract, type QueryInput } from '@runward/contract';
import type { Client } from '@runward/sdk';
import { Option, type Command } from 'commander';
import { findTemplate } from '../../lookup/template.ts';
import { wholeNumber } from '../../options.ts';

/** The options that filter runs. */
export interface FilterOptions {
  readonly status?: 'RUNNING' | 'OVERDUE' | 'COMPLETED' | 'CANCELLED';
  readonly template?: string;
  readonly scheduledDate?: string;
  readonly stalledForDays?: number;
  readonly archived?: boolean;
  readonly updatedAfter?: string;
}

/** Adds the options that filter runs. */
export function addFilters(command: Command): Command {
  const { status } = contract.runs.list.query.shape;
  return command
    .addOption(new Option('--status <status>', 'only runs with this status').choices(status.unwrap().options))
    .option('--template <id|name>', 'only runs of this template')
    .option('--scheduled-date <date>', 'only runs scheduled for this date, like 2026-03-01')
    .option('--stalled-for-days <days>', 'only active runs without activity for this many days', wholeNumber(0))
    .option('--archived', 'archived runs instead')
    .option('--updated-after <timestamp>', 'only runs changed later than this, like 2026-03-01T09:00:00Z');
}

/**
 * The query parameters of the filters.
 *
 * @throws CliError if the template does not exist
 */
export async function toQuery(
  client: Client,
  { template, ...filters }: FilterOptions,
): Promise<Omit<QueryInput<Contract['runs']['list']>, 'limit' | 'cursor'>> {
  const templateId = template === undefined ? undefined : (await findTemplate(client, template)).id;
  return { ...filters, ...(templateId !== undefined && { templateId }) };
}
