/**
 * The pages that were open last in this tab, for the command palette. They are kept by member, and only as long as
 * the tab: titles may say what the team does.
 */
interface RecentPage {
	href: string;
	title: string;
}

const MOST = 6;
const SUFFIX = ' · Komodeck';
/** Pages that lead to others: nobody looks for them again. */
const PASSED_THROUGH = /^\/(login|setup|join|confirm|denied|logout)?([?/]|$)/;

const keyOf = (member: string | null): string => `recent-pages:${member ?? ''}`;

function isRecentPage(value: unknown): value is RecentPage {
	if (typeof value !== 'object' || value === null) return false;
	const { href, title } = value as Partial<Record<keyof RecentPage, unknown>>;
	return typeof href === 'string' && href.startsWith('/') && typeof title === 'string';
}

/** The pages that were open last, the newest first. @param member name of the account; null for a visitor */
export function recentPages(member: string | null): RecentPage[] {
	try {
		const stored: unknown = JSON.parse(sessionStorage.getItem(keyOf(member)) ?? '[]');
		return Array.isArray(stored) ? stored.filter(isRecentPage) : [];
	} catch {
		// A browser that keeps nothing, or a text of another release.
		return [];
	}
}

/** Puts a page in front of the others. @param page.title as the browser shows it */
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
