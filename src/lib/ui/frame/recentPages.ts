/**
 * Recently visited pages of this tab, for the command palette. They are stored per member, and only as long
 * as the tab exists: titles may reveal what the team does.
 */
interface RecentPage {
	href: string;
	title: string;
}

const MOST = 6;
const SUFFIX = ' · Komodeck';
/** Intermediate pages, which are not worth returning to. */
const PASSED_THROUGH = /^\/(login|setup|join|confirm|denied|logout)?([?/]|$)/;

const keyOf = (member: string | null): string => `recent-pages:${member ?? ''}`;

function isRecentPage(value: unknown): value is RecentPage {
	if (typeof value !== 'object' || value === null) return false;
	const { href, title } = value as Partial<Record<keyof RecentPage, unknown>>;
	return typeof href === 'string' && href.startsWith('/') && typeof title === 'string';
}

/** Returns the recent pages, newest first. @param member name of the account; null for a visitor */
export function recentPages(member: string | null): RecentPage[] {
	try {
		const stored: unknown = JSON.parse(sessionStorage.getItem(keyOf(member)) ?? '[]');
		return Array.isArray(stored) ? stored.filter(isRecentPage) : [];
	} catch {
		// No storage, or the format of another release.
		return [];
	}
}

/** Adds a page to the front. @param page.title the document's title */
export function rememberPage(member: string | null, page: RecentPage): void {
	if (PASSED_THROUGH.test(page.href)) return;
	const title = page.title.endsWith(SUFFIX) ? page.title.slice(0, -SUFFIX.length) : page.title;
	const others = recentPages(member).filter(
		(other) => other.href !== page.href && other.title !== title
	);
	try {
		sessionStorage.setItem(
			keyOf(member),
			JSON.stringify([{ href: page.href, title }, ...others].slice(0, MOST))
		);
	} catch {
		// Without storage there are no recent pages.
	}
}
