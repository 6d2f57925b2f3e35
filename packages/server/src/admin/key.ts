import { contract, formats, scopes, type ResourceMode } from '@runward/contract';
import { Option, type Command } from 'commander';
import { memberActor } from '../access/actor.ts';
import { ensureCapability } from '../access/plan.ts';
import { ensureRestriction } from '../access/resource-scope/restriction.ts';
import { administration, recordChange } from '../audit-log/record-change.ts';
import type { Em } from '../database/database.ts';
import { apiKeyProperties, apiKeyTarget } from '../organization/audited.ts';
import { createApiKey } from '../organization/create-organization.ts';
import { ApiKey } from '../organization/entities/api-key.ts';
import { User } from '../organization/entities/user.ts';
import { ensureBelowKeyLimit } from '../organization/key-limit.ts';
import { presentApiKey } from '../organization/present-api-key.ts';
import { commandError, usageError } from './command-error.ts';
import { action, type CommandContext } from './context.ts';
import { asCommandError, parseList, parseWith } from './input.ts';
import type { Io } from './io.ts';
import { ensureServed, findMember, findOrganization } from './lookup.ts';
import { printable, table } from './text.ts';

const keyInput = contract.apiKeys.create.body;
const memberInput = contract.users.create.body.pick({ email: true });
const flags = {
  name: '--name',
  scopes: '--scopes',
  scopedTemplateIds: '--templates',
  scopedFolderIds: '--folders',
  expiresAt: '--expires',
};

/** `key create|list|revoke`. */
export function addKeyCommands(program: Command, io: Io): void {
  const noun = program.command('key').description('Create, list and revoke API keys');
  noun
    .command('create')
    .description('Create an API key for an organization; it works immediately')
    .requiredOption('--organization <id-or-name>', 'the organization')
    .requiredOption('--scopes <scopes>', `"all", or some of ${scopes.join(',')}`, parseList)
    .option('--name <name>', 'what the key is for', 'Administration')
    .option('--user <email>', 'the member the key acts as (default: the first owner)')
    .option('--expires <timestamp>', 'when it expires, like 2030-01-31T00:00:00Z (default: never)')
    .addOption(new Option('--templates <ids>', 'only these templates').argParser(parseList).conflicts('folders'))
    .addOption(new Option('--folders <ids>', 'only the templates in these folders').argParser(parseList))
    .action(action(io, create));
  noun
    .command('list')
    .description('List the API keys of an organization that can be used, newest first')
    .requiredOption('--organization <id-or-name>', 'the organization')
    .option('--all', 'also those that are revoked or expired')
    .action(action(io, list));
  noun
    .command('revoke')
    .description('Revoke an API key; its next request is rejected')
    .argument('<id>', 'the id of the key, not the key itself')
    .action(action(io, revoke));
}

interface CreateOptions {
  readonly organization: string;
  readonly scopes: readonly string[];
  readonly name: string;
  readonly user?: string;
  readonly expires?: string;
  readonly templates?: string[];
  readonly folders?: string[];
}

async function create(
  context: CommandContext,
  { organization: idOrName, user, ...options }: CreateOptions,
): Promise<void> {
  const { name, ...key } = keyOf(options);
  const email = user === undefined ? null : parseWith(memberInput, { email: user }, { email: '--user' }).email;
  const { plainKey, ...ids } = await context.inTransaction(async (em) => {
    const { id: organizationId, plan, timeZone } = await findOrganization(em, idOrName);
    const { id: userId, role } = await holderOf(em, organizationId, email);
    const actor = memberActor({ organizationId, plan, timeZone, userId, sessionId: null, role });
    try {
      ensureCapability(actor, 'apiKeys');
      await ensureRestriction({ em, actor }, key);
      await ensureBelowKeyLimit(em, organizationId, new Date());
    } catch (error) {
      throw asCommandError(error, flags);
    }
    const { id, plainKey, row } = await createApiKey(em, { organizationId, createdByUserId: userId, name, ...key });
    const [target, after] = [apiKeyTarget(row), apiKeyProperties(row)];
    await recordChange(administration(em, organizationId), { action: 'api_key.created', target, after });
    return { id, organizationId, createdByUserId: userId, plainKey };
  });
  context.print(
    { ...ids, name, ...key, expiresAt: key.expiresAt?.toISOString() ?? null, plainKey },
    `Created the key "${printable(name)}" (${ids.id}).\nSave it; it is not shown again: ${plainKey}`,
  );
}

