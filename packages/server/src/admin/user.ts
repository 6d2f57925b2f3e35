import { randomBytes } from 'node:crypto';
import { contract } from '@runward/contract';
import { Option, type Command } from 'commander';
import { hashPassword } from '../organization/password.ts';
import { Session } from '../organization/entities/session.ts';
import { User } from '../organization/entities/user.ts';
import { newId } from '../ids.ts';
import { action, type CommandContext, type Environment } from './context.ts';
import { check, readPassword } from './input.ts';
import { findMember, findOrganization, takenEmail } from './lookup.ts';
import { printable } from './text.ts';

const member = contract.users.create.body;
const roles = member.shape.role.unwrap().options;
const flags = { email: '--email', name: '--name', role: '--role', password: '--password-stdin' };
const fromStdin = ['--password-stdin', 'read the password from standard input instead of generating one'] as const;

/** `user create|password`. */
export function addUserCommands(program: Command, env: Environment): void {
  const noun = program.command('user').description('Add members and set passwords');
  noun
    .command('create')
    .description('Add a member to an organization')
    .requiredOption('--organization <id-or-name>', 'the organization')
    .requiredOption('--email <email>', 'email address the member signs in with')
    .requiredOption('--name <name>', "the member's name")
    .addOption(new Option('--role <role>', 'what the member may do').choices(roles).default('MEMBER'))
    .option(...fromStdin)
    .action(action(env, create));
  noun
    .command('password')
    .description('Set the password of a member; ends all their sessions')
    .requiredOption('--email <email>', "the member's email address")
    .option(...fromStdin)
    .action(action(env, setPassword));
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
  { organization, passwordStdin = false, ...given }: CreateOptions,
): Promise<void> {
  const password = await newPassword(passwordStdin);
  const { email, name, role = 'MEMBER', ...input } = check(member, { ...given, password }, flags);
  const passwordHash = await hashPassword(input.password);
  const user = await context
    .work(async (em) => {
      const { id: organizationId } = await findOrganization(em, organization);
      const known = { id: newId(), organizationId, email, name, role };
      em.create(User, { ...known, status: 'ACTIVE', passwordHash, createdAt: new Date() });
      await em.flush();
      return known;
    })
    .catch((error: unknown) => {
      throw takenEmail(error, email);
    });
  context.print(
    { ...user, ...(!passwordStdin && { password }) },
    `Added ${printable(name)} (${user.id}) as ${role}.${tell(passwordStdin, password)}`,
  );
}

interface PasswordOptions {
  readonly email: string;
  readonly passwordStdin?: boolean;
}

async function setPassword(
  context: CommandContext,
  { passwordStdin = false, ...given }: PasswordOptions,
): Promise<void> {
  const password = await newPassword(passwordStdin);
  const input = check(member.pick({ email: true, password: true }), { ...given, password }, flags);
  const passwordHash = await hashPassword(input.password);
  const { user, endedSessions } = await context.work(async (em) => {
    const user = await findMember(em, input.email);
    user.passwordHash = passwordHash;
    await em.flush();
    return { user, endedSessions: await em.nativeDelete(Session, { userId: user.id }) };
  });
  const { id, email, status } = user;
  const warning = status === 'ACTIVE' ? '' : ' The member is deactivated and cannot sign in until reactivated.';
  context.print(
    { id, email, status, endedSessions, ...(!passwordStdin && { password }) },
    `Set the password of ${email}; sessions ended: ${endedSessions}.${warning}${tell(passwordStdin, password)}`,
  );
}

async function newPassword(passwordStdin: boolean): Promise<string> {
  return passwordStdin ? readPassword() : randomBytes(18).toString('base64url');
}

function tell(passwordStdin: boolean, password: string): string {
  return passwordStdin ? '' : `\nSave the password; it is not shown again: ${password}`;
}
