import type { Fact, RunState } from '@runward/engine';
import { RunComment } from '../entities/run-comment.ts';
import type { ChangeContext } from './save.ts';
import { tableOf } from './table.ts';
import { insert, type Parameter } from './write.ts';

const table = tableOf(RunComment);

/** SQL that writes the comments of which facts tell; the state of a run does not contain them. */
export function writeComments(
  $: Parameter,
  { organizationId, author }: ChangeContext,
  changes: readonly { readonly after: RunState; readonly facts: readonly Fact[] }[],
): string[] {
  const update = (commentId: string, assignments: string) =>
    `update ${table.name} comment set ${assignments} from saved
    where comment.organization_id = saved.organization_id and comment.run_id = saved.id and comment.id = ${$(commentId)}`;
  return changes.flatMap(({ after, facts }) =>
    facts.flatMap((fact) => {
      switch (fact.type) {
        case 'comment.created': {
          const { commentId, runTaskId, text, userIds, groupIds, at } = fact;
          const { type: actorType, userId: actorUserId, apiKeyId: actorApiKeyId } = author;
          const place = { organizationId, id: commentId, runId: after.id, runTaskId };
          const content = { actorType, actorUserId, actorApiKeyId, text, userIds, groupIds, createdAt: at };
          return insert($, table, [{ ...place, ...content }]);
        }
        case 'comment.edited': {
          const lists = `user_ids = ${$(JSON.stringify(fact.userIds))}, group_ids = ${$(JSON.stringify(fact.groupIds))}`;
          return update(fact.commentId, `text = ${$(fact.text)}, ${lists}, edited_at = ${$(fact.at)}`);
        }
        case 'comment.deleted':
          return update(fact.commentId, `text = '', user_ids = '[]', group_ids = '[]', deleted_at = ${$(fact.at)}`);
        default:
          return [];
      }
    }),
  );
}
