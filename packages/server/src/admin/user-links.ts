import { contract } from '@runward/contract';
import { Option, type Command } from 'commander';
import { administration, recordChange } from '../audit-log/record-change.ts';
import type { User } from '../organization/entities/user.ts';
import { linkCreated, newLink, saveLink, type NewLink } from '../organization/password-links/create-link.ts';
import { addMember } from './add-member.ts';
import { commandError } from './command-error.ts';
import { action, type CommandContext } from './context.ts';
import { parseWith } from './input.ts';
import type { Io } from './io.ts';
import { findMember } from './lookup.ts';
import { printable } from './text.ts';

const memberInput = contract.users.create.body.omit({ password: true });
const flags = { email: '--email', name: '--name', role: '--role' };

/** `user invite|reset-link`. Both print a link with which a member sets their password, and send no mail. */
export function addLinkCommands(noun: Command, io: Io): void {
  noun
    .command('invite')
    .description('Add a member without a password, and print the link with which they set it; needs BASE_URL')
    .requiredOption('--organization <id-or-name>', 'the organization')
    .requiredOption('--email <email>', 'email address the member signs in with')
    .requiredOption('--name <name>', "the member's name")
    .addOption(
      new Option('--role <role>', 'what the member may do')
        .choices(memberInput.shape.role.unwrap().options)
        .default('MEMBER'),
    )
    .action(action(io, invite));
  noun
    .command('reset-link')
    .description('Print a link with which a member sets a new password; needs BASE_URL')
    .requiredOption('--email <email>', "the member's email address")
    .action(action(io, resetLink));
}

interface InviteOptions extends Pick<User, 'email' | 'name' | 'role'> {
  readonly organization: string;
}

async function invite(context: CommandContext, { organization, ...options }: InviteOptions): Promise<void> {
  const { email, name, role = 'MEMBER' } = parseWith(memberInput, options, flags);
  const baseUrl = context.baseUrl();
  const { user, link } = await addMember(
    context,
    organization,
    { email, name, role, passwordHash: null },
    async (em, user) => {
      const link = newLink(user, baseUrl, new Date());
      await saveLink(em, link);
      await recordChange(administration(em, user.organizationId), linkCreated(user, link));
      return { user, link };
    },
  );
  print(context, user, link, `Added ${printable(name)} (${user.id}) as ${role}.`);
}

async function resetLink(context: CommandContext, options: Pick<User, 'email'>): Promise<void> {
  const { email } = parseWith(memberInput.pick({ email: true }), options, flags);
  const baseUrl = context.baseUrl();
  const { user, link } = await context.inTransaction(async (em) => {
    const user = await findMember(em, email);
    if (user.status !== 'ACTIVE')
      throw commandError(`${email} is deactivated and cannot sign in; reactivate them first.`);
    const link = newLink(user, baseUrl, new Date());
    await saveLink(em, link);
    await recordChange(administration(em, user.organizationId), linkCreated(user, link));
    return { user, link };
  });
  print(context, user, link, `Made a link for ${email}; the one before no longer works.`);
}

function print(context: CommandContext, user: User, { url, row }: NewLink, done: string): void {
  const { id, email } = user;
  const expiresAt = row.expiresAt.toISOString();
  context.print(
    { id, email, url, purpose: row.purpose, expiresAt },
    `${done}\nHand this link over; it works once, until ${expiresAt}, and is not shown again:\n${url}`,
  );
}
