/** What the statement that writes a run writes with it has no foreign keys to what is never deleted (decision 0104). */
export const uncheckedAppendsCompatible = `
  alter table activity drop constraint activity_organization_id_run_id_fkey;
  alter table run_tasks drop constraint run_tasks_organization_id_run_id_fkey,
    drop constraint run_tasks_organization_id_completed_by_user_id_fkey;
  alter table entries drop constraint entries_organization_id_run_id_fkey,
    drop constraint entries_organization_id_created_by_user_id_fkey;
  alter table entry_completion_keys drop constraint entry_completion_keys_organization_id_entry_id_fkey;
  alter table field_values drop constraint field_values_organization_id_run_id_fkey,
    drop constraint field_values_organization_id_submitted_by_user_id_fkey;
  alter table events drop constraint events_organization_id_fkey;
  alter table webhook_deliveries drop constraint webhook_deliveries_organization_id_fkey;
  alter table run_counter_changes drop constraint run_counter_changes_organization_id_fkey;
`;
