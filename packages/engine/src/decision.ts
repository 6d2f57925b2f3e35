import type { ErrorCode } from '@runward/contract';
import type { Fact } from './facts.ts';
import type { RunState } from './state.ts';

/**
 * Why a command was rejected. `message` says what is wrong, then what to do. It begins with the path of the field, if
 * there is one.
 */
export interface Rejection {
  readonly code: RejectionCode;
  readonly message: string;
  /** Every invalid value of a submission, in order. Absent if the code is not `validation_failed`. */
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
 * The code of a rejection. `not_an_approver`, `own_work` and `not_own_record` concern the acting member, the others the
 * run or the command.
 */
export type RejectionCode = Extract<
  ErrorCode,
  | 'validation_failed'
  | 'idempotency_key_reused'
  | 'run_terminal'
  | 'run_active'
  | 'required_tasks_open'
  | 'required_fields_missing'
  | 'task_blocked'
  | 'task_not_blocked'
  | 'task_completed'
  | 'task_hidden'
  | 'task_retired'
  | 'entry_open'
  | 'entry_completed'
  | 'approval_pending'
  | 'approval_missing'
  | 'approval_not_pending'
  | 'approval_already_decided'
  | 'size_exceeded'
  | 'not_an_approver'
  | 'own_work'
  | 'not_own_record'
>;

/** The outcome of a command: facts and the state after them, or a rejection without any change. */
export type Decision =
  | { readonly rejection: null; readonly facts: readonly Fact[]; readonly state: RunState }
  | { readonly rejection: Rejection };

/** The direct result of a command, without consequences such as the completion of the run. */
export type CommandResult = { readonly facts: readonly Fact[] } | { readonly rejection: Rejection };

/** The rejection of a submission, with every invalid value. */
export function invalidValues(invalid: readonly InvalidValue[]): { rejection: Rejection } {
  const messages = invalid.map(({ message }) => message).join('; ');
  const { rejection } = reject('validation_failed', `Values of the submission are invalid: ${messages}.`);
  return { rejection: { ...rejection, invalidValues: invalid } };
}

/** The rejection of a command. */
export function reject(code: RejectionCode, message: string): { rejection: Rejection } {
  return { rejection: { code, message } };
}
