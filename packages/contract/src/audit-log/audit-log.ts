import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { plans } from '../organization/organization.ts';
import { boundedPage, boundedPaging } from '../page.ts';
import { stream } from '../transfer.ts';
import { id, timestamp } from '../values.ts';
import { auditActionNames, auditActorTypes, auditTargetTypes } from './actions.ts';

/** Days for which lines of the audit log are kept, by the plan that the organization has when they are deleted. */
export const auditRetentionDays: Readonly<Record<(typeof plans)[number], number>> = {
  FREE: 30,
  PRO: 90,
  BUSINESS: 365,
  ENTERPRISE: 2_555,
};

const action = z.enum(auditActionNames).meta({
  id: 'AuditAction',
  description: 'What was done. Later versions of the service add actions.',
});

const actor = component('AuditActor', 'Who did it.', {
  type: z.enum(auditActorTypes).meta({
    id: 'AuditActorType',
    description:
      'ADMINISTRATION: the administration command, or the service when it was first started. ANONYMOUS: somebody who did not sign in. ' +
      'SYSTEM: the service itself, such as when it disables a webhook whose deliveries fail.',
  }),
  userId: id.nullable().describe('The member, or the creator of the API key; null for the others.'),
  apiKeyId: id.nullable().describe('The API key; null unless the type is API_KEY.'),
});

const target = component('AuditTarget', 'The record that an action concerns.', {
  type: z.enum(auditTargetTypes).meta({ id: 'AuditTargetType', description: 'The kind of a record.' }),
  id: id.describe('Id of the record.'),
  label: z.string().nullable().describe('What it was called at that time; null if it has no name.'),
});

const properties = z.record(z.string(), z.unknown());

const auditLine = component('AuditLine', 'A line of the audit log.', {
  sequence: z.int().min(1).describe('Position in the audit log of the organization, counted from 1.'),
  at: z.iso.datetime().describe('When it was done.'),
  action,
  actor,
  address: z.string().nullable().describe('The address of the client; null if it had none.'),
  target,
  before: properties
    .nullable()
    .describe('The properties that were changed or deleted, as they were; null if there are none. Without secrets.'),
  after: properties
    .nullable()
    .describe('The properties that were changed or created, as they are, and details; null if there are none.'),
  previousHash: z.string().describe('The `hash` of the line before; 64 zeros for the first line.'),
  hash: z
    .string()
    .describe(
      'SHA-256, as lowercase hexadecimal, of `previousHash`, a line feed, and this line without both hashes as canonical JSON.',
    ),
});

const filters = {
  action: action.optional().describe('Only lines with this action. Default: all.'),
  actorId: id.optional().describe('Only what this member or API key did. Default: all.'),
  targetId: id.optional().describe('Only what concerns this record. Default: all.'),
  from: timestamp.optional().describe('Only lines from this time on. Default: all.'),
  to: timestamp.optional().describe('Only lines before this time. Default: all.'),
};

/** What was done to administer the organization, and by whom. */
export const auditLog = {
  list: {
    method: 'GET',
    path: '/audit-log',
    access: 'administrator',
    reads: 'replica',
    summary: 'List what was done to administer the organization, newest first',
    description:
      'Sessions and failed sign-ins, members, groups, folders, API keys, webhooks, the signing secret, settings, shares, portals and ' +
      `exports. Lines are kept for ${plans.map((plan) => `${auditRetentionDays[plan].toLocaleString('en')} days (${plan})`).join(', ')}.`,
    query: z.strictObject({ ...filters, ...boundedPaging }),
    response: boundedPage(auditLine),
  },
  export: {
    method: 'GET',
    path: '/audit-log/export',
    access: 'administrator',
    reads: 'replica',
    summary: 'Export the audit log as CSV',
    description:
      'Streams all lines that match the filters, oldest first, as RFC 4180 in UTF-8 with a header line. Columns: `sequence`, `at`, ' +
      '`action`, `actorType`, `actorUserId`, `actorApiKeyId`, `address`, `targetType`, `targetId`, `targetLabel`, `before`, `after` ' +
      '(both as JSON), `previousHash`, `hash`, `line`. `line` is the text that was hashed. Text that a spreadsheet would interpret as a ' +
      'formula gets a leading apostrophe. The export is itself a line of the audit log.',
    query: z.strictObject(filters),
    response: stream('text/csv'),
  },
} as const satisfies Group;
