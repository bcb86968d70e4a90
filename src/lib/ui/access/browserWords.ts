/** Patterns in a User-Agent header, by browser; browsers that imitate others come first. */
const BROWSERS: readonly (readonly [sign: RegExp, name: string])[] = [
	[/\bEdgA?\//, 'Edge'],
	[/\bOPR\//, 'Opera'],
	[/\bSamsungBrowser\//, 'Samsung Internet'],
	[/\b(?:Firefox|FxiOS)\//, 'Firefox'],
	[/\b(?:Chrome|HeadlessChrome|CriOS)\//, 'Chrome'],
	[/\bVersion\/[\d.]+ .*Safari\//, 'Safari']
];
const SYSTEMS: readonly (readonly [sign: RegExp, name: string])[] = [
	[/\bAndroid\b/, 'Android'],
	[/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
	[/\bWindows\b/, 'Windows'],
	[/\bMac OS X\b/, 'macOS'],
	[/\bCrOS\b/, 'ChromeOS'],
	[/\bLinux\b/, 'Linux']
];
const MOST_LETTERS = 40;

/**
 * Describes a browser by its User-Agent: `Firefox on Windows`. An unknown one is returned unchanged,
 * truncated. The header is only the client's claim.
 */
export function browserWords(userAgent: string | null): string {
	if (userAgent === null || userAgent.trim() === '') return 'not said';
	const find = (names: typeof BROWSERS): string | undefined =>
		names.find(([sign]) => sign.test(userAgent))?.[1];
	const browser = find(BROWSERS);
	const system = find(SYSTEMS);
	if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
	return userAgent.length > MOST_LETTERS ? `${userAgent.slice(0, MOST_LETTERS)}…` : userAgent;
}
