import type { Command } from 'commander';
import { presentLine, type PresentedLine } from '../audit-log/present-line.ts';
import { listLines } from '../audit-log/queries/list-lines.ts';
import { verifyLines } from '../audit-log/verify-lines.ts';
import { commandError, usageError } from './command-error.ts';
import { action, type CommandContext } from './context.ts';
import type { Io } from './io.ts';
import { findOrganization } from './lookup.ts';
import { table } from './text.ts';

/** `audit`. */
export function addAuditCommand(program: Command, io: Io): void {
  program
    .command('audit')
    .description('List the audit log of an organization, newest first, or verify it')
    .argument('<organization>', 'the id or name of the organization')
    .option('--limit <lines>', 'how many lines to list, 1 to 10000', '100')
    .option('--verify', 'verify the chain of all lines instead; exits with 1 at the first line that was changed')
    .action(action(io, audit));
}

async function audit(
  context: CommandContext,
  idOrName: string,
  { limit, verify = false }: { limit: string; verify?: boolean },
): Promise<void> {
  await (verify ? verifyLog(context, idOrName) : list(context, idOrName, limit));
}

async function list(context: CommandContext, idOrName: string, most: string): Promise<void> {
  const limit = Number(most);
  if (!/^\d{1,5}$/.test(most) || limit < 1 || limit > 10_000) {
    throw usageError('--limit: must be a whole number from 1 to 10000');
  }
  const lines = await context.inTransaction(async (em) => {
    const { id } = await findOrganization(em, idOrName);
    const { rows } = await listLines(em, id, {}, { limit, bytes: 1_000_000_000, before: undefined });
    return rows.slice(0, limit).map(presentLine);
  });
  context.print(lines, lines.length === 0 ? 'The audit log is empty.' : table(lines.map(cellsOf)));
}

function cellsOf({ sequence, at, action, actor, address, target }: PresentedLine): string[] {
  const who = actor.apiKeyId ?? actor.userId ?? actor.type;
  return [String(sequence), at, action, `${target.type} ${target.label ?? target.id}`, who, address ?? ''];
}

async function verifyLog(context: CommandContext, idOrName: string): Promise<void> {
  const result = await context.inTransaction(async (em) => verifyLines(em, (await findOrganization(em, idOrName)).id));
  const { verified, purged, hash, problem } = result;
  const text = `${verified} lines are unchanged, ${purged} older ones were purged. Hash of the newest line: ${hash}`;
  context.print(result, problem === null ? text : `${verified} lines are unchanged before line ${problem.sequence}.`);
  if (problem !== null) throw commandError(`${problem.message} Compare it with an earlier export or a backup.`);
}