function keyOf({ name, scopes: requested, expires, templates, folders }: Omit<CreateOptions, 'organization' | 'user'>) {
  const all = requested.length === 1 && requested[0] === 'all';
  const input = parseWith(
    keyInput,
    {
      name,
      // The schema rejects unknown scopes.
      scopes: (all ? [...scopes] : requested) as (typeof scopes)[number][],
      ...(templates && { scopedTemplateIds: templates }),
      ...(folders && { scopedFolderIds: folders }),
      ...(expires !== undefined && { expiresAt: expires }),
    },
    flags,
  );
  const expiresAt = input.expiresAt == null ? null : new Date(input.expiresAt);
  if (expiresAt && expiresAt <= new Date()) throw usageError('--expires: must be in the future');
  const resourceMode: ResourceMode = templates ? 'SELECTED_TEMPLATES' : folders ? 'SELECTED_FOLDERS' : 'ALL';
  const { scopedTemplateIds = [], scopedFolderIds = [] } = input;
  return { name: input.name, scopes: input.scopes, resourceMode, scopedTemplateIds, scopedFolderIds, expiresAt };
}

/** The member that the key acts as. */
async function holderOf(em: Em, organizationId: string, email: string | null): Promise<User> {
  if (email === null) {
    const [owner] = await em.find(
      User,
      { organizationId, role: 'OWNER', status: 'ACTIVE' },
      { orderBy: { createdAt: 'asc', id: 'asc' }, limit: 1 },
    );
    if (!owner)
      throw commandError('The organization has no active owner; name the member the key acts as with --user.');
    return owner;
  }
  const user = await findMember(em, email);
  if (user.organizationId !== organizationId) throw commandError(`${email} is not a member of this organization.`);
  if (user.status !== 'ACTIVE')
    throw commandError(`${email} is deactivated, so the key would not work; name an active member.`);
  return user;
}

async function list(
  context: CommandContext,
  { organization, all = false }: { organization: string; all?: boolean },
): Promise<void> {
  const keys = await context.inTransaction(async (em) => {
    const { id: organizationId } = await findOrganization(em, organization);
    const rows = await em.find(ApiKey, { organizationId }, { orderBy: { id: 'desc' } });
    const deactivated = await em.find(User, { organizationId, status: 'DEACTIVATED' }, { fields: ['id'] });
    const inactive = new Set(deactivated.map(({ id }) => id));
    const now = new Date();
    return rows.map((row) => presentApiKey(row, now, !inactive.has(row.createdByUserId)));
  });
  const listed = all ? keys : keys.filter(({ status }) => status === 'ACTIVE');
  const lines = listed.map(({ id, keyPrefix, status, expiresAt, name }) => [
    id,
    keyPrefix,
    status,
    expiresAt ?? 'never expires',
    name,
  ]);
  context.print(listed, lines.length === 0 ? 'There are no such API keys.' : table(lines));
}

async function revoke(context: CommandContext, id: string): Promise<void> {
  const key = await context.inTransaction(async (em) => {
    const key = formats.isId(id) ? await em.findOne(ApiKey, { id }) : null;
    // The argument may be the key itself, so the message must not repeat it.
    if (!key) throw commandError('There is no API key with this id; see "runward-admin key list".');
    if (key.revokedAt) return key;
    await ensureServed(em, key.organizationId);
    key.revokedAt = new Date();
    await em.flush();
    const context = administration(em, key.organizationId);
    await recordChange(context, { action: 'api_key.revoked', target: apiKeyTarget(key) });
    return key;
  });
  const { organizationId, name, revokedAt } = key;
  context.print(
    { id, organizationId, name, revokedAt: revokedAt?.toISOString() },
    `Revoked "${printable(name)}" (${id}).`,
  );
}
