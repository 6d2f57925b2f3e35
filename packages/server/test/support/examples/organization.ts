import { randomUUID } from 'node:crypto';
import type { BodyInput, Contract } from '@runward/contract';
import { must } from '@runward/testing/process';
import { newPasskeyCreation, newPasskeyId, newPasskeyMemberId, newPasskeySignIn } from '../world/passkeys.ts';
import {
  newApiKeyId,
  newGrantId,
  newGroupId,
  newMemberId,
  newPasswordLinkToken,
  newSessionId,
} from '../world/people.ts';
import { newFolderId, newRunIds, type Ids, type World } from '../world/world.ts';
import { boundedList, type Examples } from './example.ts';
import { values } from './run-filters.ts';

function keyFor(resourceScope: Partial<BodyInput<Contract['apiKeys']['create']>>) {
  return { name: 'ERP import', scopes: ['runs:read' as const], expiresAt: '2999-01-01T00:00:00Z', ...resourceScope };
}

/** A run whose task is assigned to the owner, who made the API key. */
async function ownTask(world: World): Promise<Partial<Ids>> {
  const made = await newRunIds(world, world.ids.template);
  const params = { taskId: made.runTask };
  await must(world.api.call('runs.tasks', 'setAssignee', { params, body: { assigneeId: world.ids.owner } }));
  return made;
}

const filtersOfOwn = ({ template }: Ids) =>
  ({ templateId: template, reason: 'ASSIGNED', due: 'NONE', status: 'PENDING' }) as const;
const datedOwn = ({ template }: Ids) => ({
  templateId: template,
  dueAfter: '2020-01-01T00:00:00Z',
  dueBefore: '2999-01-01T00:00:00Z',
});
const byValues = () => ({ values: JSON.stringify(values) });

const kinds = {
  ASSIGNED: 'DIGEST',
  APPROVAL: 'AT_ONCE',
  DUE_SOON: 'NEVER',
  OVERDUE: 'AT_ONCE',
  REJECTED: 'AT_ONCE',
  MENTIONED: 'DIGEST',
} as const;

async function memberWithLink(world: World): Promise<Partial<Ids>> {
  const member = await newMemberId(world);
  await must(world.session.call('users', 'createPasswordLink', { params: { id: member } }));
  return { member };
}

const creation = ({ owner, member }: Ids) =>
  ({
    action: 'user.created',
    actorId: owner,
    targetId: member,
    from: '2020-01-01T00:00:00Z',
    to: '2999-01-01T00:00:00Z',
  }) as const;

/** A grant of its own. */
async function newGrant(world: World): Promise<Partial<Ids>> {
  const { template } = world.ids;
  const group = await newGroupId(world, world.ids.member);
  return { grant: await newGrantId(world, { group, template }) };
}

