import { randomUUID } from 'node:crypto';
import type { BodyInput, Contract } from '@runward/contract';
import { newApiKeyId, newFolderId, newGroupId, newMemberId } from '../world.ts';
import type { Examples } from './example.ts';

function keyFor(resourceScope: Partial<BodyInput<Contract['apiKeys']['create']>>) {
  return { name: 'New', scopes: ['runs:read' as const], expiresAt: '2999-01-01T00:00:00Z', ...resourceScope };
}

/** Calls of members, groups, folders, settings, keys and sessions. */
export const organizationExamples = {
  users: {
    list: [{ query: () => ({ email: 'Ada@example.com', status: 'ALL' }) }, { query: () => ({ status: 'ACTIVE' }) }],
    create: [
      {
        body: () => ({ email: `${randomUUID()}@example.com`, name: 'New', role: 'ADMIN', password: randomUUID() }),
      },
    ],
    update: [{ body: () => ({ name: 'Renamed', role: 'MEMBER', status: 'ACTIVE', password: randomUUID() }) }],
    remove: [{ before: async (world) => ({ member: await newMemberId(world) }) }],
    handOver: [{ body: ({ owner }) => ({ assigneeId: owner }) }, { body: ({ group }) => ({ assigneeGroupId: group }) }],
  },
  groups: {
    create: [{ body: ({ member }) => ({ name: 'New', memberIds: [member] }) }],
    update: [{ body: ({ member }) => ({ name: 'Renamed', memberIds: [member] }) }],
    remove: [{ before: async (world) => ({ group: await newGroupId(world, world.ids.member) }) }],
  },
  folders: {
    create: [{ body: () => ({ name: 'New' }) }],
    update: [{ body: () => ({ name: 'Renamed' }) }],
    remove: [{ before: async (world) => ({ folder: await newFolderId(world) }) }],
  },
  organization: {
    update: [{ body: () => ({ name: 'Renamed', timezone: 'UTC' }) }],
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
