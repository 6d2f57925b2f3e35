import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { id, title } from '../values.ts';
import { eventName } from '../webhooks/events.ts';

/** Days for which a failed delivery or an infected file needs attention. */
export const attentionDays = 7;

/** The most findings of a kind that are counted. */
export const maximumAttention = 1_000;

/** How many findings of a kind are listed. */
export const listedAttention = 10;

function findings<Item extends z.ZodType>(item: Item, component: string, description: string) {
  return z
    .strictObject({
      count: z
        .int()
        .min(0)
        .max(maximumAttention)
        .describe(`How many there are; ${maximumAttention} means that many or more.`),
      newest: z.array(item).max(listedAttention).describe(`The newest of them, at most ${listedAttention}.`),
    })
    .meta({ id: component, description });
}

const failedRulesSync = component('FailedRulesSync', 'A rule sync that could not change all runs.', {
  templateId: id.describe('The template.'),
  templateName: title.describe('Its name.'),
  runId: id.describe('The first run that has kept its rules.'),
  message: z.string().describe('What is wrong with this run, then what to do.'),
  finishedAt: z.iso.datetime().describe('When the rule sync ended.'),
});

const failedDelivery = component('FailedDelivery', 'A delivery of which every attempt failed.', {
  id: id.describe('Id of the delivery.'),
  webhookId: id.describe('The webhook that did not accept it.'),
  webhookName: title.describe('Its name.'),
  event: eventName.describe('The event that was not delivered.'),
  createdAt: z.iso.datetime().describe('When the event happened.'),
});

const infectedFile = component('InfectedFile', 'A file that was found to be infected, and removed from its value.', {
  id: id.describe('Id of the file.'),
  fileName: z.string().describe('Its name.'),
  signature: z.string().describe('What the scanner found.'),
  runId: id.describe('The run that it was uploaded to.'),
  runTitle: title.describe('The title of this run.'),
  scannedAt: z.iso.datetime().describe('When it was found.'),
});

/** What needs the attention of an administrator. */
export const attention = {
  get: {
    method: 'GET',
    path: '/attention',
    access: 'administrator',
    reads: 'replica',
    summary: 'Get what needs attention and is in no list',
    description:
      `Counts at most ${maximumAttention} findings of each kind, and lists the newest ${listedAttention}. Overdue and stalled runs are in ` +
      '`GET /runs`, and disabled webhooks in `GET /webhooks`.',
    response: component('Attention', 'What needs the attention of an administrator, by kind.', {
      failedRulesSyncs: findings(
        failedRulesSync,
        'FailedRulesSyncs',
        'Templates whose latest rule sync failed for a run that is still active and has rules of an earlier version.',
      ),
      failedDeliveries: findings(
        failedDelivery,
        'FailedDeliveries',
        `FAILED deliveries of the last ${attentionDays} days, except tests.`,
      ),
      infectedFiles: findings(
        infectedFile,
        'InfectedFiles',
        `Files that were found to be infected in the last ${attentionDays} days and were not deleted since.`,
      ),
    }),
  },
} as const satisfies Group;
