/** A mail as plain text and as simple HTML: no images, no scripts, nothing that is loaded. */
import { MAIL } from '#lib/messages/notices/outside.ts';

const ESCAPES: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;'
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (found) => ESCAPES[found] ?? '');

const frame = (inner: string): string =>
	`<!doctype html><html lang="en"><body style="font-family:sans-serif;line-height:1.5">${inner}</body></html>`;
const link = (href: string, label: string): string =>
	`<a href="${escaped(href)}">${escaped(label)}</a>`;

/** One notice of a mail; its link is an absolute URL. */
export interface MailItem {
	text: string;
	link: string;
}

/**
 * Writes the mail of one notice, or of several together.
 * @param origin of this installation, for the links
 */
export function noticeMail(
	items: readonly MailItem[],
	{ name, origin }: { name: string; origin: string }
): { subject: string; text: string; html: string } {
	const [first] = items;
	const settings = `${origin}/account/notifications`;
	const all = `${origin}/notifications`;
	return {
		subject: items.length === 1 && first ? MAIL.subject(first.text) : MAIL.digest(items.length),
		text: [
			...items.map((item) => `${item.text}\n${item.link}`),
			`${MAIL.all}: ${all}`,
			`${MAIL.why(name)}\n${settings}`
		].join('\n\n'),
		html: frame(
			`${items.map((item) => `<p>${escaped(item.text)}<br>${link(item.link, MAIL.open)}</p>`).join('')}<p>${link(all, MAIL.all)}</p><p style="color:#666">${escaped(MAIL.why(name))} ${link(settings, settings)}</p>`
		)
	};
}

/**
 * Writes the mail that asks a member to confirm an address.
 * @param address the link to open, an absolute URL
 */
export function verifyMail(
	name: string,
	address: string
): { subject: string; text: string; html: string } {
	const { subject, text, button } = MAIL.verify;
	return {
		subject,
		text: `${text(name)}\n\n${address}`,
		html: frame(`<p>${escaped(text(name))}</p><p>${link(address, button)}</p>`)
	};
}
