/**
 * When tasks become due soon (decision 0075). Tasks of active runs have no reminder until their due dates move.
 * Programs that do not know reminders cannot read the facts about them, so the migration is not compatible (decision
 * 0069).
 */
export const reminders = `
  alter table organizations add column remind_before text not null default 'P1D';
  alter table run_tasks add column due_soon_at timestamptz;
`;
