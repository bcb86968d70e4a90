/**
 * Signatures of webhook deliveries: HMAC-SHA256 over time, id and body, so that a receiver can verify sender
 * and time.
 */
import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'kdw_';

/** Returns a new secret of 32 random bytes, in the form in which it is shown once. */
export const newWebhookSecret = (): string => `${PREFIX}${randomBytes(32).toString('base64url')}`;

/**
 * The signature of one delivery, hex.
 * @param timestamp Unix seconds
 */
const signatureOf = (
	secret: string,
	{ id, timestamp, body }: { id: string; timestamp: number; body: string }
): string =>
	createHmac('sha256', secret).update(`${timestamp}.${id}.${body}`, 'utf8').digest('hex');

/** Returns the signature header: one signature for each secret that is valid now. */
export const signatureHeader = (
	secrets: readonly string[],
	delivery: { id: string; timestamp: number; body: string }
): string => secrets.map((secret) => `v1=${signatureOf(secret, delivery)}`).join(',');
