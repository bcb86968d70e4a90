/**
 * Creates an idempotency key for a form. Does not use `crypto.randomUUID`, which browsers offer in secure
 * contexts only: a console in a LAN may be reached without TLS.
 */
export function newOnceKey(): string {
	const bytes = crypto.getRandomValues(new Uint8Array(16));
	return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
