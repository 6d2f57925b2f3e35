import type { Fact } from './facts.ts';
import type { RunState } from './state.ts';

/**
 * Why a command was rejected. `message` says what is wrong, then what to do. It begins with the path of the field, if
 * there is one.
 */
export interface Rejection {
  readonly reason: RejectionReason;
  readonly message: string;
  /** Every invalid value of a submission, in order. Present if the reason is `invalid_values`. */
  readonly invalidValues?: readonly InvalidValue[];
}

/** The problem of one submitted value: of the value itself or of the field that it names. */
export interface InvalidValue {
  /** The position of the value in the command, from 0. */
  readonly index: number;
  readonly part: 'field' | 'value';
  /** What is wrong, then what to do; without a path. */
  readonly message: string;
}

/**
 * Kinds of rejection. `not_an_approver`, `own_work` and `not_own_comment` concern the acting member, the others the run or
 * the command.
 */
export type RejectionReason =
  | 'run_not_active'
  | 'run_active'
  | 'required_tasks_open'
  | 'unknown_task'
  | 'unknown_entry'
  | 'unknown_variable'
  | 'task_completed'
  | 'task_hidden'
  | 'task_retired'
  | 'task_blocked'
  | 'task_not_blocked'
  | 'approval_missing'
  | 'approval_not_requested'
  | 'not_an_approver'
  | 'own_work'
  | 'already_decided'
  | 'two_assignees'
  | 'entry_open'
  | 'entry_completed'
  | 'key_used'
  | 'invalid_values'
  | 'value_missing'
  | 'not_own_comment'
  | 'run_too_large';

/** The outcome of a command: facts and the state after them, or a rejection without any change. */
export type Decision =
  | { readonly rejection: null; readonly facts: readonly Fact[]; readonly state: RunState }
  | { readonly rejection: Rejection };

/** The direct result of a command, without consequences such as the completion of the run. */
export type CommandResult = { readonly facts: readonly Fact[] } | { readonly rejection: Rejection };

/** The rejection of a submission, with every invalid value. */
export function invalidValues(invalid: readonly InvalidValue[]): { rejection: Rejection } {
  const messages = invalid.map(({ message }) => message).join('; ');
  const { rejection } = reject('invalid_values', `Values of the submission are invalid: ${messages}.`);
  return { rejection: { ...rejection, invalidValues: invalid } };
}

/** The rejection of a command. */
export function reject(reason: RejectionReason, message: string): { rejection: Rejection } {
  return { rejection: { reason, message } };
}
