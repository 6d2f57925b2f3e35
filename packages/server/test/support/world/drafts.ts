import { randomUUID } from 'node:crypto';
import type { BodyInput, Contract } from '@runward/contract';
import { must } from '@runward/testing/process';
import type { Builder, Ids } from './world.ts';

/** Adds a phase to a template's draft. */
export async function newPhaseId({ api }: Builder, id: string): Promise<string> {
  return (await must(api.call('templates.phases', 'create', { params: { id }, body: { name: 'Compliance' } }))).id;
}

/**
 * Publishes a template with one more task, which waits for another and for an approval. Returns the id of the version.
 */
export async function publishBlockedTask({ api }: Builder, id: string, taskId: string): Promise<string> {
  const body = { title: 'First order', required: false, approval: { allowSelfApproval: true } };
  const blocked = await must(api.call('templates.tasks', 'create', { params: { id }, body }));
  const params = { id, taskId: blocked.id };
  await must(api.call('templates.dependencies', 'set', { params, body: { taskIds: [taskId] } }));
  return (await must(api.call('templates', 'publish', { params: { id } }))).id;
}

/** Adds a task to a template's draft. */
export async function newTaskId({ api }: Builder, id: string): Promise<string> {
  return (await must(api.call('templates.tasks', 'create', { params: { id }, body: { title: 'Sanctions check' } }))).id;
}

/** Adds a rule to a template's draft: a task without a value in its field is assigned to the owner. */
export async function newRuleId(
  { api, org }: Builder,
  { template: id, task: taskId, field: fieldId }: Pick<Ids, 'template' | 'task' | 'field'>,
): Promise<string> {
  const body: BodyInput<Contract['templates.rules']['create']> = {
    conditions: [{ source: { type: 'FIELD', fieldId }, operator: 'IS_EMPTY' }],
    actions: [{ type: 'ASSIGN', taskId, assigneeId: org.ownerUserId }],
  };
  return (await must(api.call('templates.rules', 'create', { params: { id, taskId }, body }))).id;
}

/** Adds a flow variable to a template's draft. */
export async function newVariableId({ api }: Builder, id: string): Promise<string> {
  const key = `cost_center_${randomUUID()}`;
  return (await must(api.call('templates.variables', 'create', { params: { id }, body: { key } }))).id;
}
