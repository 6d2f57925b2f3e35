/** How help describes an argument that names a webhook. */
export const webhookArgument = 'ID or name of the webhook';
