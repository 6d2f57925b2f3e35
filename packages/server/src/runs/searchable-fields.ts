import type { Parts } from '@runward/contract';
import { searchOperatorsOf } from '@runward/engine';
import type { Handlers } from '../access/handler.ts';
import { pageOfAll } from '../paging.ts';
import { findMarksInScope, type Mark } from './queries/search/find-marks.ts';

/** What runs can be found by. */
export const searchableFields: Handlers<Parts['searchableFields']> = {
  searchableFields: async ({ query, em, actor, ports }) =>
    pageOfAll((await findMarksInScope(em, actor)).map(presentMark), query, ports.limits),
};

function presentMark({ source, type, name, status, template }: Mark) {
  const isVariable = source.startsWith('$');
  return {
    templateId: template.id,
    templateName: template.name,
    fieldId: isVariable ? null : source,
    variable: isVariable ? source.slice(1) : null,
    name,
    type,
    operators: searchOperatorsOf(type),
    status: status === 'INDEXING' ? ('INDEXING' as const) : ('READY' as const),
  };
}
