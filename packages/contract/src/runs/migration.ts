import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { id } from '../values.ts';
import { runStatus } from './run.ts';

const followed = component('FollowedVersion', 'The version that a run follows before or after a migration.', {
  versionId: id.describe('Id of the version: its `templateVersionId`.'),
  number: z.int().min(1).describe('Number of the version.'),
});

const migratedTask = component('MigratedTask', 'A task that a migration concerns.', {
  taskId: id.describe('Id of the task in the template.'),
  title: z.string().describe('Title of the task.'),
});

const migration = component('Migration', 'What a migration changes in a run.', {
  runId: id.describe('The run.'),
  from: followed,
  to: followed,
  changed: z.boolean().describe('false: the run already followed the version, and nothing changed.'),
  tasks: component('MigratedTasks', 'What a migration does with the tasks of a run.', {
    kept: z.array(migratedTask).describe('Tasks of both versions; they keep their entries and values.'),
    added: z
      .array(migratedTask)
      .describe(
        'Tasks that the run did not have. One that an earlier migration removed or retired comes back with its entries and values.',
      ),
    removed: z.array(migratedTask).describe('Open tasks that the version does not contain.'),
    retired: z.array(migratedTask).describe('Completed tasks that the version does not contain; they stay readable.'),
  }),
  status: component('MigratedStatus', 'The status of a run before and after a migration.', {
    before: runStatus.describe('Status of the run before.'),
    after: runStatus.describe('Status of the run afterwards.'),
  }),
});

const dryRun = z
  .boolean()
  .optional()
  .describe('true: only reports what the migration would change now. Default: false.');

const effects =
  'Tasks that both versions contain keep their entries and values; rules, dependencies and deadlines that count from the unblocking are ' +
  'evaluated again. Values that no longer fit their fields count as not submitted, and come back with a version that they fit. ' +
  'Migrating back undoes a migration. Returns 400 if the run would keep too much of earlier versions, or unless it is active';

/** Migrations of runs to other versions (spec: Runs, other operations). Part of the group `runs`. */
export const runMigration = {
  migrateToLatest: {
    method: 'POST',
    path: '/runs/:id/migrate-to-latest',
    large: true,
    access: 'runs:write',
    summary: "Migrate a run to the template's latest version",
    description: `${effects}.`,
    body: component('MigrateRunToLatest', 'Options of the migration.', { dryRun }).optional(),
    errors: ['run_terminal', 'size_exceeded'],
    response: migration,
  },
  migrate: {
    method: 'POST',
    path: '/runs/:id/migrate',
    large: true,
    access: 'runs:write',
    summary: 'Migrate a run to a version of its template',
    description: `${effects}, or if its template has no such version.`,
    body: component('MigrateRun', 'The version to migrate to, and options of the migration.', {
      toVersionId: id.describe('A version of the template of the run, also an earlier one.'),
      dryRun,
    }),
    errors: ['run_terminal', 'size_exceeded'],
    response: migration,
  },
} as const satisfies Group;
