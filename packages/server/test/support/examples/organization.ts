import { randomUUID } from 'node:crypto';
import type { BodyInput, Contract } from '@runward/contract';
import { newApiKeyId, newFolderId, newGroupId, newMemberId } from '../world/world.ts';
import type { Examples } from './example.ts';

function keyFor(resourceScope: Partial<BodyInput<Contract['apiKeys']['create']>>) {
  return { name: 'ERP import', scopes: ['runs:read' as const], expiresAt: '2999-01-01T00:00:00Z', ...resourceScope };
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
    ],
    update: [
      { body: () => ({ name: 'Grace Murray Hopper', role: 'MEMBER', status: 'ACTIVE', password: randomUUID() }) },
    ],
    remove: [{ before: async (world) => ({ member: await newMemberId(world) }) }],
    handOver: [{ body: ({ owner }) => ({ assigneeId: owner }) }, { body: ({ group }) => ({ assigneeGroupId: group }) }],
  },
  groups: {
    create: [{ body: ({ member }) => ({ name: 'Compliance', memberIds: [member] }) }],
    update: [{ body: ({ member }) => ({ name: 'Purchasing EMEA', memberIds: [member] }) }],
    remove: [{ before: async (world) => ({ group: await newGroupId(world, world.ids.member) }) }],
  },
  folders: {
    create: [{ body: () => ({ name: 'Human resources' }) }],
    update: [{ body: () => ({ name: 'Procurement EMEA' }) }],
    remove: [{ before: async (world) => ({ folder: await newFolderId(world) }) }],
  },
  organization: {
    update: [{ body: () => ({ name: 'Northwind Traders', timezone: 'Europe/Berlin' }) }],
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
    changePassword: [
      { body: (_, { org }) => ({ currentPassword: org.ownerPassword, newPassword: org.ownerPassword }) },
    ],
  },
} as const satisfies Examples;
