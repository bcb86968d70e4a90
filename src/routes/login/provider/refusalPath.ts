import type { FlowPurpose } from '#lib/server/access/single-sign-on/flows.ts';

/** Returns the page that reports a failure of single sign-on: the one on which it was started. */
export function refusalPath(purpose: FlowPurpose | null, code: string, next: string): string {
	const query = `problem=${encodeURIComponent(code)}&next=${encodeURIComponent(next)}`;
	switch (purpose) {
		case 'link':
			return `/account?problem=${encodeURIComponent(code)}#sign-on`;
		case 'confirm':
			return `/confirm?${query}`;
		case 'join':
		case 'sign-in':
		case null:
			return `/login?${query}`;
	}
}
