import type { ErrorStatus } from './errors.ts';

/** What an error code stands for. */
export interface ErrorMeaning {
  readonly status: ErrorStatus;
  /** What is wrong. One sentence. */
  readonly cause: string;
  /** What to do. One sentence. */
  readonly remedy: string;
}

/** The codes of requests that are valid, but that the state of the records does not allow. */
export const ruleErrors = {
  run_terminal: {
    status: 400,
    cause: 'The run is completed or cancelled.',
    remedy: 'Reopen the run, or leave it as it is.',
  },
  run_active: {
    status: 400,
    cause: 'The run is neither completed nor cancelled.',
    remedy: 'Complete or cancel the run first.',
  },
  required_tasks_open: {
    status: 400,
    cause: 'Required tasks of the run are open.',
    remedy: 'Complete the tasks that `message` names.',
  },
  required_fields_missing: {
    status: 400,
    cause: 'Required fields of the form have no value.',
    remedy: 'Submit values for the fields that `message` names.',
  },
  required_variables_missing: {
    status: 400,
    cause: 'Required flow variables have no value.',
    remedy: 'Send values for the `variables` that `message` names.',
  },
  task_blocked: {
    status: 400,
    cause: 'The task depends on tasks that are open.',
    remedy: 'Complete these tasks, or unblock the task by force.',
  },
  task_not_blocked: { status: 400, cause: 'The task is not blocked.', remedy: 'Nothing has to be unblocked.' },
  task_completed: {
    status: 400,
    cause: 'The task is completed.',
    remedy: 'Set it to PENDING, or reopen its entry.',
  },
  task_hidden: {
    status: 400,
    cause: 'Rules hide the task.',
    remedy: 'Change the values that the rules depend on.',
  },
  task_retired: {
    status: 400,
    cause: 'The version that the run follows does not have the task any more.',
    remedy: 'Migrate the run to a version that has it.',
  },
  entry_open: {
    status: 400,
    cause: 'The task has an open entry.',
    remedy: 'Use the entry that `message` names.',
  },
  entry_completed: { status: 400, cause: 'The entry is completed.', remedy: 'Reopen the entry.' },
  approval_pending: {
    status: 400,
    cause: 'The task waits for an approval.',
    remedy: 'Wait until it is approved or rejected.',
  },
  approval_missing: {
    status: 400,
    cause: 'The task needs an approval that was not requested yet, or was rejected.',
    remedy: 'Submit every required value, or corrected ones, which requests it.',
  },
  approval_not_pending: {
    status: 400,
    cause: 'The task waits for no approval.',
    remedy: 'Nothing has to be decided.',
  },
  approval_already_decided: {
    status: 400,
    cause: 'The caller has approved the task already.',
    remedy: 'Wait for the other approvers.',
  },
  size_exceeded: {
    status: 400,
    cause: 'The draft or the run would take more bytes than it can.',
    remedy: 'Shorten its content, or divide it.',
  },
  limit_reached: {
    status: 400,
    cause: 'There are as many records of this kind as there can be.',
    remedy: 'Delete some first.',
  },
  already_exists: {
    status: 400,
    cause: 'Another record has this email address, slug or access already.',
    remedy: 'Use the other record, or choose another value.',
  },
  in_use: {
    status: 400,
    cause: 'Other records use the record.',
    remedy: 'Change or delete the records that `message` names or counts.',
  },
  changed_meanwhile: {
    status: 400,
    cause: 'Others changed what the request depends on. Nothing was changed.',
    remedy: 'Repeat the request.',
  },
  draft_invalid: {
    status: 400,
    cause: 'The draft of the template has problems, so it cannot be published.',
    remedy: 'Correct every problem in `message`.',
  },
  template_not_published: {
    status: 400,
    cause: 'The template has no published version.',
    remedy: 'Publish the template.',
  },
  template_archived: { status: 400, cause: 'The template is archived.', remedy: 'Unarchive the template.' },
  template_deleted: {
    status: 400,
    cause: 'The template of the run was deleted.',
    remedy: 'Launch a run of another template.',
  },
  share_inactive: {
    status: 400,
    cause: 'The share has expired or was revoked.',
    remedy: 'Set a later `expiresAt`, or create another share.',
  },
  portal_not_published: { status: 400, cause: 'The portal is a draft.', remedy: 'Publish the portal.' },
  nothing_to_publish: {
    status: 400,
    cause: 'The draft is the same as what is published.',
    remedy: 'Change the draft first.',
  },
  file_not_served: {
    status: 400,
    cause: 'The file is not scanned yet, or a scan found malware in it.',
    remedy: 'Wait for the scan, or upload another file.',
  },
  upload_incomplete: {
    status: 400,
    cause: 'The content of the file was not uploaded, or is not what was announced.',
    remedy: 'Upload the content, or announce the file again.',
  },
  webhook_disabled: { status: 400, cause: 'The webhook is disabled.', remedy: 'Enable the webhook.' },
  no_own_secret: {
    status: 400,
    cause: 'The webhook has no signing secret of its own.',
    remedy: 'Set `ownSecret` to true.',
  },
  rotation_in_progress: {
    status: 400,
    cause: 'The signing secret before the current one is still valid.',
    remedy: 'Wait until it has expired, or send `overlapHours` 0.',
  },
  attempt_in_progress: {
    status: 400,
    cause: 'The delivery or the mail is being sent.',
    remedy: 'Wait for the result of the attempt.',
  },
  sent_recently: {
    status: 400,
    cause: 'The mail was sent less than an hour ago.',
    remedy: 'Wait before you send it again.',
  },
  last_owner: {
    status: 400,
    cause: 'The member is the last active owner of the organization.',
    remedy: 'Make another member an owner first.',
  },
  own_account: {
    status: 400,
    cause: 'Members cannot deactivate themselves.',
    remedy: 'Ask another owner or admin.',
  },
  member_deactivated: { status: 400, cause: 'The member is deactivated.', remedy: 'Reactivate the member.' },
  password_incorrect: { status: 400, cause: 'The current password is wrong.', remedy: 'Send the current password.' },
  link_invalid: {
    status: 400,
    cause: 'The link was used, replaced or revoked, or has expired.',
    remedy: 'Ask for a new link.',
  },
  query_too_large: {
    status: 400,
    cause: 'The figures of so many runs take too long to compute.',
    remedy: 'Choose a shorter period, or fewer templates.',
  },
  events_purged: {
    status: 400,
    cause: 'Events after the position were purged.',
    remedy: 'Start with the oldest event, and read the records whose events were missed.',
  },
} as const satisfies Record<string, ErrorMeaning>;
