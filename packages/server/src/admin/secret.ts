import { contract } from '@runward/contract';
import type { Command } from 'commander';
import { administration, recordChange } from '../audit-log/record-change.ts';
import { lockRow } from '../database/lock-row.ts';
import { organizationTarget } from '../organization/audited.ts';
import { Organization } from '../organization/entities/organization.ts';
import { defaultOverlapHours, presentSigningSecret, replaceSigningSecret } from '../organization/signing-secret.ts';
import { commandError } from './command-error.ts';
import { action, type CommandContext } from './context.ts';
import { parseWith } from './input.ts';
import type { Io } from './io.ts';
import { findOrganization } from './lookup.ts';
import { pairs } from './text.ts';

const rotation = contract.organization.rotateSigningSecret.body.unwrap();
const ofOrganization = ['--organization <id-or-name>', 'the organization'] as const;

interface SecretOptions {
  readonly organization: string;
}

/** `secret show|rotate`. */
export function addSecretCommands(program: Command, io: Io): void {
  const noun = program.command('secret').description('Show and rotate the secret that signs webhooks');
  noun
    .command('show')
    .description('Print the signing secret of an organization, and the previous one while it is valid')
    .requiredOption(...ofOrganization)
    .action(action(io, show));
  noun
    .command('rotate')
    .description('Create a new signing secret and sign deliveries with it from now on')
    .requiredOption(...ofOrganization)
    .option('--overlap-hours <hours>', 'how long the previous secret stays valid, 0 to 168', `${defaultOverlapHours}`)
    .action(action(io, rotate));
}

async function show(context: CommandContext, { organization }: SecretOptions): Promise<void> {
  const own = await context.inTransaction((em) => findOrganization(em, organization));
  print(context, own, new Date());
}

async function rotate(
  context: CommandContext,
  { organization, ...options }: SecretOptions & { overlapHours: string },
): Promise<void> {
  const input = { overlapHours: options.overlapHours.trim() === '' ? NaN : Number(options.overlapHours) };
  const { overlapHours = defaultOverlapHours } = parseWith(rotation, input, { overlapHours: '--overlap-hours' });
  const now = new Date();
  const rotated = await context.inTransaction(async (em) => {
    const { id } = await findOrganization(em, organization);
    await lockRow(em, Organization, { id }, 'no key update');
    const own = await em.findOneOrFail(Organization, { id }, { refresh: true });
    const { previousExpiresAt } = presentSigningSecret(own, now);
    if (previousExpiresAt !== null && overlapHours > 0) {
      throw commandError(
        `The previous secret is valid until ${previousExpiresAt}; wait until then, or invalidate all earlier secrets now with --overlap-hours 0.`,
      );
    }
    replaceSigningSecret(own, overlapHours, now);
    await em.flush();
    const target = organizationTarget(own);
    await recordChange(administration(em, id), { action: 'signing_secret.rotated', target, after: { overlapHours } });
    return own;
  });
  print(context, rotated, now);
}

function print(context: CommandContext, own: Organization, now: Date): void {
  const { secret, previousSecret, previousExpiresAt } = presentSigningSecret(own, now);
  context.print(
    { organizationId: own.id, secret, previousSecret, previousExpiresAt },
    pairs({
      'Signing secret': secret,
      ...(previousSecret !== null && { 'Previous secret': previousSecret, 'Valid until': previousExpiresAt ?? '' }),
    }),
  );
}
