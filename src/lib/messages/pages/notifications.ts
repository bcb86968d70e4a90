/** Texts of the list of notices, and of the bell on every page. */
import { plural } from '#lib/text/plural.ts';

export const NOTIFICATIONS = {
	title: 'Notifications',
	bell: (unread: number): string =>
		unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`,
	/** Count next to the bell: more than two digits do not fit. */
	count: (unread: number): string => (unread > 99 ? '99+' : String(unread)),
	lead: (unread: number): string =>
		unread === 0 ? 'No unread notices' : plural(unread, 'unread notice', 'unread notices'),
	settings: 'Notification settings',
	markAll: 'Mark all read',
	markRead: 'Mark read',
	open: 'Open',
	unread: 'Unread',
	none: 'No notices yet',
	noneHint: 'What needs you, what finished and what went wrong is listed here.',
	unknown: 'A notice of another release of Komodeck',
	pages: 'Pages of notices',
	gone: 'There is no such notice any more.'
} as const;
