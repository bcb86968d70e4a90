/** The longest wait that a response can ask for. Milliseconds. */
const MOST_MS = 10 * 60_000;

/**
 * Returns how long a `Retry-After` header asks to wait; 0 without one, and for a date, which needs the server's
 * clock. Milliseconds.
 */
export function askedWait(header: string | null): number {
	const seconds = Number(header ?? 0);
	return Number.isFinite(seconds) ? Math.min(Math.max(0, seconds * 1_000), MOST_MS) : 0;
}
