/**
 * Signing secrets of single webhooks (decision 0081). Programs that do not know them sign with the secret of the
 * organization, so the migration is not compatible (decision 0069).
 */
export const webhookSecrets = `
  alter table webhooks add column signing_secret text,
    add column previous_signing_secret text,
    add column previous_signing_secret_expires_at timestamptz;
`;
