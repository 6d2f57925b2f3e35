/** Members are not told of what they have no access to. */
export const dropReasonCompatible = `
  alter table notifications drop constraint notifications_dropped_reason_check;
  alter table notifications add constraint notifications_dropped_reason_check
    check (dropped_reason in ('DEACTIVATED', 'UNWANTED', 'OUT_OF_SCOPE', 'OBSOLETE'));
`;
