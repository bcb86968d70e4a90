/** Seconds as people say them. */
export function waitWords(seconds: number): string {
	if (seconds === 1) return 'one second';
	return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}
