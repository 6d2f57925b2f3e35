import { randomUUID } from 'node:crypto';
import { must } from '@runward/testing/process';
import { newPasskeyMemberId } from '../world/passkeys.ts';
import { newGrantId, newGroupId, newMemberId } from '../world/people.ts';
import { administrators, noFields, type Sample } from './sample.ts';

const newMember: Sample['before'] = async (world) => ({ member: await newMemberId(world) });

/** The pages of members and groups, by name. */
export const memberSamples: Readonly<Record<string, Sample>> = {
  consoleMembers: administrators,
  consoleNewMember: administrators,
  consoleAddMember: {
    ...administrators,
    fields: () => ({ name: 'Ada', email: `${randomUUID()}@example.com`, role: 'MEMBER', password: randomUUID() }),
  },
  consoleMember: administrators,
  consoleChangeMember: { ...administrators, fields: () => ({ name: 'Renamed', role: 'ADMIN' }) },
  consoleSetPassword: { ...administrators, fields: () => ({ password: randomUUID() }) },
  consoleChangeAccess: { ...administrators, fields: () => ({ resourceMode: 'GRANTED' }), before: newMember },
  consoleCreatePasswordLink: { ...administrators, fields: noFields },
  consoleRevokePasswordLink: { ...administrators, fields: noFields },
  consoleRemovePasskeys: {
    ...administrators,
    fields: noFields,
    before: async (world) => ({ member: await newPasskeyMemberId(world) }),
  },
  consoleDeactivation: administrators,
  consoleDeactivateMember: {
    ...administrators,
    fields: ({ group }) => ({ to: `group:${group}` }),
    before: async (world) => ({ member: await newMemberId(world) }),
  },
  consoleReactivateMember: {
    ...administrators,
    fields: noFields,
    before: async (world) => {
      const id = await newMemberId(world);
      await must(world.session.call('users', 'delete', { params: { id } }));
      return { member: id };
    },
  },
  consoleGroups: administrators,
  consoleCreateGroup: { ...administrators, fields: () => ({ name: 'Created' }) },
  consoleGroup: administrators,
  consoleRenameGroup: { ...administrators, fields: () => ({ name: 'Renamed' }) },
  consoleChangeGroupMembers: { ...administrators, fields: ({ owner }) => ({ add: owner }) },
  consoleGrant: {
    ...administrators,
    fields: ({ member, folder }) => ({ userId: member, granted: `folderId:${folder}` }),
  },
  consoleRevokeGrant: {
    ...administrators,
    fields: ({ group }) => ({ groupId: group }),
    before: async (world) => {
      const group = await newGroupId(world, world.ids.member);
      return { group, grant: await newGrantId(world, { group, template: world.ids.template }) };
    },
  },
  consoleGroupDeletion: administrators,
  consoleDeleteGroup: {
    ...administrators,
    fields: noFields,
    before: async (world) => ({ group: await newGroupId(world, world.ids.member) }),
  },
};
