import type { Body, Contract, Parts, Query } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { inSnapshot } from '../database/in-snapshot.ts';
import { ensureFilterSet } from '../runs/lists/ensure-filter-set.ts';
import { ensureFilter } from '../runs/lists/ensure-filter.ts';
import { analyze } from './analyze.ts';
import type { Population } from './queries/population.ts';
import { rangeOf } from './range.ts';
import { summarize } from './summarize.ts';

/** Analytics of runs (spec: Runs, other operations). */
export const analytics: Handlers<Parts['analytics']> = {
  summary: async ({ query, ...context }) => {
    const population = await queriedPopulation(context, query);
    return inSnapshot(context.em, (db) => summarize(db, population));
  },

  advanced: async ({ query, ...context }) => {
    const population = await queriedPopulation(context, query);
    return inSnapshot(context.em, (db) => analyze(db, population));
  },

  filtered: async ({ body, ...context }) => {
    const population = await filteredPopulation(context, body);
    return inSnapshot(context.em, (db) => summarize(db, population));
  },

  advancedFiltered: async ({ body, ...context }) => {
    const population = await filteredPopulation(context, body);
    return inSnapshot(context.em, (db) => analyze(db, population));
  },
};

type Context = Pick<RequestContext, 'em' | 'actor' | 'now'>;

/** The population that query parameters name. Throws a 400 for the period, and a 404 or 403 for the template. */
export async function queriedPopulation(
  context: Context,
  { templateId, ...asked }: Query<Contract['analytics']['summary']>,
): Promise<Population> {
  const { actor, now } = context;
  const range = rangeOf(asked, actor.timeZone, now);
  await ensureFilter(context, { templateId });
  return { scope: actor, filter: { templateId }, range };
}

async function filteredPopulation(
  context: Context,
  { filters = {}, ...asked }: Body<Contract['analytics']['filtered']>,
): Promise<Population> {
  const { actor, now } = context;
  const range = rangeOf(asked, actor.timeZone, now);
  await ensureFilterSet(context, filters, 'filters.');
  return { scope: actor, filter: filters, range };
}
