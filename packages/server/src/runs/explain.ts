import type { Parts } from '@runward/contract';
import { explain } from '@runward/engine';
import type { Handlers } from '../access/handler.ts';
import { withDisplay } from './read/display.ts';
import { findRun } from './read/find-run.ts';

/** Explanations of the state of a run and its tasks. */
export const runExplain: Handlers<Parts['runExplain']> = {
  explain: async ({ params, ...context }) => {
    const { state } = await findRun(context, params.id, { forms: true });
    return withDisplay(context, state, (display) => explain(state, display));
  },
};
