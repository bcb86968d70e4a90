/** How a webhook is signed: HMAC-SHA256 over time, id and body, so that a receiver knows who wrote it and when. */
import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'kdw_';

/** A secret as it is shown once: 32 random bytes. */
export const newWebhookSecret = (): string => `${PREFIX}${randomBytes(32).toString('base64url')}`;

/** The signature of one delivery, hex. @param timestamp Unix seconds */
const signatureOf = (
	secret: string,
	{ id, timestamp, body }: { id: string; timestamp: number; body: string }
): string =>
	createHmac('sha256', secret).update(`${timestamp}.${id}.${body}`, 'utf8').digest('hex');

/** The header: one signature for each secret that is valid now. */
export const signatureHeader = (
	secrets: readonly string[],
	delivery: { id: string; timestamp: number; body: string }
): string => secrets.map((secret) => `v1=${signatureOf(secret, delivery)}`).join(',');
