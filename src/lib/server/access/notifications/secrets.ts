/** Contexts of encrypted values: a value encrypted in one context cannot be decrypted in another. */
export const webhookPlace = (id: string): string => `webhook ${id}`;
export const subscriptionPlace = (id: string): string => `push subscription ${id}`;
export const VAPID_PLACE = 'vapid keys';
