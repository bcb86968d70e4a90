export type Encoding = 'br' | 'gzip';

/** Below this size a compressed response saves no packet. Bytes. */
export const SMALLEST_COMPRESSED = 1024;
/** Brotli quality for responses that are compressed while the client waits. */
export const BROTLI_QUALITY = 4;

/** Returns the cheapest encoding that the client accepts; null for none (RFC 9110, 12.5.3). */
export function encodingFor(accepted: string | null | undefined): Encoding | null {
	const weights = new Map<string, number>();
	for (const part of (accepted ?? '').toLowerCase().split(',')) {
		const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
		const weight = parameters.find((text) => text.startsWith('q='))?.slice(2);
		weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
	}
	const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
	const [br, gzip] = [weightOf('br'), weightOf('gzip')];
	if (br === 0 && gzip === 0) return null;
	return br >= gzip ? 'br' : 'gzip';
}
