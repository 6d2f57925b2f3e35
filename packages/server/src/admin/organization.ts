import { contract, plans } from '@runward/contract';
import { Option, type Command } from 'commander';
import { isTimeZone } from '../config.ts';
import { Organization, type Plan } from '../db/entities/organization.ts';
import { createOrganization } from '../setup/create-organization.ts';
import { action, type Desk, type Environment } from './desk.ts';
import { check } from './input.ts';
import { takenEmail } from './lookup.ts';
import { usage } from './refusal.ts';
import { pairs, printable, table } from './text.ts';

const settings = contract.organization.update.body.pick({ name: true, timezone: true }).required();
const owner = contract.users.create.body.pick({ email: true });

/** `organization create|list`. */
export function addOrganizationCommands(program: Command, env: Environment): void {
  const noun = program.command('organization').description('Create and list organizations');
  noun
    .command('create')
    .description('Create an organization with an owner and an API key that may do everything')
    .requiredOption('--name <name>', 'its name')
    .requiredOption('--owner-email <email>', 'address its owner signs in with')
    .addOption(new Option('--plan <plan>', 'its plan').choices(plans).default('ENTERPRISE'))
    .option('--timezone <zone>', 'IANA time zone of its deadlines, like Europe/Berlin (default: TZ, or UTC)')
    .action(action(env, create));
  noun.command('list').description('List all organizations, oldest first').action(action(env, list));
}

interface CreateOptions {
  readonly name: string;
  readonly ownerEmail: string;
  readonly plan: Plan;
  readonly timezone?: string;
}

async function create(desk: Desk, { plan, ...given }: CreateOptions): Promise<void> {
  const { timezone = desk.timeZone } = given;
  const { name } = check(settings, { name: given.name, timezone }, { name: '--name', timezone: '--timezone' });
  const { email } = check(owner, { email: given.ownerEmail }, { email: '--owner-email' });
  if (!isTimeZone(timezone)) throw usage('--timezone: must be an IANA time zone, like Europe/Berlin');

  const made = await desk
    .work((em) => createOrganization(em, { name, plan, timeZone: timezone, ownerEmail: email }))
    .catch((error: unknown) => {
      throw takenEmail(error, email);
    });
  const { organizationId, ownerUserId, ownerEmail, ownerPassword, apiKeyId, apiKey, signingSecret } = made;
  desk.print(
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
      'Keep this; it is not shown again:\n\n' +
      pairs({
        Owner: ownerEmail,
        Password: ownerPassword,
        'API key': apiKey,
        'Signing secret': signingSecret,
      }),
  );
}

async function list(desk: Desk): Promise<void> {
  const rows = await desk.work((em) => em.find(Organization, {}, { orderBy: { id: 'asc' } }));
  const organizations = rows.map(({ id, name, plan, timeZone, createdAt }) => {
    return { id, name, plan, timezone: timeZone, createdAt: createdAt.toISOString() };
  });
  const lines = organizations.map(({ id, name, plan, timezone }) => [id, plan, timezone, name]);
  desk.print(organizations, lines.length === 0 ? 'There are no organizations yet.' : table(lines));
}
