/** The kinds of notifications that members get by mail. */
export const notificationKinds = ['ASSIGNED', 'APPROVAL', 'DUE_SOON', 'OVERDUE', 'REJECTED', 'MENTIONED'] as const;

/** The kind of a notification. */
export type NotificationKind = (typeof notificationKinds)[number];

/** When a member is notified: within about two minutes, once a day, or never. */
export const notificationChoices = ['AT_ONCE', 'DIGEST', 'NEVER'] as const;

/** When a member is notified. */
export type NotificationChoice = (typeof notificationChoices)[number];

/** The hour of the day at which a member gets the daily mail, if they have not chosen another. */
export const defaultDigestHour = 8;

/** The states of a mail. BOUNCED: the mail server rejected it for good. FAILED: every attempt failed. */
export const mailStatuses = ['PENDING', 'SENT', 'BOUNCED', 'FAILED'] as const;

/** Why a mail waits: as many as its limit permits were sent in the last 24 hours. */
export const mailLimits = ['MEMBER_LIMIT', 'ORGANIZATION_LIMIT'] as const;
