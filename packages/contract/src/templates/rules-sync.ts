import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { id } from '../values.ts';

const rulesSync = component('RulesSync', 'Progress of the latest rule sync.', {
  status: z
    .enum(['IDLE', 'RUNNING', 'COMPLETED', 'FAILED'])
    .meta({ id: 'RulesSyncStatus', description: 'How far a rule sync is.' })
    .describe('IDLE: there was none yet. FAILED: all runs were processed, but not all could be changed.'),
  total: z.int().min(0).describe('Active runs that had rules of earlier versions when the rule sync began.'),
  processed: z.int().min(0).describe('How many of them are done.'),
  failed: z
    .array(
      component('RulesSyncFailure', 'A run that kept its rules because of an error.', {
        runId: id.describe('The run.'),
        message: z.string().describe('What is wrong, then what to do.'),
      }),
    )
    .describe('Runs that kept their rules because of an error.'),
  startedAt: z.iso.datetime().nullable().describe('When the rule sync began; null while IDLE.'),
  finishedAt: z.iso.datetime().nullable().describe('When the last run was processed; null before.'),
});

/** The rule sync after a publication (spec: Templates). Part of the group `templates`. */
export const templateRulesSync = {
  rulesSyncStatus: {
    method: 'GET',
    path: '/templates/:id/rules-sync-status',
    access: 'templates:read',
    summary: 'Get the progress of the rule sync after publishing',
    description:
      'After a publication active runs of earlier versions get the rules of the new one in the background. They keep their tasks and ' +
      'fields; a rule that names a task, field or variable that a run does not have is skipped in that run, and the activity of the run says so.',
    response: rulesSync,
  },
} as const satisfies Group;
