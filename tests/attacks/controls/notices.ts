/** Controls of notices: their readers, their links, and deliveries with their recipients. */
import type { Control } from './control.ts';

const INBOX = 'src/lib/server/access/notifications/inbox.ts';
const EGRESS = 'src/lib/server/kdf/egress/egress.ts';

export const noticeControls: readonly Control[] = [
	{
		name: 'own-notices',
		stops: 'A member opens or marks the notice of another one by its id.',
		file: INBOX,
		text: ".where('id', '=', id)\n\t\t\t\t\t.where('account_id', '=', accountId)",
		replacement:
			".where('id', '=', id)\n\t\t\t\t\t.$if(stands('own-notices'), (query) => query.where('account_id', '=', accountId))",
		attacks: ['notice-of-another-member']
	},
	{
		name: 'notice-audience',
		stops: 'A member is told of what only others may see.',
		file: 'src/lib/server/access/notifications/recipients.ts',
		text: 'if (!mayAccess(role, right, false)) return false;',
		replacement: "if (!mayAccess(role, right, false) && stands('notice-audience')) return false;",
		attacks: ['notice-beyond-the-role']
	},
	{
		name: 'notice-pages',
		stops: 'A notice that was written by hand leads to another site.',
		file: INBOX,
		text: 'return safeNext(row.path);',
		replacement: "return stands('notice-pages') ? safeNext(row.path) : row.path;",
		attacks: ['notice-that-leads-off-site']
	},
	{
		name: 'encrypted-webhook-secrets',
		stops: 'Whoever reads the database signs deliveries in the name of this installation.',
		file: 'src/lib/server/access/notifications/webhooks.ts',
		text: 'secret: cipher.encrypt(secret, webhookPlace(id)),\n\t\t\t\t\t\tcreated_by: by.name,',
		replacement:
			"secret: stands('encrypted-webhook-secrets') ? cipher.encrypt(secret, webhookPlace(id)) : secret,\n\t\t\t\t\t\tcreated_by: by.name,",
		attacks: ['webhook-secret-in-the-database']
	},
	{
		name: 'private-networks',
		stops: 'A webhook, or the push service of a browser, is a server of the private network.',
		file: EGRESS,
		text: 'found.filter((address) => mayReach(target, address, opened))',
		replacement:
			"found.filter((address) => !stands('private-networks') || mayReach(target, address, opened))",
		attacks: ['webhook-into-the-private-network', 'push-into-the-private-network']
	},
	{
		name: 'no-redirects',
		stops: 'A server that may be reached sends a delivery on to one that may not.',
		file: EGRESS,
		text: "const { 'content-type': type } = headers;",
		replacement:
			"if (!stands('no-redirects') && typeof headers.location === 'string') await fetch(headers.location, { method: 'POST' }).catch(() => undefined);\n\t\t\t\tconst { 'content-type': type } = headers;",
		attacks: ['webhook-sent-on-into-the-private-network']
	},
	{
		name: 'checked-certificates',
		stops: 'Whoever stands in between reads deliveries under a certificate of their own.',
		file: EGRESS,
		text: 'rejectUnauthorized: options.anyCertificate !== true,',
		replacement:
			"rejectUnauthorized: options.anyCertificate !== true && stands('checked-certificates'),",
		attacks: ['webhook-to-a-forged-certificate']
	},
	{
		name: 'one-mail-address',
		stops: 'What is typed as an address names further ones, or further headers.',
		file: 'src/lib/server/access/notifications/mailer.ts',
		text: 'if (text.length > MOST_LETTERS || !EMAIL.test(text))',
		replacement:
			"if (text.length > MOST_LETTERS || (!EMAIL.test(text) && stands('one-mail-address')))",
		attacks: ['mail-to-a-second-address']
	},
	{
		name: 'few-links',
		stops: 'A member has mails sent to a stranger without end.',
		file: 'src/lib/server/access/notifications/addresses.ts',
		text: 'if (!isOld && before.links_sent > BigInt(LINKS_PER_HOUR)) {',
		replacement:
			"if (!isOld && before.links_sent > BigInt(LINKS_PER_HOUR) && stands('few-links')) {",
		attacks: ['mails-to-a-stranger']
	}
];
