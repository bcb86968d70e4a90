import type { FlowPurpose } from '#lib/server/access/single-sign-on/flows.ts';

/** The page on which somebody reads why single sign-on did nothing: the one from which they began. */
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
