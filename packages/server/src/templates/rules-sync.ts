import type { Parts } from '@runward/contract';
import { findTemplate } from '../access/find-template.ts';
import type { Handlers } from '../access/handler.ts';
import { RuleSync } from './entities/rule-sync.ts';

const idle = { status: 'IDLE', total: 0, processed: 0, startedAt: null, finishedAt: null } as const;

/** Progress of the rule sync after a publication (spec: Templates). */
export const templateRulesSync: Handlers<Parts['templateRulesSync']> = {
  rulesSyncStatus: async ({ params: { id: templateId }, ...context }) => {
    const { em, actor } = context;
    await findTemplate(context, templateId);
    const sync = await em.findOne(RuleSync, { organizationId: actor.organizationId, templateId });
    if (!sync) return { ...idle, failed: [] };
    const { status, total, processed, failed, startedAt, finishedAt } = sync;
    return {
      status,
      total,
      processed,
      failed: [...failed],
      startedAt: startedAt.toISOString(),
      finishedAt: finishedAt?.toISOString() ?? null,
    };
  },
};
