/** How a webhook is signed: HMAC-SHA256 over time, id and body, so that a receiver knows who wrote it and when. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

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

/** What a receiver has of a delivery: the values of its headers, and the body as it came. */
interface ReceivedWebhook {
	id: string | null;
	timestamp: string | null;
	signature: string | null;
	body: string;
}

/** How old a delivery may be that a receiver believes, in seconds. */
const TOLERANCE_S = 300;

/**
 * Whether a delivery was signed with this secret and is not older than five minutes. A receiver also remembers the
 * ids of these minutes, because the same bytes may come twice.
 * @param nowS Unix seconds
 */
export function isSigned(
	secret: string,
	{ id, timestamp, signature, body }: ReceivedWebhook,
	nowS: number
): boolean {
	if (id === null || signature === null || !/^\d{1,12}$/.test(timestamp ?? '')) return false;
	const at = Number(timestamp);
	if (Math.abs(nowS - at) > TOLERANCE_S) return false;
	const right = Buffer.from(`v1=${signatureOf(secret, { id, timestamp: at, body })}`);
	return signature.split(',').some((one) => {
		const given = Buffer.from(one.trim());
		return given.length === right.length && timingSafeEqual(given, right);
	});
}
