import type { Fact } from './facts.ts';
import type { RunState } from './state.ts';

/** Why a command was not carried out; the message tells the caller what to do. */
export interface Rejection {
  readonly reason: RefusalReason;
  readonly message: string;
}

/** Kinds of rejection. */
export type RefusalReason =
  | 'run_not_active'
  | 'run_active'
  | 'required_tasks_open'
  | 'unknown_task'
  | 'unknown_entry'
  | 'unknown_field'
  | 'unknown_variable'
  | 'task_completed'
  | 'task_hidden'
  | 'entry_open'
  | 'entry_completed'
  | 'key_used'
  | 'invalid_value'
  | 'value_missing';

/** What a command led to: the facts and the state after them, or a rejection that changed nothing. */
export type Decision =
  | { readonly rejection: null; readonly facts: readonly Fact[]; readonly state: RunState }
  | { readonly rejection: Rejection };

/** Facts of one command before the rules that follow from them were applied, or a rejection. */
export type Step = { readonly facts: readonly Fact[] } | { readonly rejection: Rejection };

/** A step that was refused. */
export function refuse(reason: RefusalReason, message: string): { rejection: Rejection } {
  return { rejection: { reason, message } };
}
