import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { filterSet } from '../runs/filters.ts';
import { id, localDate } from '../values.ts';
import { advanced, maximumYears, summary } from './figures.ts';

const from = localDate
  .optional()
  .describe("The first day, in the organization's time zone. Default: 29 days before `to`.");
const to = localDate
  .optional()
  .describe(`The last day; it is included. At most ${maximumYears} years from \`from\`. Default: today.`);

/** Parameters shared by the analytics endpoints and their exports. */
export const analyticsQuery = z.strictObject({
  from,
  to,
  templateId: id
    .optional()
    .describe('Only runs of this template; 404 or 403 if the caller cannot use it. Default: all.'),
});

const filtered = component('AnalyticsFilter', 'A period and filters.', {
  from,
  to,
  filters: filterSet
    .optional()
    .describe('Only runs that match; archived ones too, unless `archived` is given. Default: all runs of the period.'),
});

/** Reading a million runs, and their tasks, takes seconds. */
const timeBudgetMs = 25_000;

const ofRuns =
  'Covers the runs launched in the period, archived ones included, as they are now. An API key with a resource mode gets figures of its ' +
  'templates only. A run that was reopened and completed again counts with its last completion. Returns 400 if the period has more runs than ' +
  'can be read in 30 seconds.';

const ofTasks =
  'Removed, retired and hidden tasks do not count. The duration of a task runs from when it could be worked on ' +
  '(the launch, or when it was unblocked or shown, if later) to its completion.';

/** Analytics of runs (spec: Runs, other operations). */
export const analytics = {
  summary: {
    method: 'GET',
    path: '/runs/analytics',
    access: 'runs:read',
    reads: 'replica',
    summary: 'Summarize the runs of a period',
    description: ofRuns,
    query: analyticsQuery,
    errors: ['not_found', 'query_too_large'],
    timeBudgetMs,
    response: summary,
  },
  advanced: {
    method: 'GET',
    path: '/runs/analytics/advanced',
    access: 'runs:read',
    reads: 'replica',
    summary: 'Analyze the runs of a period by template, owner, assignee and task',
    description: `${ofRuns} ${ofTasks}`,
    query: analyticsQuery,
    errors: ['not_found', 'query_too_large'],
    timeBudgetMs,
    response: advanced,
  },
  filtered: {
    method: 'POST',
    path: '/runs/analytics/filtered',
    access: 'runs:read',
    effect: 'read',
    reads: 'replica',
    summary: 'Summarize the runs of a period that match filters',
    description: `Takes the filters of a saved view and returns what \`GET /runs/analytics\` returns. ${ofRuns}`,
    body: filtered,
    timeBudgetMs,
    errors: ['query_too_large'],
    response: summary,
  },
  advancedFiltered: {
    method: 'POST',
    path: '/runs/analytics/advanced/filtered',
    access: 'runs:read',
    effect: 'read',
    reads: 'replica',
    summary: 'Analyze the runs of a period that match filters',
    description: `Takes the filters of a saved view and returns what \`GET /runs/analytics/advanced\` returns. ${ofRuns} ${ofTasks}`,
    body: filtered,
    timeBudgetMs,
    errors: ['query_too_large'],
    response: advanced,
  },
} as const satisfies Group;
