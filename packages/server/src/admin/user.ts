import { randomBytes } from 'node:crypto';
import { contract } from '@runward/contract';
import { Option, type Command } from 'commander';
import { administration, recordChange } from '../audit-log/record-change.ts';
import { userTarget } from '../organization/audited.ts';
import { User } from '../organization/entities/user.ts';
import { endAccess } from '../organization/members/end-access.ts';
import { presentUser } from '../organization/present-user.ts';
import { addMember } from './add-member.ts';
import { action, type CommandContext } from './context.ts';
import { parseWith } from './input.ts';
import type { Io } from './io.ts';
import { findMember, findOrganization } from './lookup.ts';
import { printable, table } from './text.ts';
import { addLinkCommands } from './user-links.ts';

const memberInput = contract.users.create.body;
/** What a member needs who is given a password. */
const withPassword = memberInput.extend({ password: memberInput.shape.password.unwrap() });
const roles = memberInput.shape.role.unwrap().options;
const flags = { email: '--email', name: '--name', role: '--role', password: '--password-stdin' };
const fromStdin = ['--password-stdin', 'read the password from standard input instead of generating one'] as const;

/** `user create|list|password`; see `addLinkCommands` for the verbs with links. */
export function addUserCommands(program: Command, io: Io): void {
  const noun = program.command('user').description('Add, invite and list members, and set passwords');
  noun
    .command('create')
    .description('Add a member to an organization')
    .requiredOption('--organization <id-or-name>', 'the organization')
    .requiredOption('--email <email>', 'email address the member signs in with')
    .requiredOption('--name <name>', "the member's name")
    .addOption(new Option('--role <role>', 'what the member may do').choices(roles).default('MEMBER'))
    .option(...fromStdin)
    .action(action(io, create));
  noun
    .command('list')
    .description('List the members of an organization, oldest first')
    .requiredOption('--organization <id-or-name>', 'the organization')
    .action(action(io, list));
  noun
    .command('password')
    .description('Set the password of a member; ends all their sessions')
    .requiredOption('--email <email>', "the member's email address")
    .option(...fromStdin)
    .action(action(io, setPassword));
  addLinkCommands(noun, io);
}

interface CreateOptions {
  readonly organization: string;
  readonly email: string;
  readonly name: string;
  readonly role: User['role'];
  readonly passwordStdin?: boolean;
}

async function create(
  context: CommandContext,
  { organization, passwordStdin = false, ...options }: CreateOptions,
): Promise<void> {
  const password = await newPassword(context, passwordStdin);
  const { email, name, role = 'MEMBER', ...input } = parseWith(withPassword, { ...options, password }, flags);
  const passwordHash = await context.passwords.hash(input.password);
  const member = { email, name, role, passwordHash };
  const user = await addMember(context, organization, member, async (_, { id, organizationId }) => {
    return { id, organizationId, email, name, role };
  });
  context.print(
    { ...user, ...(!passwordStdin && { password }) },
    `Added ${printable(name)} (${user.id}) as ${role}.${passwordNote(passwordStdin, password)}`,
  );
}

async function list(context: CommandContext, { organization }: { organization: string }): Promise<void> {
  const members = await context.inTransaction(async (em) => {
    const { id: organizationId } = await findOrganization(em, organization);
    return (await em.find(User, { organizationId }, { orderBy: { id: 'asc' } })).map(presentUser);
  });
  const lines = members.map(({ id, email, role, status, name }) => [id, email, role, status, name]);
  context.print(members, table(lines));
}

interface PasswordOptions {
  readonly email: string;
  readonly passwordStdin?: boolean;
}

async function setPassword(
  context: CommandContext,
  { passwordStdin = false, ...options }: PasswordOptions,
): Promise<void> {
  const password = await newPassword(context, passwordStdin);
  const input = parseWith(withPassword.pick({ email: true, password: true }), { ...options, password }, flags);
  const passwordHash = await context.passwords.hash(input.password);
  const { user, endedSessions } = await context.inTransaction(async (em) => {
    const user = await findMember(em, input.email);
    user.passwordHash = passwordHash;
    await em.flush();
    const { organizationId, id: userId } = user;
    const endedSessions = await endAccess(em, { organizationId, userId });
    const own = administration(em, organizationId);
    await recordChange(own, { action: 'user.password_set', target: userTarget(user) });
    return { user, endedSessions };
  });
  const { id, email, status } = user;
  const warning = status === 'ACTIVE' ? '' : ' The member is deactivated and cannot sign in until reactivated.';
  context.print(
    { id, email, status, endedSessions, ...(!passwordStdin && { password }) },
    `Set the password of ${email}; sessions ended: ${endedSessions}.${warning}${passwordNote(passwordStdin, password)}`,
  );
}

async function newPassword(context: CommandContext, passwordStdin: boolean): Promise<string> {
  return passwordStdin ? context.readPassword() : randomBytes(18).toString('base64url');
}

function passwordNote(passwordStdin: boolean, password: string): string {
  return passwordStdin ? '' : `\nSave the password; it is not shown again: ${password}`;
}