/** Calls of members, groups, folders, settings, keys and sessions. */
export const organizationExamples = {
  users: {
    list: [{ query: () => ({ status: 'ACTIVE' }) }, { query: () => ({ email: 'Ada@example.com', status: 'ALL' }) }],
    create: [
      {
        body: () => ({
          email: `ada.lovelace_${randomUUID()}@example.com`,
          name: 'Ada Lovelace',
          role: 'ADMIN',
          password: randomUUID(),
        }),
      },
      {
        body: () => ({
          email: `auditor_${randomUUID()}@example.com`,
          name: 'Auditor',
          role: 'VIEWER',
          resourceMode: 'ALL',
        }),
      },
    ],
    update: [
      { body: () => ({ name: 'Grace Murray Hopper', role: 'MEMBER', status: 'ACTIVE', password: randomUUID() }) },
      { body: () => ({ role: 'MEMBER', resourceMode: 'ALL' }) },
    ],
    delete: [{ before: async (world) => ({ member: await newMemberId(world) }) }],
    createPasswordLink: [{ before: async (world) => ({ member: await newMemberId(world) }) }],
    revokePasswordLink: [{ before: memberWithLink }],
    deletePasskeys: [{ before: async (world) => ({ member: await newPasskeyMemberId(world) }) }],
    handOver: [{ body: ({ owner }) => ({ assigneeId: owner }) }, { body: ({ group }) => ({ assigneeGroupId: group }) }],
  },
  'me.tasks': {
    list: [{ before: ownTask, query: filtersOfOwn }, { query: datedOwn }, { query: byValues }, boundedList],
    counts: [
      { before: ownTask, query: ({ template }) => ({ templateId: template }) },
      { query: filtersOfOwn },
      { query: datedOwn },
      { query: byValues },
    ],
  },
  'me.notifications': {
    update: [{ body: () => ({ kinds, digestHour: 9 }) }],
  },
  auditLog: { list: [{ query: creation }, boundedList], export: [{ query: creation }] },
  mails: { list: [{ query: ({ owner }) => ({ status: 'BOUNCED', userId: owner }) }] },
  groups: {
    create: [{ body: ({ member }) => ({ name: 'Compliance', memberIds: [member] }) }],
    update: [{ body: ({ member }) => ({ name: 'Purchasing EMEA', memberIds: [member] }) }],
    delete: [{ before: async (world) => ({ group: await newGroupId(world, world.ids.member) }) }],
  },
  grants: {
    list: [
      { query: ({ group, template }) => ({ groupId: group, templateId: template }) },
      { query: ({ member, folder }) => ({ userId: member, folderId: folder }) },
    ],
    create: [
      { body: ({ member, folder }) => ({ userId: member, folderId: folder }) },
      { body: ({ group, template }) => ({ groupId: group, templateId: template }) },
    ],
    delete: [{ before: newGrant }],
  },
  folders: {
    create: [{ body: () => ({ name: 'Human resources' }) }],
    update: [{ body: () => ({ name: 'Procurement EMEA' }) }],
    delete: [{ before: async (world) => ({ folder: await newFolderId(world) }) }],
  },
  organization: {
    update: [{ body: () => ({ name: 'Northwind Traders', timezone: 'Europe/Berlin', remindBefore: 'P2D' }) }],
    rotateSigningSecret: [{ body: () => ({ overlapHours: 0 }) }],
  },
  apiKeys: {
    create: [
      { body: ({ template }) => keyFor({ resourceMode: 'SELECTED_TEMPLATES', scopedTemplateIds: [template] }) },
      { body: ({ folder }) => keyFor({ resourceMode: 'SELECTED_FOLDERS', scopedFolderIds: [folder] }) },
    ],
    revoke: [{ before: async (world) => ({ apiKey: await newApiKeyId(world) }) }],
  },
  auth: {
    login: [{ body: (_, { org }) => ({ email: org.ownerEmail, password: org.ownerPassword }) }],
    redeemPasswordLink: [
      {
        before: async (world) => ({ passwordLinkToken: await newPasswordLinkToken(world) }),
        body: ({ passwordLinkToken }) => ({ token: passwordLinkToken, password: randomUUID() }),
      },
    ],
    addPasskey: [
      {
        before: async (world) => ({ passkeyCreation: await newPasskeyCreation(world, world.ids.passkey) }),
        body: ({ passkeyCreation }) => JSON.parse(passkeyCreation) as BodyInput<Contract['auth']['addPasskey']>,
      },
    ],
    renamePasskey: [
      {
        before: async (world) => ({ passkey: await newPasskeyId(world, world.ids.passkey) }),
        body: () => ({ name: `Phone-${randomUUID()}` }),
      },
    ],
    deletePasskey: [{ before: async (world) => ({ passkey: await newPasskeyId(world, world.ids.passkey) }) }],
    signInWithPasskey: [
      {
        before: async (world) => ({ passkeySignIn: await newPasskeySignIn(world, world.ids.passkey) }),
        body: ({ passkeySignIn }) => JSON.parse(passkeySignIn) as BodyInput<Contract['auth']['signInWithPasskey']>,
      },
    ],
    endSession: [{ before: async (world) => ({ session: await newSessionId(world) }) }],
    changePassword: [
      { body: (_, { org }) => ({ currentPassword: org.ownerPassword, newPassword: org.ownerPassword }) },
    ],
  },
} as const satisfies Examples;
