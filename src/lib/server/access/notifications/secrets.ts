/** What of notices is encrypted, and as what: nothing can be decrypted as something else. */
export const webhookPlace = (id: string): string => `webhook ${id}`;
export const subscriptionPlace = (id: string): string => `push subscription ${id}`;
export const VAPID_PLACE = 'vapid keys';
