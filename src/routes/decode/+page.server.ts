import { decodePage } from '#lib/messages/pages/decode.ts';
import { explainHex } from '#lib/chain/explain.ts';
import type { Actions, PageServerLoad } from './$types';

/** Characters of hex that fit into a link that can be shared. */
const LINK_LIMIT = 4_000;
/** Two hex digits a byte; a block of the chain has at most 4 MiB, most things are far smaller. */
const TEXT_LIMIT = 1_000_000;

/** Without a text there is a result only when one was sent: the empty page is no mistake. */
function decode(text: string, sent: boolean) {
	const hex = text.replace(/\s+/g, '');
	if (hex.length > TEXT_LIMIT)
		return {
			text: '',
			tooLong: decodePage.tooLong(hex.length, TEXT_LIMIT),
			result: null,
			link: null
		};
	return {
		text,
		tooLong: null,
		result: hex === '' && !sent ? null : explainHex(hex),
		link: hex === '' || hex.length > LINK_LIMIT ? null : `/decode?hex=${encodeURIComponent(hex)}`
	};
}

export const load: PageServerLoad = ({ url }) => decode(url.searchParams.get('hex') ?? '', false);

export const actions: Actions = {
	default: async ({ request }) => {
		const text = (await request.formData()).get('hex');
		return decode(typeof text === 'string' ? text : '', true);
	}
};
