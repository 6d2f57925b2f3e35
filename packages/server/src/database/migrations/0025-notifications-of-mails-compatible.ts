/** A mail that waited is written again when it is sent, which needs what it tells. */
export const notificationsOfMailsCompatible = `
  create index notifications_mail_index on notifications (organization_id, mail_id) where mail_id is not null;
`;
