/**
 * A key by which the server knows a form that it was sent before. Made without `crypto.randomUUID`, which browsers
 * have on secure addresses only: a console in a LAN is reached without TLS.
 */
export function newOnceKey(): string {
	const bytes = crypto.getRandomValues(new Uint8Array(16));
	return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
