import { contract, plans } from '@runward/contract';
import { Option, type Command } from 'commander';
import { isTimeZone } from '../../calendar.ts';
import { createOrganization } from '../../organization/create-organization.ts';
import { OrganizationMove, type MoveStep } from '../../organization/entities/organization-move.ts';
import { Organization, type Plan } from '../../organization/entities/organization.ts';
import { usageError } from '../command-error.ts';
import { action, type CommandContext } from '../context.ts';
import { parseWith } from '../input.ts';
import type { Io } from '../io.ts';
import { asEmailError } from '../lookup.ts';
import { pairs, printable, table } from '../text.ts';
import { addMoveCommand } from './move.ts';

const settingsInput = contract.organization.update.body.pick({ name: true, timezone: true }).required();
const ownerInput = contract.users.create.body.pick({ email: true });

/** `organization create|list|move`. */
export function addOrganizationCommands(program: Command, io: Io): void {
  const noun = program.command('organization').description('Create, list and move organizations');
  noun
    .command('create')
    .description('Create an organization with an owner and an API key with every scope')
    .requiredOption('--name <name>', 'its name')
    .requiredOption('--owner-email <email>', 'email address its owner signs in with')
    .addOption(new Option('--plan <plan>', 'its plan').choices(plans).default('ENTERPRISE'))
    .option('--timezone <zone>', 'IANA time zone of its deadlines, like Europe/Berlin (default: TZ, or UTC)')
    .action(action(io, create));
  noun.command('list').description('List all organizations, oldest first').action(action(io, list));
  addMoveCommand(noun, io);
}

interface CreateOptions {
  readonly name: string;
  readonly ownerEmail: string;
  readonly plan: Plan;
  readonly timezone?: string;
}

async function create(context: CommandContext, { plan, ...options }: CreateOptions): Promise<void> {
  const { timezone = context.timeZone } = options;
  const { name } = parseWith(
    settingsInput,
    { name: options.name, timezone },
    { name: '--name', timezone: '--timezone' },
  );
  const { email } = parseWith(ownerInput, { email: options.ownerEmail }, { email: '--owner-email' });
  if (!isTimeZone(timezone)) throw usageError('--timezone: must be an IANA time zone, like Europe/Berlin');

  const created = await context
    .inTransaction((em) =>
      createOrganization(em, context.passwords, { name, plan, timeZone: timezone, ownerEmail: email }),
    )
    .catch((error: unknown) => {
      throw asEmailError(error, email);
    });
  const { organizationId, ownerUserId, ownerEmail, ownerPassword, apiKeyId, apiKey, signingSecret } = created;
  context.print(
    {
      organizationId,
      name,
      plan,
      timezone,
      ownerUserId,
      ownerEmail,
      ownerPassword,
      apiKeyId,
      apiKey,
      signingSecret,
    },
    `Created the organization "${printable(name)}" (${organizationId}), plan ${plan}, time zone ${timezone}.\n` +
      'Save this; it is not shown again:\n\n' +
      pairs({
        Owner: ownerEmail,
        Password: ownerPassword,
        'API key': apiKey,
        'Signing secret': signingSecret,
      }),
  );
}

async function list(context: CommandContext): Promise<void> {
  const { rows, moves } = await context.inTransaction(async (em) => ({
    rows: await em.find(Organization, {}, { orderBy: { id: 'asc' } }),
    moves: new Map((await em.find(OrganizationMove, {})).map((move) => [move.organizationId, move])),
  }));
  const organizations = rows.map(({ id, name, plan, timeZone, createdAt }) => {
    const found = moves.get(id);
    const move = found ? { step: found.step, cell: found.otherSchema } : null;
    return { id, name, plan, timezone: timeZone, createdAt: createdAt.toISOString(), move };
  });
  const lines = organizations.map(({ id, name, plan, timezone, move }) => [id, plan, timezone, name + noteOf(move)]);
  context.print(organizations, lines.length === 0 ? 'There are no organizations yet.' : table(lines));
}

/** What is said of an organization that this cell does not serve alone. */
function noteOf(move: { readonly step: MoveStep; readonly cell: string } | null): string {
  if (move === null) return '';
  if (move.step === 'MOVED') return ` (moved to ${move.cell})`;
  return move.step === 'ARRIVING' ? ` (arriving from ${move.cell})` : ` (moving to ${move.cell})`;
}
